import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { codeFor, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { call } from '#tests/harness/http/browser.ts';
import { API_PATHS, filled, PUBLIC } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

/** What begins something though it is a GET, and what gives away everything at once: mails, sign-ins and networks, too. */
/** An address of a program is often a secret by itself. */
const MORE_THAN_READING = ['/linkedin/connect', '/account/export', '/webhooks', '/webhooks/:id/deliveries'];
const CI = { name: 'CI', scope: 'read' };

test('a program makes tokens, lists them and revokes them', async () => {
  const { db } = database;
  const token = await tokenOf(db, await makeUser(db));
  const as = (method: string, path: string, body?: object) => call(url, method, path, body, token);
  const made = await as('POST', '/account/tokens', { ...CI, days: 30 });
  assert.equal(made.status, 201);
  const { secret, token: shown } = made.body;
  assert.deepEqual([shown.name, shown.scope, shown.lastUsedAt, shown.current], ['CI', 'read', null, false]);
  assert.equal((await call(url, 'GET', '/topics', undefined, secret)).status, 200);
  const { tokens } = (await as('GET', '/account/tokens')).body;
  assert.deepEqual(
    tokens.map((each: typeof shown) => [each.name, each.current, each.lastUsedAt !== null]),
    [
      ['CI', false, true],
      [null, true, false],
    ],
  );
  assert.ok(!JSON.stringify(tokens).includes(secret));
  assert.deepEqual((await as('DELETE', `/account/tokens/${shown._id}`)).body, { message: 'Token revoked' });
  assert.equal((await call(url, 'GET', '/topics', undefined, secret)).status, 401);
});

test('a token says what is wrong with what it was asked for', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const token = await tokenOf(db, user);
  for (const [body, field] of [
    [{ ...CI, name: '' }, 'name'],
    [{ ...CI, name: 'x'.repeat(61) }, 'name'],
    [{ ...CI, scope: 'admin' }, 'scope'],
    [{ name: 'CI' }, 'scope'],
    [{ ...CI, days: 0 }, 'days'],
    [{ ...CI, days: 366 }, 'days'],
    [{ ...CI, days: 1.5 }, 'days'],
    [{ ...CI, days: 'soon' }, 'days'],
  ] as const) {
    const { status, body: said } = await call(url, 'POST', '/account/tokens', body, token);
    assert.deepEqual([status, said.code, Object.keys(said.fields)], [422, 'invalid', [field]]);
  }
  assert.equal((await call(url, 'GET', '/account/tokens', undefined, token)).body.tokens.length, 1);
});

test('a token with a name makes no other before its owner has entered the password for it', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const lasting = { name: 'Backup', scope: 'write' };
  const { secret } = (await call(url, 'POST', '/account/tokens', lasting, await tokenOf(db, user))).body;
  const refused = await call(url, 'POST', '/account/tokens', lasting, secret);
  assert.deepEqual([refused.status, refused.body.code], [403, 'confirm_required']);
  assert.match(refused.body.message, /POST \/api\/v1\/account\/confirm takes \{"password"\}/);
  const nothing = await call(url, 'POST', '/account/confirm', {}, secret);
  assert.deepEqual([nothing.status, Object.keys(nothing.body.fields)], [422, ['password']]);
  const wrong = await call(url, 'POST', '/account/confirm', { password: 'not the password' }, secret);
  assert.deepEqual([wrong.status, wrong.body.code], [403, 'wrong_password']);
  const confirmed = await call(url, 'POST', '/account/confirm', { password: PASSWORD }, secret);
  assert.deepEqual([confirmed.status, confirmed.body], [200, { message: 'Confirmed' }]);
  assert.equal((await call(url, 'POST', '/account/tokens', lasting, secret)).status, 201);
});

test('who has no password confirms with a code, which strangers who ask for codes do not keep away', async () => {
  const { db } = database;
  const user = await makeUser(db);
  await db.updateTable('users').set({ passwordHash: null }).where('id', '=', user.userId).execute();
  const lasting = { name: 'Backup', scope: 'write' };
  const { secret } = (await call(url, 'POST', '/account/tokens', lasting, await tokenOf(db, user))).body;
  const refused = await call(url, 'POST', '/account/tokens', lasting, secret);
  assert.match(refused.body.message, /\{"otp"\}, as POST \/api\/v1\/account\/confirm\/code mails it/);
  assert.equal((await call(url, 'POST', '/auth/forgot-password', { email: user.email })).status, 200);
  assert.equal((await call(url, 'POST', '/account/confirm/code', {}, secret)).status, 200);
  const otp = await codeFor(db, user.email, 'proveOwner');
  assert.equal((await call(url, 'POST', '/account/confirm', { otp }, secret)).status, 200);
  assert.equal((await call(url, 'POST', '/account/tokens', lasting, secret)).status, 201);
});

test('a token that may only read changes nothing, begins nothing and makes no other', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const topic = await makeTopic(db, user);
  const { secret } = (await call(url, 'POST', '/account/tokens', CI, await tokenOf(db, user))).body;
  const rows = async () => JSON.stringify(await db.selectFrom('topics').selectAll().execute());
  const before = await rows();
  for (const path of API_PATHS.filter((each) => !PUBLIC.includes(each))) {
    const answer = await fetch(`${url}/api/v1${filled(path)}`, { method: 'PATCH' });
    await answer.arrayBuffer();
    for (const method of answer.headers.get('Allow')!.split(', ')) {
      if (method === 'HEAD') continue;
      const address = filled(path, { id: topic.id });
      const { status, body } = await call(url, method, address, method === 'GET' ? undefined : {}, secret);
      if (method !== 'GET' || MORE_THAN_READING.includes(path)) {
        assert.deepEqual([method, path, status, body.code], [method, path, 403, 'insufficient_scope']);
      } else assert.notEqual(body.code, 'insufficient_scope', path);
    }
  }
  assert.equal(await rows(), before);
});

test('who made a token on its page sees it once, and after a while is asked for the password first', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const browser = await browserOf(db, user, url);
  const page = '/app/account/tokens';
  const made = await browser.post(page, { name: 'Zapier', scope: 'write', days: '' });
  assert.match(made.headers.get('Cache-Control')!, /no-store/);
  const secret = /tp_[\w-]{43}/.exec(await made.text())?.[0];
  assert.ok(secret);
  assert.equal((await call(url, 'POST', '/topics', { name: 'Planning' }, secret)).status, 201);
  const shown = await browser.read(page);
  assert.ok(shown.includes('Zapier') && !shown.includes(secret));
  const refused = await browser.post(page, { name: '', scope: 'write', days: '' });
  assert.equal(refused.status, 422);
  const reauthenticatedAt = new Date(Date.now() - 16 * 60_000);
  await db.updateTable('sessions').set({ reauthenticatedAt }).where('userId', '=', user.userId).execute();
  const asked = await browser.post(page, { name: 'Another', scope: 'read', days: '30' });
  assert.equal(asked.headers.get('Location'), '/app/confirm');
  assert.ok(!(await browser.read(page)).includes('Another'));
});
