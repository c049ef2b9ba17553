import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { watchLinkedIn } from '#app/domain/linkedin/log-answers.ts';
import { createPost, deletePost } from '#app/integrations/linkedin/posts.ts';
import { nobody, serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const outside = await startOutside();
const { access_token: accessToken, sub } = await outside.token('writer@example.com');
const authorUrn = `urn:li:person:${sub}`;
let counter = 0;

/** The outcome without what support finds the call by. */
function bare<T extends { trace?: object }>(outcome: T): T {
  delete outcome.trace;
  return outcome;
}

const create = (change: object = {}) =>
  createPost({
    accessToken,
    version: '202608',
    authorUrn,
    commentary: `Post number ${++counter}`,
    timeoutMs: 5_000,
    ...change,
  });
const post = async (change: object = {}) => bare(await create(change));

/** What becomes of a post when LinkedIn answers like this. */
const answered = async (
  answer: (req: IncomingMessage, res: ServerResponse) => void,
  act: () => ReturnType<typeof post> = post,
) => withEnv({ LINKEDIN_API_URL: await serve(answer) }, act);
const json = (status: number, body: object) =>
  answered(
    (_, res) => void res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
  );
const plain = (status: number, headers: Record<string, string> = {}, body = '') =>
  answered((_, res) => void res.writeHead(status, headers).end(body));

test('a post is published with its urn, decoded, and as it was written', async () => {
  for (const _ of [1, 2, 3, 4]) {
    const outcome = await post();
    assert.ok(outcome.kind === 'published');
    assert.match(outcome.urn!, /^urn:li:(share|ugcPost):\d+$/);
    const { posts, attempts } = await outside.ledger();
    assert.equal(posts.at(-1).urn, outcome.urn);
    assert.equal(posts.at(-1).author, authorUrn);
    assert.equal(attempts.at(-1).violation, null);
    assert.equal(attempts.at(-1).version, '202608');
  }
});

test('201 and 200 are accepted with the id from either header, and without one', async () => {
  const urn = 'urn:li:share:7';
  const published = (status: number, id: string | null) => ({ kind: 'published', urn: id, status });
  assert.deepEqual(await plain(200, { 'x-restli-id': urn }), published(200, urn));
  assert.deepEqual(await plain(201, { 'x-restli-id': 'urn%3Ali%3Ashare%3A7' }), published(201, urn));
  assert.deepEqual(await plain(201, { 'x-linkedin-id': urn }), published(201, urn));
  assert.deepEqual(await plain(201, {}, '<html>fine</html>'), published(201, null));
  await outside.fault('linkedin.201-no-id');
  assert.deepEqual(await post(), published(201, null));
});

test('201 with a body that breaks off is accepted', async () => {
  const outcome = await answered((_, res) => {
    res.writeHead(201, { 'x-restli-id': 'urn:li:share:8', 'Content-Length': '50' }).write('{');
    setImmediate(() => res.destroy());
  });
  assert.deepEqual(outcome, { kind: 'published', urn: 'urn:li:share:8', status: 201 });
});

test('a refusal carries the code and the words of LinkedIn', async () => {
  await outside.fault('linkedin.422');
  const invalid = await post();
  assert.ok(invalid.kind === 'refused');
  assert.equal(invalid.status, 422);
  assert.match(invalid.message, /visibility/);

  await outside.fault('linkedin.403-scope');
  const scope = await post();
  assert.ok(scope.kind === 'refused');
  assert.deepEqual([scope.status, scope.code], [403, 'ACCESS_DENIED']);

  await outside.fault('linkedin.403-empty');
  assert.deepEqual(await post(), {
    kind: 'refused',
    code: null,
    message: 'LinkedIn answered 403',
    status: 403,
  });

  const long = await post({ commentary: 'x'.repeat(3001) });
  assert.ok(long.kind === 'refused');
  assert.deepEqual([long.status, long.code], [400, 'FIELD_ARRAY_SIZE_TOO_HIGH']);
  assert.equal((await post({ authorUrn: 'urn:li:person:other' })).kind, 'refused');
});

test('400, 403, 404, 405, 411, 413, 414, 415 and 422 are refusals, with HTML as well', async () => {
  for (const status of [400, 403, 404, 405, 411, 413, 414, 415, 422]) {
    const outcome = await plain(status, { 'Content-Type': 'text/html' }, '<html><h1>No</h1></html>');
    const message = `LinkedIn answered ${status}`;
    assert.deepEqual(outcome, { kind: 'refused', code: null, message, status });
  }
});

test('a duplicate names the earlier post', async () => {
  const first = await post({ commentary: 'Said once' });
  assert.ok(first.kind === 'published');
  const outcome = await post({ commentary: 'Said once' });
  assert.deepEqual(outcome, { kind: 'duplicate', urn: first.urn, status: 422 });
  const inputErrors = [{ code: 'DUPLICATE_POST' }];
  assert.deepEqual(await json(422, { errorDetails: { inputErrors } }), {
    kind: 'duplicate',
    urn: null,
    status: 422,
  });
  const message = 'Content is a duplicate of urn:li:ugcPost:5';
  assert.deepEqual(await json(409, { message }), { kind: 'duplicate', urn: 'urn:li:ugcPost:5', status: 409 });
});

test('a 422 that breaks off may have been about a duplicate, so it is unknown', async () => {
  const outcome = await answered((_, res) => {
    res.writeHead(422, { 'Content-Length': '500' }).write('{"message":"Content is a dup');
    setImmediate(() => res.destroy());
  });
  assert.equal(outcome.kind, 'unknown');
});

test('401 is about the connection', async () => {
  await outside.fault('linkedin.401-revoked');
  assert.deepEqual(await post(), { kind: 'unauthorized', code: 'REVOKED_ACCESS_TOKEN', status: 401 });
  await outside.fault('linkedin.401-expired');
  assert.deepEqual(await post(), { kind: 'unauthorized', code: 'EXPIRED_ACCESS_TOKEN', status: 401 });
  const wrong = await post({ accessToken: 'AQVwrong' });
  assert.deepEqual(wrong, { kind: 'unauthorized', code: 'INVALID_ACCESS_TOKEN', status: 401 });
  assert.deepEqual(await plain(401), { kind: 'unauthorized', code: null, status: 401 });
});

test('426 is about the version', async () => {
  assert.deepEqual(await post({ version: '202508' }), { kind: 'version', status: 426 });
  await outside.fault('linkedin.426');
  assert.deepEqual(await post(), { kind: 'version', status: 426 });
});

test('429 says whose limit is reached and how long to wait', async () => {
  const throttled = (scope: string, retryAfterSeconds: number | null = null) => ({
    kind: 'throttled',
    scope,
    retryAfterSeconds,
    status: 429,
  });
  await outside.fault('linkedin.429');
  assert.deepEqual(await post(), throttled('short'));
  await outside.fault('linkedin.429-day');
  assert.deepEqual(await post(), throttled('member_day'));
  await outside.fault('linkedin.429-app-day');
  assert.deepEqual(await post(), throttled('app_day'));
  assert.deepEqual(await plain(429, { 'Retry-After': '17' }), throttled('short', 17));
  assert.deepEqual(
    await plain(429, { 'Retry-After': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    throttled('short', 0),
  );
  assert.deepEqual(await plain(429, { 'Retry-After': 'soon' }, '<html>'), throttled('short'));
});

test('a picture that is still being processed can be waited for', async () => {
  await outside.fault('linkedin.media-waiting');
  const outcome = await post({ imageUrn: 'urn:li:image:C4E10x', altText: 'A pier' });
  assert.deepEqual(outcome, { kind: 'media_waiting', isUploadEnded: false, status: 400 });
  const ended = await json(400, { status: 400, code: 'EXPIRED_UPLOAD_URL' });
  assert.deepEqual(ended, { kind: 'media_waiting', isUploadEnded: true, status: 400 });
});

test('5xx, 408, 409, redirects and unheard-of answers leave it open', async () => {
  for (const kind of ['linkedin.500-before', 'linkedin.500-after', 'linkedin.html-502']) {
    await outside.fault(kind);
    const outcome = await post();
    assert.equal(outcome.kind, 'unknown', kind);
  }
  for (const status of [
    202, 204, 301, 302, 303, 307, 308, 402, 407, 408, 409, 410, 418, 425, 499, 500, 503, 504,
  ]) {
    const outcome = await plain(status, { Location: '/elsewhere' });
    assert.ok(outcome.kind === 'unknown', String(status));
    assert.equal(outcome.status, status);
  }
});

test('a cut connection and a missing answer leave it open', async () => {
  for (const kind of ['drop-before', 'drop-after', 'hang-before', 'hang-after']) {
    await outside.fault(`linkedin.${kind}`);
    const outcome = await post({ timeoutMs: 1_500 });
    assert.ok(outcome.kind === 'unknown', kind);
    assert.equal(outcome.status, null);
  }
});

test('each post is sent once, whatever happens', async () => {
  const { attempts } = await outside.ledger();
  const texts = attempts.map((attempt: { commentary: string }) => attempt.commentary);
  const twice = texts.filter((text: string, index: number) => texts.indexOf(text) !== index);
  assert.deepEqual(twice, ['Said once']);
});

test('an address where nobody listens means it was not sent', async () => {
  const outcome = await withEnv({ LINKEDIN_API_URL: await nobody() }, post);
  assert.equal(outcome.kind, 'not_sent');
});

test('every answer names what support finds the call by, and is told without a secret', async () => {
  const told: object[] = [];
  const listen = (answer: unknown) => void told.push(answer as object);
  const stop = watchLinkedIn(listen);
  const trace = { liUuid: 'AAY==', liRequestId: 'abc', liFabric: 'prod-lor1' };
  const headers = { 'x-li-uuid': 'AAY==', 'x-li-request-id': 'abc', 'x-li-fabric': 'prod-lor1' };
  for (const status of [201, 204, 400, 401, 426, 429, 500]) {
    const answer = (_: IncomingMessage, res: ServerResponse) => void res.writeHead(status, headers).end();
    const made = await answered(answer, create);
    assert.deepEqual('trace' in made && made.trace, trace, String(status));
  }
  stop();
  assert.equal(told.length, 7);
  const { ms, host, ...line } = told[0] as Record<string, unknown>;
  assert.deepEqual(line, { method: 'POST', path: '/rest/posts', status: 201, ...trace });
  assert.ok(Number(ms) >= 0 && String(host).startsWith('127.0.0.1'));
  assert.ok(!JSON.stringify(told).includes(accessToken));
});

test('a post is deleted under its encoded urn, and deleting it again is fine', async () => {
  const made = await post();
  assert.ok(made.kind === 'published');
  const remove = async (urn: string) => bare(await deletePost({ accessToken, version: '202608', urn }));
  assert.equal((await remove(made.urn!)).kind, 'deleted');
  const { posts } = await outside.ledger();
  assert.ok(!posts.some((each: { urn: string }) => each.urn === made.urn));
  assert.equal((await remove(made.urn!)).kind, 'deleted');
  assert.deepEqual(await remove('urn:li:share:1'), { kind: 'deleted', status: 404 });
  let path = '';
  await answered(
    (req, res) => {
      path = req.url!;
      res.writeHead(500).end();
    },
    () => remove('urn:li:x:(a,b)') as never,
  ).then((outcome) => assert.equal(outcome.kind, 'unknown'));
  assert.equal(path, '/rest/posts/urn%3Ali%3Ax%3A%28a%2Cb%29');
});
