import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { countCreate, createQuota } from '#sandbox/linkedin/quota.ts';
import { postBody, startTestSandbox, type TestSandbox } from '#tests/harness/outside/sandbox-process.ts';

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox();
});
after(() => sandbox.close());
beforeEach(() => sandbox.reset());

const urnOf = (answer: Response) => decodeURIComponent(answer.headers.get('x-restli-id') ?? '');

/** A path as it stands, which fetch would mend. */
function rawStatus(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(sandbox.url);
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, method, path, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.on('error', reject).end();
  });
}

test('a pure reshare needs no text, and a reshare of nothing is refused', async () => {
  const maya = await sandbox.member();
  const { commentary: _, ...bare } = postBody(maya.author, '');
  const reshare = (parent: unknown) =>
    maya.send('POST', '/rest/posts', { ...bare, reshareContext: { parent } });
  assert.equal((await reshare('urn:li:share:7')).status, 201);
  assert.equal((await reshare('urn:li:share:7')).status, 201);
  const { posts } = await sandbox.ledger();
  assert.deepEqual([posts[0].parent, posts[0].text], ['urn:li:share:7', '']);
  for (const parent of [undefined, 7, 'urn:li:person:x']) {
    const refused = await reshare(parent);
    assert.equal(refused.status, 422);
    assert.match((await refused.json()).message, /\/reshareContext\/parent ::/);
  }
  assert.match(await (await fetch(`${sandbox.url}/feed`)).text(), /Reshares <code>urn:li:share:7/);
});

test('changing a post needs the permission, and a text', async () => {
  const maya = await sandbox.member();
  const path = `/rest/posts/${encodeURIComponent(urnOf(await maya.post('first')))}`;
  const method = { 'x-restli-method': 'PARTIAL_UPDATE' };
  const reader = await sandbox.member('maya@demo.example', 'openid profile');
  const body = { patch: { $set: { commentary: 'second' } } };
  const denied = await reader.send('POST', path, body, method);
  assert.equal(denied.status, 403);
  assert.match((await denied.json()).message, /partnerApiPostsExternal\.PARTIAL_UPDATE\.20260801/);
  for (const commentary of [7, null, ['x']]) {
    const refused = await maya.send('POST', path, { patch: { $set: { commentary } } }, method);
    assert.equal(refused.status, 422);
    assert.match((await refused.json()).message, /\/commentary :: .* cannot be coerced to String/);
  }
  assert.equal((await sandbox.ledger()).posts[0].text, 'first');
});

test('a malformed % in a path is a bad request, and lower-case %3a is as good as %3A', async () => {
  const maya = await sandbox.member();
  const headers = {
    authorization: `Bearer ${maya.token}`,
    'linkedin-version': '202608',
    'x-restli-protocol-version': '2.0.0',
  };
  for (const key of ['%', '%zz', 'urn%3Ali%3Ashare%3A%e2%82']) {
    assert.equal(await rawStatus('DELETE', `/linkedin-api/rest/posts/${key}`, headers), 400, key);
  }
  assert.equal(await rawStatus('POST', '/api/members/%zz/revoke', {}), 400);
  assert.equal(await rawStatus('GET', '/linkedin/feed/update/%zz', {}), 400);
  const urn = urnOf(await maya.post('soon gone')).replaceAll(':', '%3a');
  assert.equal(await rawStatus('DELETE', `/linkedin-api/rest/posts/${urn}`, headers), 204);
});

const image = (at: number) => ({ id: `urn:li:image:${at}` });
const images = (count: number) => ({
  multiImage: { images: Array.from({ length: count }, (_, at) => image(at)) },
});
const poll = (change: object) => ({
  poll: {
    question: 'Tea?',
    options: [{ text: 'Yes' }, { text: 'No' }],
    settings: { duration: 'THREE_DAYS' },
    ...change,
  },
});
const article = (change: object) => ({ article: { source: 'https://a.example/b', title: 'A', ...change } });

const REFUSED: [what: string, content: object, words: RegExp][] = [
  ['no picture in multiImage', images(0), /multiImage\/images :: size must be between 2 and 20/],
  ['one picture in multiImage', images(1), /multiImage\/images :: size/],
  ['21 pictures', images(21), /multiImage\/images :: size/],
  ['multiImage without a list', { multiImage: {} }, /multiImage\/images :: value is not an array/],
  [
    'a video among pictures',
    { multiImage: { images: [image(1), { id: 'urn:li:video:1' }] } },
    /images\/1\/id/,
  ],
  ['an article without source', article({ source: undefined }), /article\/source :: field is required/],
  ['an article without title', article({ title: undefined }), /article\/title :: field is required/],
  ['an article with a long title', article({ title: 'x'.repeat(401) }), /maximum of 400/],
  ['an article at no address', article({ source: 'javascript:x' }), /article\/source :: .*valid URL/],
  ['an article with a thumbnail address', article({ thumbnail: 'https://a.example' }), /thumbnail :: /],
  ['an article with more', article({ author: 'me' }), /article\/author :: unrecognized/],
  ['a document without title', { media: { id: 'urn:li:document:1' } }, /media\/title :: field is required/],
  ['a poll without question', poll({ question: undefined }), /poll\/question :: field is required/],
  ['a poll with one option', poll({ options: [{ text: 'Yes' }] }), /poll\/options :: size/],
  [
    'a poll with a long option',
    poll({ options: [{ text: 'x'.repeat(31) }, { text: 'No' }] }),
    /options\/0\/text/,
  ],
  ['a poll without duration', poll({ settings: {} }), /settings\/duration :: field is required/],
  ['a poll of a year', poll({ settings: { duration: 'YEAR' } }), /"YEAR" is not an enum symbol/],
  ['two contents', { ...images(2), ...poll({}) }, /exactly a single member/],
  ['an unknown content', { celebration: {} }, /celebration :: unrecognized/],
];

for (const [what, content, words] of REFUSED) {
  test(`${what} is refused by the schema`, async () => {
    const maya = await sandbox.member();
    const answer = await maya.post('text', { content });
    assert.equal(answer.status, 422);
    assert.match((await answer.json()).message, words);
  });
}

test('articles and polls go live, and media that was never uploaded does not', async () => {
  const maya = await sandbox.member();
  assert.equal((await maya.post('read this', { content: article({}) })).status, 201);
  assert.equal((await maya.post('say', { content: poll({}) })).status, 201);
  for (const content of [
    images(2),
    article({ thumbnail: 'urn:li:image:none' }),
    { media: { id: 'urn:li:document:1', title: 'A plan' } },
    { media: { id: 'urn:li:video:1' } },
  ]) {
    const answer = await maya.post('with media', { content });
    assert.equal((await answer.json()).code, 'INVALID_URN_ID');
  }
});

test('a post in a group names the group, and no other post does', async () => {
  const maya = await sandbox.member();
  const status = async (text: string, visibility: string, container?: unknown) =>
    (await maya.post(text, { visibility, container })).status;
  assert.equal(await status('a', 'CONTAINER'), 422);
  assert.equal(await status('b', 'CONTAINER', 'urn:li:person:x'), 422);
  assert.equal(await status('c', 'PUBLIC', 'urn:li:group:1'), 422);
  assert.equal(await status('d', 'CONTAINER', 'urn:li:group:1'), 201);
});

test('the member’s day and the application’s day are over after so many creates, refused ones included', async () => {
  const [maya, daniel] = [await sandbox.member(), await sandbox.member('daniel@demo.example')];
  await sandbox.api('POST', 'quota', { member: 2, application: 4 });
  assert.equal((await maya.post('one')).status, 201);
  assert.equal((await maya.post(' ')).status, 400);
  const ofMember = await maya.post('three');
  assert.equal(ofMember.status, 429);
  assert.match((await ofMember.json()).message, /throttle APPLICATION_AND_MEMBER DAY limit/);
  assert.equal(ofMember.headers.get('retry-after'), null);
  assert.equal((await daniel.post('four')).status, 201);
  assert.match((await (await daniel.post('five')).json()).message, /throttle APPLICATION DAY limit/);
  assert.equal((await sandbox.ledger()).posts.length, 2);
});

test('the quotas are those of Share on LinkedIn and begin anew at 00:00 UTC', () => {
  const quota = createQuota();
  assert.deepEqual([quota.member, quota.application], [150, 100_000]);
  quota.member = 1;
  const at = (time: string) => countCreate(quota, { sub: 'maya', clientId: 'app' }, new Date(time));
  assert.equal(at('2026-11-21T00:00:00Z'), null);
  assert.equal(at('2026-11-21T23:59:59.999Z'), 'APPLICATION_AND_MEMBER DAY');
  assert.equal(at('2026-11-22T00:00:00Z'), null);
});

test('a quota that is no number is refused', async () => {
  const answer = await sandbox.api('POST', 'quota', { member: 'many' });
  assert.match(answer.error, /whole numbers/);
});

test('every answer of LinkedIn bears the names of the call, and the ledger keeps them', async () => {
  const maya = await sandbox.member();
  const answers = [
    await maya.post('text'),
    await maya.post('text'),
    await maya.send('GET', '/v2/userinfo'),
    await maya.send('GET', '/rest/nothing', undefined, { authorization: null }),
    await fetch(`${sandbox.url}/linkedin/oauth/v2/accessToken`, { method: 'POST' }),
    await fetch(`${sandbox.url}/linkedin-upload/none/x/0`, { method: 'PUT' }),
  ];
  const seen = answers.map(({ headers }) => {
    assert.equal(headers.get('x-li-fabric'), 'prod-lor1');
    return [headers.get('x-li-uuid'), headers.get('x-li-request-id')];
  });
  assert.equal(new Set(seen.flat()).size, 2 * answers.length);
  assert.ok(!seen.flat().includes(null));
  const { attempts } = await sandbox.ledger();
  assert.deepEqual(
    attempts.map(({ uuid, requestId }: { uuid: string; requestId: string }) => [uuid, requestId]),
    seen.slice(0, 2),
  );
  assert.equal((await fetch(sandbox.url)).headers.get('x-li-uuid'), null);
});

test('an address of more than 8 KB is too long', async () => {
  const maya = await sandbox.member();
  const ids = (bytes: number) => `/rest/posts?ids=List(${'a'.repeat(bytes)})`;
  assert.equal((await maya.send('GET', ids(9_000))).status, 414);
  assert.equal((await maya.send('GET', ids(7_000))).status, 403);
});

test('reading by POST is no create', async () => {
  const maya = await sandbox.member();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const tunnelled = { ...form, 'x-http-method-override': 'GET', 'x-restli-method': 'BATCH_GET' };
  for (const headers of [tunnelled, { ...form, 'x-restli-method': 'BATCH_GET' }]) {
    const answer = await maya.send('POST', '/rest/posts', 'ids=List(urn%3Ali%3Ashare%3A1)', headers);
    assert.equal(answer.status, 403);
    assert.match((await answer.json()).message, /partnerApiPostsExternal\.BATCH_GET/);
  }
  const single = await maya.send('POST', '/rest/posts/urn%3Ali%3Ashare%3A1', 'viewContext=AUTHOR', {
    ...form,
    'x-http-method-override': 'GET',
  });
  assert.equal(single.status, 403);
  assert.deepEqual((await sandbox.ledger()).attempts, []);
  const named = await maya.send('POST', '/rest/posts', postBody(maya.author, 'text'), {
    'x-restli-method': 'CREATE',
  });
  assert.equal(named.status, 201);
});
