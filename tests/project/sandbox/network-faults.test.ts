import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { createGunzip } from 'node:zlib';
import {
  LINKEDIN_HEADERS,
  postBody,
  sandboxOfFile,
  type TestSandbox,
} from '#tests/harness/outside/sandbox-process.ts';

const sandbox = await sandboxOfFile();

type Member = Awaited<ReturnType<TestSandbox['member']>>;
type Seen = { status: number | null; headers: NodeJS.Dict<string | string[]>; body: Buffer; error: string };

/** A create by the bare client: no redirects, no unpacking, and the code of what broke off. */
function create(member: Member, text: string): Promise<Seen> {
  const { hostname, port } = new URL(sandbox.url);
  const headers = { ...LINKEDIN_HEADERS, authorization: `Bearer ${member.token}` };
  const seen: Seen = { status: null, headers: {}, body: Buffer.alloc(0), error: '' };
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve({ ...seen, error: error.code ?? 'broken' });
    const path = '/linkedin-api/rest/posts';
    const call = request({ hostname, port, path, method: 'POST', headers, agent: false }, async (answer) => {
      Object.assign(seen, { status: answer.statusCode, headers: answer.headers });
      try {
        for await (const chunk of answer) seen.body = Buffer.concat([seen.body, chunk as Buffer]);
        resolve(seen);
      } catch (error) {
        fail(error as NodeJS.ErrnoException);
      }
    });
    call.on('error', fail).end(JSON.stringify(postBody(member.author, text)));
  });
}

/** The same over a bare connection, which tells a reset from an end; the body may be kept back. */
function createBare(member: Member, hasBody = true) {
  const { hostname, port } = new URL(sandbox.url);
  const body = JSON.stringify(postBody(member.author, 'text'));
  const headers = { ...LINKEDIN_HEADERS, host: hostname, authorization: `Bearer ${member.token}` };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST /linkedin-api/rest/posts HTTP/1.1\r\n${lines.join('')}content-length: ${body.length}\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  socket.write(hasBody ? head + body : head);
  return socket;
}

/** How a connection ends: the code of what broke it, or that it was closed. */
function endOf(socket: Socket): Promise<string> {
  const ending = once(socket.resume(), 'close', { signal: AbortSignal.timeout(5_000) });
  return ending.then(
    () => 'closed',
    (error) => error.code ?? error.name,
  );
}

/** Strikes once, and answers what the caller and the ledger saw. */
async function struck(fault: { kind: string; delayMs?: number }) {
  const maya = await sandbox.member();
  await sandbox.fault({ ...fault, times: 1 });
  const seen = await create(maya, 'text');
  const { attempts, posts, followed } = await sandbox.ledger();
  assert.deepEqual((await sandbox.api('GET', 'faults')).struck, { [fault.kind]: 1 });
  return { ...seen, attempts, posts, followed };
}

const ANSWERS: [kind: string, status: number, words: RegExp, retryAfter: string | undefined][] = [
  ['linkedin.401-invalid', 401, /65600/, undefined],
  ['linkedin.404', 404, /NOT_FOUND/, undefined],
  ['linkedin.409', 409, /CONFLICT/, undefined],
  ['linkedin.422-duplicate', 422, /Content is a duplicate of urn:li:share:\d+".*DUPLICATE_POST/, undefined],
  ['linkedin.429', 429, /MINUTE/, undefined],
  ['linkedin.429-retry-1', 429, /MINUTE/, '1'],
  ['linkedin.429-retry-60', 429, /MINUTE/, '60'],
  ['linkedin.503', 503, /Service Unavailable/, undefined],
];

for (const [kind, status, words, retryAfter] of ANSWERS) {
  test(`${kind} answers ${status} and nothing is posted`, async () => {
    const seen = await struck({ kind });
    assert.equal(seen.status, status);
    assert.match(seen.body.toString(), words);
    assert.equal(seen.headers['retry-after'], retryAfter);
    assert.deepEqual([seen.posts.length, seen.attempts[0].status], [0, status]);
  });
}

test('a duplicate is said to be one of the newest post', async () => {
  const maya = await sandbox.member();
  const urn = decodeURIComponent((await maya.post('an earlier one')).headers.get('x-restli-id') ?? '');
  await sandbox.fault({ kind: 'linkedin.422-duplicate', times: 1 });
  assert.ok((await (await maya.post('another')).json()).message.endsWith(`duplicate of ${urn}`));
});

for (const [kind, live] of [
  ['linkedin.reset', 0],
  ['linkedin.reset-after', 1],
] as const) {
  test(`${kind} resets the connection after the body, with ${live} posts live`, async () => {
    const maya = await sandbox.member();
    await sandbox.fault({ kind, times: 1 });
    assert.equal(await endOf(createBare(maya)), 'ECONNRESET');
    const { attempts, posts } = await sandbox.ledger();
    assert.deepEqual([posts.length, attempts.length, attempts[0].status], [live, 1, null]);
  });
}

test('linkedin.reset-before-body breaks off before the body, for the caller it is meant for', async () => {
  const [maya, daniel] = [await sandbox.member(), await sandbox.member('daniel@demo.example')];
  await sandbox.fault({ kind: 'linkedin.reset-before-body', times: 1, match: 'maya@' });
  assert.equal((await create(daniel, 'text')).status, 201);
  assert.equal(await endOf(createBare(maya, false)), 'ECONNRESET');
  assert.equal((await sandbox.ledger()).attempts.length, 1);
});

test('linkedin.200 posts and answers 200 with the id', async () => {
  const { status, headers, posts, attempts } = await struck({ kind: 'linkedin.200' });
  assert.deepEqual([status, attempts[0].status], [200, 200]);
  assert.equal(headers['x-restli-id'], posts[0].urn);
});

test('linkedin.broken-json posts and answers 201 with the id and a body that is no JSON', async () => {
  const { status, headers, posts, body } = await struck({ kind: 'linkedin.broken-json' });
  assert.equal(status, 201);
  assert.equal(headers['x-restli-id'], posts[0].urn);
  assert.throws(() => JSON.parse(body.toString()));
});

test('linkedin.302 sends the caller to localhost, posts nothing and counts who goes there', async () => {
  const { status, headers, posts, followed } = await struck({ kind: 'linkedin.302' });
  assert.deepEqual([status, posts.length, followed], [302, 0, 0]);
  const location = String(headers.location);
  assert.equal(location, `http://localhost:${new URL(sandbox.url).port}/linkedin-followed`);
  await fetch(location.replace('localhost', '127.0.0.1'));
  assert.equal((await sandbox.ledger()).followed, 1);
});

test('linkedin.drip sends the whole answer byte by byte, linkedin.drip-body the body', async () => {
  const slow = await struck({ kind: 'linkedin.drip', delayMs: 1 });
  assert.deepEqual([slow.status, slow.headers['x-restli-id']], [201, slow.posts[0].urn]);
  await sandbox.reset();
  const body = await struck({ kind: 'linkedin.drip-body', delayMs: 1 });
  assert.deepEqual([body.status, body.body.length, body.attempts[0].status], [201, 65, 201]);
});

test('a byte a second is too slow for whoever waits half a second', async () => {
  const maya = await sandbox.member();
  await sandbox.fault({ kind: 'linkedin.drip', times: 1 });
  const socket = createBare(maya);
  const [first] = await once(socket, 'data');
  assert.equal(String(first), 'H');
  socket.destroy();
});

test('linkedin.huge answers 201 with 10 MB', async () => {
  const { status, body, posts } = await struck({ kind: 'linkedin.huge' });
  assert.deepEqual([status, posts.length], [201, 1]);
  assert.ok(body.length > 10 * 1024 * 1024);
});

test('linkedin.gzip-bomb answers 201 with a little that unpacks to a lot', async () => {
  const { status, headers, body, posts } = await struck({ kind: 'linkedin.gzip-bomb' });
  assert.deepEqual([status, headers['content-encoding'], posts.length], [201, 'gzip', 1]);
  assert.ok(body.length < 2 * 1024 * 1024);
  let unpacked = 0;
  const gunzip = createGunzip();
  gunzip.end(body);
  for await (const chunk of gunzip) {
    unpacked += (chunk as Buffer).length;
    if (unpacked > 50 * 1024 * 1024) break;
  }
  assert.ok(unpacked > 50 * 1024 * 1024);
});

test('a picture can fail for three reasons, and a post without one does not', async () => {
  const maya = await sandbox.member();
  for (const [kind, code] of [
    ['linkedin.media-waiting', 'MEDIA_ASSET_WAITING_UPLOAD'],
    ['linkedin.media-failed', 'MEDIA_ASSET_PROCESSING_FAILED'],
    ['linkedin.media-expired', 'EXPIRED_UPLOAD_URL'],
  ] as const) {
    await sandbox.fault({ kind, times: 1 });
    assert.equal((await maya.post(`without, ${kind}`)).status, 201);
    const answer = await maya.post('with', { content: { media: { id: 'urn:li:image:x' } } });
    assert.deepEqual([answer.status, (await answer.json()).code], [400, code]);
    assert.equal((await sandbox.ledger()).attempts.at(-1).fault, kind);
  }
});
