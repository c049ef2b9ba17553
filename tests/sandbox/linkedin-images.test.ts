import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestSandbox, type TestSandbox } from './start.ts';

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox();
});
after(() => sandbox.close());
beforeEach(() => sandbox.reset());

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
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
  assert.equal((await put(value.uploadUrl, Buffer.from('GIF89a....'))).status, 201);
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
