import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url, env: { TRUST_PROXY: 'x-forwarded-for' } }));
});

type Call = { token?: string; from: string; method?: string; path?: string };

async function ask({ token, from, method = 'PUT', path = '/topics/nowhere/toggle' }: Call) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'X-Forwarded-For': from, ...(token && { Authorization: `Bearer ${token}` }) },
  });
  const { code = '' } = (await response.json()) as { code?: string };
  return { status: response.status, code, wait: Number(response.headers.get('Retry-After')) };
}

/** How many of so many calls, some at once, come before the first that is refused for their number. */
async function allowed(count: number, call: (nth: number) => Call): Promise<number> {
  let passed = 0;
  for (let nth = 0; nth < count; nth += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, more) => ask(call(nth + more))));
    passed += answers.filter(({ status }) => status !== 429).length;
  }
  return passed;
}

const address = (nth: number) => `10.${nth >> 16}.${(nth >> 8) & 255}.${nth & 255}`;

test('a token has its calls of a minute, for reading and for writing, from wherever it calls', async () => {
  const actor = await makeUser(database.db);
  const [token, other] = [await tokenOf(database.db, actor), await tokenOf(database.db, actor)];
  assert.equal(await allowed(340, (nth) => ({ token, from: address(nth) })), 300);
  const refused = await ask({ token, from: '192.0.2.1' });
  assert.deepEqual([refused.status, refused.code], [429, 'rate_limited']);
  assert.ok(refused.wait >= 1 && refused.wait <= 60, String(refused.wait));
  assert.equal((await ask({ token, from: '192.0.2.1', method: 'GET', path: '/topics' })).status, 200);
  assert.equal((await ask({ token: other, from: '192.0.2.1' })).status, 404);
  const read = { token: other, method: 'GET', path: '/auth/me' };
  assert.equal(await allowed(1_240, (nth) => ({ ...read, from: address(nth) })), 1_200);
});

test('an address has its calls of a minute, whichever tokens it has, and before any is looked at', async () => {
  const tokens = await Promise.all(
    [1, 2, 3].map(async () => tokenOf(database.db, await makeUser(database.db))),
  );
  const calls = (nth: number) => ({ token: tokens[nth % 3]!, from: '198.51.100.7' });
  assert.equal(await allowed(640, calls), 600);
  assert.equal((await ask({ token: 'of nobody', from: '198.51.100.7' })).status, 429);
  assert.equal((await ask({ token: tokens[0]!, from: '198.51.100.8' })).status, 404);
});

test('the visits that pages record are counted apart from the calls of their address', async () => {
  const from = '198.51.100.20';
  const visit = (nth: number) =>
    fetch(`${url}/api/v1/visits/track`, {
      method: 'POST',
      headers: { 'X-Forwarded-For': from, 'Content-Type': 'application/json', Origin: url },
      body: JSON.stringify({ pathname: '/', sessionId: `visit-${nth}` }),
    }).then(({ status }) => status);
  for (let nth = 0; nth < 620; nth += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, more) => visit(nth + more)));
  }
  const token = await tokenOf(database.db, await makeUser(database.db));
  assert.equal((await ask({ token, from })).status, 404);
  const invalid = () => ({ from: '198.51.100.21', method: 'POST', path: '/visits/track' });
  assert.equal(await allowed(3_040, invalid), 3_000);
});
