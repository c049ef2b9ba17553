import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestSandbox, type TestSandbox } from '#tests/harness/outside/sandbox-process.ts';
import { until } from '#tests/harness/worker/until.ts';

let sandbox: TestSandbox;
before(async () => {
  sandbox = await startTestSandbox();
});
after(() => sandbox.close());
beforeEach(() => sandbox.reset());

const ANSWERS: [kind: string, status: number, words: RegExp, live: boolean][] = [
  ['linkedin.429', 429, /MINUTE limit/, false],
  ['linkedin.429-day', 429, /APPLICATION_AND_MEMBER DAY limit/, false],
  ['linkedin.429-app-day', 429, /throttle APPLICATION DAY limit/, false],
  ['linkedin.500-before', 500, /Internal Server Error/, false],
  ['linkedin.500-after', 500, /Internal Server Error/, true],
  ['linkedin.401-revoked', 401, /65601/, false],
  ['linkedin.401-expired', 401, /65602/, false],
  ['linkedin.403-empty', 403, /"message":""/, false],
  ['linkedin.403-scope', 403, /CREATE\.20260801/, false],
  ['linkedin.422', 422, /ERROR :: \/visibility/, false],
  ['linkedin.426', 426, /20260801 is not active/, false],
  ['linkedin.201-no-id', 201, /^$/, true],
  ['linkedin.html-502', 502, /<h1>Bad Gateway/, false],
];

for (const [kind, status, words, live] of ANSWERS) {
  test(`${kind} answers ${status} once and the post is ${live ? 'live' : 'not live'}`, async () => {
    const maya = await sandbox.member();
    await sandbox.fault({ kind, times: 1 });
    const response = await maya.post('text');
    assert.equal(response.status, status);
    assert.match(await response.text(), words);
    assert.equal(response.headers.get('x-restli-id'), null);
    assert.equal(response.headers.get('retry-after'), null);
    const { attempts, posts } = await sandbox.ledger();
    assert.equal(posts.length, live ? 1 : 0);
    assert.equal(attempts[0].fault, kind);
    assert.equal(attempts[0].status, status);
    assert.equal(attempts[0].urn, live ? posts[0].urn : null);
    assert.equal((await maya.post('another text')).status, 201);
  });
}

for (const [kind, live] of [
  ['linkedin.drop-before', 0],
  ['linkedin.drop-after', 1],
  ['linkedin.hang-before', 0],
  ['linkedin.hang-after', 1],
] as const) {
  test(`${kind} leaves the caller without an answer and ${live} posts live`, async () => {
    const maya = await sandbox.member();
    await sandbox.fault({ kind });
    const leaving = new AbortController();
    const call = fetch(`${sandbox.url}/linkedin-api/rest/posts`, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        authorization: `Bearer ${maya.token}`,
        'linkedin-version': '202608',
        'x-restli-protocol-version': '2.0.0',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        author: maya.author,
        commentary: 'text',
        visibility: 'PUBLIC',
        distribution: { feedDistribution: 'MAIN_FEED' },
        lifecycleState: 'PUBLISHED',
      }),
    });
    const ended = assert.rejects(call);
    await until('it has struck', async () => (await sandbox.api('GET', 'faults')).struck[kind]);
    if (kind.includes('hang')) leaving.abort();
    await ended;
    assert.equal(leaving.signal.aborted, kind.includes('hang'));
    const { attempts, posts } = await sandbox.ledger();
    assert.equal(posts.length, live);
    assert.equal(attempts[0].status, null);
  });
}

test('the picture fault strikes only posts with a picture', async () => {
  const maya = await sandbox.member();
  await sandbox.fault({ kind: 'linkedin.media-waiting' });
  assert.equal((await maya.post('text only')).status, 201);
  const response = await maya.post('text', { content: { media: { id: 'urn:li:image:x' } } });
  assert.equal((await response.json()).code, 'MEDIA_ASSET_WAITING_UPLOAD');
});

test('a fault strikes only where its match stands, as often as it was told', async () => {
  const maya = await sandbox.member();
  await sandbox.fault({ kind: 'linkedin.500-before', times: 2, match: 'Harbour' });
  const statuses: number[] = [];
  for (const text of ['a harbour', 'a ship', 'the HARBOUR', 'harbour again']) {
    statuses.push((await maya.post(text)).status);
  }
  assert.deepEqual(statuses, [500, 201, 500, 201]);
  assert.deepEqual((await sandbox.api('GET', 'faults')).faults, []);
});

test('latency and the slow fault delay the answer', async () => {
  const maya = await sandbox.member();
  const time = async (run: () => Promise<Response>) => {
    const start = performance.now();
    await run();
    return performance.now() - start;
  };
  await sandbox.api('POST', 'latency', { ms: 60 });
  assert.ok((await time(() => maya.send('GET', '/v2/userinfo'))) >= 55);
  await sandbox.fault({ kind: 'linkedin.slow', delayMs: 60, times: 1 });
  assert.ok((await time(() => maya.post('slow'))) >= 110);
});

test('the page switches faults on and off and says what is wrong', async () => {
  const send = (form: Record<string, string>) =>
    fetch(`${sandbox.url}/faults`, { method: 'POST', body: new URLSearchParams(form) });
  const on = await (await send({ kind: 'mail.451', times: '3', match: '<b>' })).text();
  assert.match(on, /3 more · only where “&lt;b&gt;” stands/);
  const wrong = await send({ kind: 'mail.451', times: 'often' });
  assert.equal(wrong.status, 422);
  assert.match(await wrong.text(), /times must be a whole number[\s\S]*value="often"/);
  assert.match(await (await send({ remove: 'all' })).text(), /all well/);
  const unknown = await fetch(`${sandbox.url}/api/faults`, {
    method: 'POST',
    body: '{"kind":"linkedin.418"}',
  });
  assert.equal(unknown.status, 422);
});
