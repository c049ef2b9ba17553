import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { before, test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { head, speak } from '#tests/harness/http/raw.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';
import { until } from '#tests/harness/worker/until.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const TRACK = '/api/v1/visits/track';
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

let database: TestDatabase;
let web: Web;
before(async () => {
  database = await testDatabase();
  web = await startWeb({ databaseUrl: database.url, env: { TRUST_PROXY: 'x-forwarded-for' } });
});

let nth = 0;
type Sent = { headers?: Record<string, string>; body?: string; to?: string; at?: Web; method?: string };

/** As a page sends it, each from an address of its own. */
async function track(visit: object, { headers, body, to = TRACK, at = web, method = 'POST' }: Sent = {}) {
  nth += 1;
  const from = { 'X-Forwarded-For': `10.9.${nth >> 8}.${nth & 255}`, 'User-Agent': CHROME };
  const all = { 'Content-Type': 'application/json', Origin: at.url, ...from, ...headers };
  const answer = await fetch(at.url + to, { method, headers: all, body: body ?? JSON.stringify(visit) });
  return { status: answer.status, headers: answer.headers, said: await answer.json() };
}

const visit = (sessionId: string, more: object = {}) => ({
  pathname: '/login',
  sessionId,
  screenWidth: 1280,
  screenHeight: 720,
  language: 'en-GB',
  isReturningVisitor: true,
  ...more,
});

const stored = async (sessionId: string) =>
  (await database.db.selectFrom('visits').selectAll().where('sessionId', '=', sessionId).execute()).length;

/** What comes after it is stored, so what came before it was looked at. */
async function seen(...sessions: string[]): Promise<number[]> {
  const last = `last-${crypto.randomUUID()}`;
  await track(visit(last));
  await until('the last visit is stored', async () => (await stored(last)) === 1);
  return Promise.all(sessions.map(stored));
}

test('a visit is taken and soon stored, with what the browser says of itself', async () => {
  const { status, said, headers } = await track(visit('whole', { isReturningVisitor: undefined }));
  assert.deepEqual([status, said], [201, { success: true }]);
  assert.equal(headers.get('Cache-Control'), 'no-store');
  assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
  assert.match(headers.get('X-Request-Id')!, ID);
  const row = await until('it is stored', () =>
    database.db.selectFrom('visits').selectAll().where('sessionId', '=', 'whole').executeTakeFirst(),
  );
  const { id, visitedAt, address, ...rest } = row;
  assert.match(address!, /^10\.9\.0\.\d+$/);
  assert.deepEqual(rest, {
    sessionId: 'whole',
    isWhole: true,
    isReturning: false,
    page: '/login',
    country: '',
    city: '',
    device: 'Desktop',
    browser: 'Chrome',
    system: 'Windows',
    language: 'en-GB',
    screenWidth: 1280,
    screenHeight: 720,
  });
});

test('a page of every kind is known by its path', async () => {
  const pages = [
    '/',
    '/privacy',
    '/app/posts/0b8c/versions',
    '/app/admin/ledgers/7',
    '/app/nothing',
    '/api/v1/topics',
  ];
  for (const pathname of pages) await track(visit('kinds', { pathname }));
  await seen();
  const rows = await database.db
    .selectFrom('visits')
    .select('page')
    .where('sessionId', '=', 'kinds')
    .execute();
  const names = ['/', '/app/admin/ledgers/:id', '/app/posts/:id/versions', '/privacy', 'other', 'other'];
  assert.deepEqual(rows.map(({ page }) => page).sort(), names);
});

test('who asks for privacy, and what is a robot, is answered alike and not kept', async () => {
  const left: [string, Record<string, string>][] = [
    ['dnt', { DNT: '1' }],
    ['gpc', { 'Sec-GPC': '1' }],
    ['robot', { 'User-Agent': 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)' }],
  ];
  for (const [name, headers] of left) assert.equal((await track(visit(name), { headers })).status, 201);
  assert.equal((await track(visit('follows'), { headers: { DNT: '0' } })).status, 201);
  assert.deepEqual(await seen('dnt', 'gpc', 'robot', 'follows'), [0, 0, 0, 1]);
});

test('only pages of ours tell of visits, and what is no browser may', async () => {
  const foreign: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ];
  for (const headers of foreign) {
    for (const to of [TRACK, `${TRACK}/`]) {
      const { status, said, headers: answered } = await track(visit('foreign'), { headers, to });
      assert.deepEqual([status, said.code], [403, 'forbidden'], JSON.stringify(headers));
      assert.match(answered.get('X-Request-Id')!, ID);
      assert.equal(answered.get('Access-Control-Allow-Origin'), null);
    }
  }
  const asked = await fetch(web.url + TRACK, {
    method: 'OPTIONS',
    headers: { Origin: 'https://evil.example' },
  });
  assert.deepEqual([asked.status, asked.headers.get('Allow')], [204, 'POST']);
  assert.equal(asked.headers.get('Access-Control-Allow-Origin'), null);
  assert.equal((await track(visit('same'), { headers: { 'Sec-Fetch-Site': 'same-origin' } })).status, 201);
  assert.equal((await track(visit('same'), { to: `${TRACK}/` })).status, 201);
  assert.deepEqual(await seen('foreign', 'same'), [0, 2]);
});

test('what is no visit is refused the same way whichever way it takes, and is no error of ours', async () => {
  const from = web.said().length;
  const refused: [status: number, code: string, body: string, type?: string][] = [
    [400, 'malformed', '{"pathname": '],
    [400, 'malformed', '\0'],
    [422, 'invalid', 'null'],
    [422, 'invalid', '[]'],
    [422, 'invalid', '{}'],
    [422, 'invalid', JSON.stringify(visit('x', { pathname: 'javascript:alert(1)' }))],
    [422, 'invalid', JSON.stringify(visit('x', { pathname: `/${'a'.repeat(5_000)}` }))],
    [422, 'invalid', JSON.stringify(visit('x'.repeat(500)))],
    [422, 'invalid', `{"pathname":"/","sessionId":"a","screenWidth":1e999}`],
    [422, 'invalid', JSON.stringify(visit('x', { pathname: `/${'a'.repeat(20_000)}` }))],
    [413, 'too_large', JSON.stringify(visit('x', { pathname: `/${'a'.repeat(70_000)}` }))],
    [415, 'unsupported_media_type', JSON.stringify(visit('x')), 'text/plain;charset=UTF-8'],
    [415, 'unsupported_media_type', 'pathname=/', 'application/x-www-form-urlencoded'],
  ];
  for (const [status, code, body, type = 'application/json'] of refused) {
    const answers = [];
    for (const to of [TRACK, `${TRACK}/`]) {
      const answer = await track({}, { body, to, headers: { 'Content-Type': type } });
      assert.deepEqual([answer.status, answer.said.code], [status, code], `${to} ${body.slice(0, 60)}`);
      assert.equal(typeof answer.said.message, 'string');
      assert.match(answer.headers.get('X-Request-Id')!, ID);
      assert.equal(answer.headers.get('Cache-Control'), 'no-store');
      assert.match(answer.headers.get('Content-Type')!, /^application\/json\b/);
      answers.push(answer.said);
    }
    assert.deepEqual(answers[0], answers[1]);
    if (code === 'invalid') assert.equal(typeof answers[0].fields, 'object');
  }
  const { said } = await track({ pathname: 'login', sessionId: 'x', screenWidth: -1 });
  assert.deepEqual(said, {
    message: 'A path begins with /',
    code: 'invalid',
    fields: { pathname: ['A path begins with /'], screenWidth: ['This has to be at least 0'] },
  });
  for (const method of ['PUT', 'DELETE', 'PATCH']) assert.equal((await track({}, { method })).status, 405);
  assert.equal((await fetch(web.url + TRACK)).status, 405);
  assert.doesNotMatch(web.said().slice(from), /"level":[56]0/);
});

test('a body that does not come, or is cut off, holds nothing and is no visit', async () => {
  const whole = JSON.stringify(visit('cut-off'));
  const headers = ['Content-Type: application/json', `User-Agent: ${CHROME}`];
  const [line, { hostname, port }] = [`POST ${TRACK}`, new URL(web.url)];
  const begun = connect(Number(port), hostname);
  begun.write(head(line, [...headers, `Content-Length: ${whole.length}`]) + whole.slice(0, -10));
  const chunked = head(line, [...headers, 'Transfer-Encoding: chunked']);
  const sent = `${chunked}${whole.length.toString(16)}\r\n${whole}\r\n0\r\n\r\n`;
  assert.match(await speak(web.url, [sent]), /^HTTP\/1\.1 201 /);
  begun.destroy();
  assert.deepEqual(await seen('cut-off'), [1]);
});

test('one address may tell of so many at once', async () => {
  const headers = { 'X-Forwarded-For': '192.0.2.7' };
  const all = await Promise.all(Array.from({ length: 100 }, () => track(visit('flood'), { headers })));
  const refused = all.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0);
  assert.equal(refused[0]!.headers.get('Retry-After'), '1');
  assert.equal(refused[0]!.said.code, 'rate_limited');
  assert.match(refused[0]!.headers.get('X-Request-Id')!, ID);
  const [kept] = await seen('flood');
  assert.equal(kept, 100 - refused.length);
  assert.equal((await fetch(`${web.url}/login`)).status, 200);
});

test('admins read it, and nobody else', async () => {
  const admin = await tokenOf(database.db, await makeUser(database.db, { isAdmin: true }));
  const user = await tokenOf(database.db, await makeUser(database.db));
  const read = async (what: string, token: string) => {
    const answer = await fetch(`${web.url}/api/v1/visits/${what}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return { status: answer.status, said: await answer.json() };
  };
  for (const what of ['summary', 'analytics']) assert.equal((await read(what, user)).status, 403);
  await track(visit('read'));
  await seen();
  const { summary } = (await read('summary', admin)).said;
  assert.deepEqual(Object.keys(summary), ['allTime', 'today', 'thisWeek', 'thisMonth']);
  assert.ok(summary.today.totalVisits > 0 && summary.today.uniqueVisitors <= summary.today.totalVisits);
  const { analytics } = (await read('analytics', admin)).said;
  assert.ok(analytics.recentVisits.length <= 15 && analytics.recentVisits.length > 0);
  assert.ok(analytics.frequentVisitors.length <= 10);
});

test('every page bears the script that tells of it, which its policy names, and no call does', async () => {
  const browser = await browserOf(database.db, await makeUser(database.db), web.url);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  for (const path of ['/', '/privacy', '/login', '/signup', '/app/topics', '/app/none-of-ours']) {
    const answer = await fetch(web.url + path, {
      headers: { Cookie: path.startsWith('/app') ? cookie : '' },
    });
    const html = await answer.text();
    const scripts = [...html.matchAll(/<script>([^<]*)<\/script>/g)].map(([, text]) => text!);
    assert.equal(scripts.length, 1, path);
    const hash = createHash('sha256').update(scripts[0]!).digest('base64');
    assert.ok(answer.headers.get('Content-Security-Policy')!.includes(`'sha256-${hash}'`), path);
    assert.ok(scripts[0]!.length < 1_000, `${scripts[0]!.length} characters`);
  }
});

test('a process that is asked to end writes down what it was told', async () => {
  const other = await startWeb({ databaseUrl: database.url });
  const told = await Promise.all(Array.from({ length: 15 }, () => track(visit('at-the-end'), { at: other })));
  assert.ok(told.every(({ status }) => status === 201));
  assert.equal(await other.end('SIGTERM'), 0);
  assert.equal(await stored('at-the-end'), 15);
});

test('of a day no more are kept than the operator says, the log says how many were let go, and pages come', async () => {
  const { db, url } = await testDatabase();
  const other = await startWeb({ databaseUrl: url, env: { VISITS_A_DAY: '3', LOG_LEVEL: 'warn' } });
  const told = [];
  for (let n = 0; n < 6; n += 1) told.push(await track(visit('day'), { at: other }));
  assert.deepEqual(
    told.map(({ status }) => status),
    [201, 201, 201, 429, 429, 429],
  );
  const wait = Number(told[5]!.headers.get('Retry-After'));
  assert.ok(wait >= 1 && wait <= 86_400);
  assert.equal((await fetch(`${other.url}/login`)).status, 200);
  assert.equal(await other.end('SIGTERM'), 0);
  const { length } = await db.selectFrom('visits').select('id').execute();
  assert.equal(length, 3);
  assert.match(other.said(), /"dropped":3,"counted":"all.day: 3","msg":"visits were let go"/);
});
