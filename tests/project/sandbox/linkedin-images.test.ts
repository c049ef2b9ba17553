import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { gif, jpeg, png } from '#tests/fixtures/pictures.ts';
import { startTestSandbox, type TestSandbox } from '#tests/harness/outside/sandbox-process.ts';

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox();
});
after(() => sandbox.close());
beforeEach(() => sandbox.reset());

const PNG = png();
type Member = Awaited<ReturnType<TestSandbox['member']>>;

async function initialize(member: Member, owner = member.author) {
  const body = { initializeUploadRequest: { owner } };
  const response = await member.send('POST', '/rest/images?action=initializeUpload', body);
  return { status: response.status, value: (await response.json()).value };
}

function put(url: string, body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) {
  return fetch(url, { method: 'PUT', body, headers });
}

const withImage = (id: string) => ({ content: { media: { id, altText: 'A chart' } } });

test('a picture is announced, uploaded to the sandbox’s own address, and posted', async () => {
  const maya = await sandbox.member();
  const { value } = await initialize(maya);
  assert.ok(value.uploadUrl.startsWith(`${sandbox.url}/linkedin-upload/`));
  assert.ok(value.uploadUrlExpiresAt > Date.now());
  const early = await maya.post('with a picture', withImage(value.image));
  assert.equal((await early.json()).code, 'MEDIA_ASSET_WAITING_UPLOAD');
  const uploaded = await put(value.uploadUrl, PNG);
  assert.equal(uploaded.status, 201);
  assert.equal(await uploaded.text(), '');
  assert.equal((await maya.post('with a picture', withImage(value.image))).status, 201);
  const { attempts, posts, images } = await sandbox.ledger();
  assert.equal(images, 1);
  assert.deepEqual([posts[0].imageUrn, posts[0].altText], [value.image, 'A chart']);
  assert.deepEqual(
    attempts.map((each: { status: number }) => each.status),
    [400, 201],
  );
  const shown = await fetch(`${sandbox.url}/linkedin-media/${value.image.split(':').at(-1)}`);
  assert.equal(shown.headers.get('content-type'), 'image/png');
});

test('what is no JPEG, PNG or GIF is refused, and an upload address works once', async () => {
  const maya = await sandbox.member();
  const { value } = await initialize(maya);
  assert.equal((await put(value.uploadUrl, Buffer.from('<svg xmlns=""/>'))).status, 415);
  assert.equal((await put(value.uploadUrl, gif())).status, 201);
  assert.equal((await put(value.uploadUrl, PNG)).status, 400);
});

test('pictures of another member can be neither announced nor posted', async () => {
  const maya = await sandbox.member();
  const daniel = await sandbox.member('daniel@demo.example');
  assert.equal((await initialize(maya, daniel.author)).status, 403);
  const { value } = await initialize(daniel);
  await put(value.uploadUrl, PNG);
  assert.equal((await maya.post('borrowed', withImage(value.image))).status, 403);
  assert.equal((await maya.post('unknown', withImage('urn:li:image:none'))).status, 400);
});

test('the upload can insist on the token or on its absence', async () => {
  const maya = await sandbox.member();
  const { value } = await initialize(maya);
  const bearer = { authorization: `Bearer ${maya.token}` };
  await sandbox.fault({ kind: 'linkedin.upload-needs-token', times: 1 });
  assert.equal((await put(value.uploadUrl, PNG)).status, 401);
  await sandbox.fault({ kind: 'linkedin.upload-refuses-token', times: 1 });
  assert.equal((await put(value.uploadUrl, PNG, bearer)).status, 400);
  assert.equal((await put(value.uploadUrl, PNG, bearer)).status, 201);
});

test('only the token that announced a picture may come with it', async () => {
  const maya = await sandbox.member();
  const { value } = await initialize(maya);
  const status = async (token: string) =>
    (await put(value.uploadUrl, PNG, { authorization: `Bearer ${token}` })).status;
  const daniel = await sandbox.member('daniel@demo.example');
  assert.equal(await status(daniel.token), 401);
  assert.equal(await status((await sandbox.member()).token), 401);
  assert.equal(await status('nonsense'), 401);
  assert.equal(await status(maya.token), 201);
});

for (const [what, bytes] of [
  ['a signature and no more', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['a PNG without an end', png().subarray(0, -12)],
  ['a JPEG without an end', jpeg().subarray(0, -2)],
  ['a GIF without an end', gif().subarray(0, -1)],
  ['a GIF signature', Buffer.from('GIF89a........')],
  ['too many pixels', png(6_000, 6_026)],
  ['too many pixels in a JPEG', jpeg(10_000, 10_000)],
  ['a picture of no height', png(10, 0)],
  ['251 frames', gif(251)],
] as const) {
  test(`${what}: the bytes are taken, and their processing fails`, async () => {
    const maya = await sandbox.member();
    const { value } = await initialize(maya);
    assert.equal((await put(value.uploadUrl, Buffer.from(bytes))).status, 201);
    const refused = await maya.post('text', withImage(value.image));
    assert.deepEqual([refused.status, (await refused.json()).code], [400, 'MEDIA_ASSET_PROCESSING_FAILED']);
  });
}

test('whole pictures within the limits are shown', async () => {
  const maya = await sandbox.member();
  for (const bytes of [png(), png(6_000, 6_025), jpeg(100, 100), gif(), gif(250)]) {
    const { value } = await initialize(maya);
    await put(value.uploadUrl, bytes);
    assert.equal((await maya.post(`shown ${value.image}`, withImage(value.image))).status, 201);
  }
});

test('processing can fail after a good upload, and an address can expire before or on the way', async () => {
  const maya = await sandbox.member();
  const after = async (kind: string) => {
    await sandbox.fault({ kind, times: 1 });
    const { value } = await initialize(maya);
    const { status } = await put(value.uploadUrl, PNG);
    const refused = await maya.post('text', withImage(value.image));
    return [value.uploadUrlExpiresAt > Date.now(), status, (await refused.json()).code];
  };
  const failed = [true, 201, 'MEDIA_ASSET_PROCESSING_FAILED'];
  assert.deepEqual(await after('linkedin.upload-processing-failed'), failed);
  assert.deepEqual(await after('linkedin.upload-expired'), [true, 400, 'EXPIRED_UPLOAD_URL']);
  assert.deepEqual(await after('linkedin.initialize-expired'), [false, 400, 'EXPIRED_UPLOAD_URL']);
});
