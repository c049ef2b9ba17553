import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { postBody, startTestSandbox, type TestSandbox } from '#tests/harness/outside/sandbox-process.ts';

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox();
});
after(() => sandbox.close());
beforeEach(() => sandbox.reset());

test('an accepted post answers 201 with an empty body, its id in the header in every form that is seen', async () => {
  const maya = await sandbox.member();
  const ids: string[] = [];
  for (const text of ['a', 'b', 'c', 'd']) {
    const response = await maya.post(text);
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('content-length'), '0');
    assert.equal(await response.text(), '');
    ids.push(response.headers.get('x-restli-id') ?? '');
  }
  const forms = ids.map(
    (id) => `${id.includes('%3A') ? 'encoded' : 'raw'} ${decodeURIComponent(id).split(':')[2]}`,
  );
  assert.deepEqual(forms.toSorted(), ['encoded share', 'encoded ugcPost', 'raw share', 'raw ugcPost']);
  const { posts } = await sandbox.ledger();
  assert.deepEqual(
    posts.map((post: { urn: string }) => post.urn),
    ids.map(decodeURIComponent),
  );
});

test('the version header is required and must name an active version', async () => {
  const maya = await sandbox.member();
  const body = postBody(maya.author, 'text');
  const missing = await maya.send('POST', '/rest/posts', body, { 'linkedin-version': null });
  assert.equal(missing.status, 400);
  assert.equal((await missing.json()).code, 'VERSION_MISSING');
  for (const version of ['202411', '209901']) {
    const response = await maya.send('POST', '/rest/posts', body, { 'linkedin-version': version });
    assert.equal(response.status, 426);
    assert.equal((await response.json()).message, `Requested version ${version}01 is not active`);
  }
});

test('the Rest.li protocol header must be 2.0.0', async () => {
  const maya = await sandbox.member();
  const response = await maya.send('POST', '/rest/posts', postBody(maya.author, 'text'), {
    'x-restli-protocol-version': null,
  });
  assert.equal(response.status, 400);
  assert.deepEqual((await sandbox.ledger()).posts, []);
});

test('a missing, invalid or revoked token is refused with its own code', async () => {
  const maya = await sandbox.member();
  const code = async (authorization: string | null) => {
    const response = await maya.send('POST', '/rest/posts', postBody(maya.author, 'text'), { authorization });
    assert.equal(response.status, 401);
    return (await response.json()).serviceErrorCode;
  };
  assert.equal(await code(null), 65604);
  assert.equal(await code('Bearer nonsense'), 65600);
  await sandbox.api('POST', 'members/maya@demo.example/revoke');
  assert.equal(await code(`Bearer ${maya.token}`), 65601);
  assert.equal((await sandbox.ledger()).attempts.length, 3);
});

test('a body that is no JSON object is refused', async () => {
  const maya = await sandbox.member();
  const response = await maya.send('POST', '/rest/posts', '{"author":');
  assert.equal(response.status, 400);
  assert.match((await response.json()).message, /could not be converted to data map/);
});

test('schema errors are collected, a line each', async () => {
  const maya = await sandbox.member();
  const response = await maya.send('POST', '/rest/posts', {
    commentary: 'x',
    scheduledAt: 1,
    lifecycleState: 'LATER',
  });
  assert.equal(response.status, 422);
  const { message } = await response.json();
  const lines = message.split('\n').filter(Boolean);
  for (const words of [
    '/author ::',
    '/visibility ::',
    '/distribution ::',
    '/scheduledAt :: unrecognized',
    '"LATER" is not',
  ]) {
    assert.ok(
      lines.some((line: string) => line.startsWith('ERROR :: ') && line.includes(words)),
      words,
    );
  }
  assert.equal(lines.length, 5);
});

test('another member’s name or a missing permission is refused', async () => {
  const maya = await sandbox.member();
  const daniel = await sandbox.member('daniel@demo.example');
  const foreign = await maya.send('POST', '/rest/posts', postBody(daniel.author, 'text'));
  assert.equal(foreign.status, 403);
  assert.deepEqual(await foreign.json(), { message: '', status: 403 });
  const reader = await sandbox.member('maya@demo.example', 'openid profile');
  const response = await reader.post('text');
  assert.equal(response.status, 403);
  assert.match((await response.json()).message, /partnerApiPostsExternal\.CREATE\.20260801/);
});

test('a text may have 3000 characters, blank ones are refused', async () => {
  const maya = await sandbox.member();
  assert.equal((await maya.post('a'.repeat(3000))).status, 201);
  const long = await maya.post('a'.repeat(3001));
  assert.equal(long.status, 400);
  assert.match((await long.json()).message, /text length \(3001 characters\) exceeded the maximum allowed/);
  const blank = await maya.post(' \n ');
  assert.equal((await blank.json()).code, 'INVALID_VALUE_BLANK_FIELD');
});

test('the same text of the same author is a duplicate and names the first post, deleted or not', async () => {
  const maya = await sandbox.member();
  const daniel = await sandbox.member('daniel@demo.example');
  const urn = decodeURIComponent((await maya.post('the same')).headers.get('x-restli-id') ?? '');
  const again = await maya.post('the same');
  assert.equal(again.status, 422);
  const body = await again.json();
  assert.equal(body.errorDetails.inputErrors[0].code, 'DUPLICATE_POST');
  assert.ok(body.message.endsWith(`Content is a duplicate of ${urn}`));
  assert.equal((await daniel.post('the same')).status, 201);
  assert.equal((await maya.send('DELETE', `/rest/posts/${encodeURIComponent(urn)}`)).status, 204);
  assert.equal((await maya.post('the same')).status, 422);
});

test('an unescaped bracket cuts the post in silence and is flagged', async () => {
  const maya = await sandbox.member();
  assert.equal((await maya.post('Before (after) #tag')).status, 201);
  const { posts, attempts } = await sandbox.ledger();
  assert.equal(posts[0].text, 'Before');
  assert.match(posts[0].violation, /“\(” at position 7/);
  assert.equal(attempts[0].violation, posts[0].violation);
  assert.match(await (await fetch(`${sandbox.url}/feed`)).text(), /Contract violation/);
});

test('deleting wants an encoded urn, an own post, and may be repeated', async () => {
  const maya = await sandbox.member();
  const daniel = await sandbox.member('daniel@demo.example');
  const urn = decodeURIComponent((await maya.post('soon gone')).headers.get('x-restli-id') ?? '');
  const encoded = `/rest/posts/${encodeURIComponent(urn)}`;
  assert.equal((await maya.send('DELETE', `/rest/posts/${urn}`)).status, 400);
  assert.equal((await daniel.send('DELETE', encoded)).status, 403);
  assert.equal((await maya.send('DELETE', encoded)).status, 204);
  assert.equal((await maya.send('DELETE', encoded)).status, 204);
  assert.equal((await maya.send('DELETE', '/rest/posts/urn%3Ali%3Ashare%3A1')).status, 404);
  assert.deepEqual((await sandbox.ledger()).posts, []);
  assert.equal((await fetch(`${sandbox.url}/linkedin/feed/update/${urn}/`)).status, 404);
});

test('an edit changes the text and nothing else', async () => {
  const maya = await sandbox.member();
  const urn = decodeURIComponent((await maya.post('first')).headers.get('x-restli-id') ?? '');
  const edit = (set: object, method: string | null = 'PARTIAL_UPDATE') =>
    maya.send(
      'POST',
      `/rest/posts/${encodeURIComponent(urn)}`,
      { patch: { $set: set } },
      { 'x-restli-method': method },
    );
  assert.equal((await edit({ commentary: 'second' })).status, 204);
  assert.equal((await edit({ commentary: 'third' }, null)).status, 400);
  const fixed = await edit({ visibility: 'CONNECTIONS' });
  assert.match((await fixed.json()).message, /CreateOnly field present/);
  const page = await (await fetch(`${sandbox.url}/linkedin/feed/update/${urn}/`)).text();
  assert.match(page, /second/);
  assert.match(page, /Edited/);
});

test('what an ordinary application may not read answers 403', async () => {
  const maya = await sandbox.member();
  const urn = 'urn%3Ali%3Ashare%3A1';
  const paths = [
    `posts/${urn}`,
    `images/${urn}`,
    `socialActions/${urn}/likes`,
    `socialMetadata/${urn}`,
    'memberCreatorPostAnalytics?q=me',
    'memberFollowersCount?q=me',
  ];
  for (const path of paths) {
    const response = await maya.send('GET', `/rest/${path}`);
    assert.equal(response.status, 403, path);
    assert.equal((await response.json()).code, 'ACCESS_DENIED');
  }
});
