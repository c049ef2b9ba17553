import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { transact } from '#app/db/client.ts';
import { resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { setRole } from '#app/domain/accounts/users.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { type EmittedEvent, emitEvent, inRequest, watchEvents } from '#app/domain/platform/events.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { aMinuteLater, codeFor, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, boxes, call } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb, type Web } from '#tests/harness/web.ts';

type Line = EmittedEvent & Record<string, unknown>;

const outside = await startOutside();
let database: TestDatabase;
let web: Web;

before(async () => {
  database = await testDatabase();
  web = await startWeb({ databaseUrl: database.url, env: { LOG_LEVEL: 'info' } });
});

const requests = (path: string) =>
  web
    .said()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((line) => line.msg === 'request' && line.path === path);

/** What the web process has logged as events while `act` ran. */
async function logged(act: () => Promise<unknown>): Promise<Line[]> {
  const from = web.said().length;
  await act();
  // Its own line comes after those of what happened in a request.
  while (!/"msg":"request(?: refused)?"/.test(web.said().slice(from))) await nextTurn();
  const lines = web.said().slice(from).split('\n');
  return lines.filter((line) => line.includes('"msg":"event"')).map((line) => JSON.parse(line));
}

const named = (lines: Line[], event: string) => {
  const found = lines.find((line) => line.event === event);
  assert.ok(found, `${event} among ${JSON.stringify(lines)}`);
  return found;
};

/** The event is there, with its time, its request, and whose it is. */
function whole(lines: Line[], event: string, about: Record<string, unknown>) {
  const line = named(lines, event);
  assert.ok(Math.abs(Number(line.time) - Date.now()) < 60_000, 'time');
  assert.match(String(line.requestId), /^[\da-f-]{36}$/);
  for (const [name, value] of Object.entries(about)) assert.equal(line[name], value, `${name} of ${event}`);
}

/** What is told in this process while `act` runs. */
async function told(act: () => Promise<unknown>): Promise<Line[]> {
  const lines: Line[] = [];
  const stop = watchEvents((event) => lines.push(event as Line));
  try {
    await inRequest('a-request', act);
  } finally {
    stop();
  }
  return lines;
}

test('59 a sign-up, its code, the sign-in and the sign-out are logged', async () => {
  const { db } = database;
  const browser = new Browser(web.url);
  const { email } = signUpInput();
  const begun = await logged(() =>
    browser.post('/signup', {
      name: 'Ada Marlow',
      email,
      timeZone: 'UTC',
      password: PASSWORD,
      confirmPassword: PASSWORD,
    }),
  );
  whole(begun, 'code_sent', { purpose: 'sign_up', userId: null });
  const code = await codeFor(db, email);
  const wrong = code === '000000' ? '000001' : '000000';
  whole(await logged(() => browser.post('/verify-otp', boxes(wrong))), 'sign_in_failed', { reason: 'code' });
  const done = await logged(() => browser.post('/verify-otp', boxes(code)));
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  whole(done, 'sign_up', { userId: id });
  whole(done, 'sign_in', { userId: id, door: 'web' });
  assert.equal(named(done, 'sign_in').requestId, requests('/verify-otp').at(-1)!.requestId);
  whole(await logged(() => browser.post('/logout')), 'session_ended', { userId: id, why: 'sign_out' });
  assert.ok(!web.said().includes(email), 'no address is logged');
  assert.ok(!web.said().includes(code), 'no code is logged');
});

test('59 a sign-in that fails is logged with the account that it was tried on', async () => {
  const { email, userId } = await makeUser(database.db);
  const failed = await logged(() =>
    call(web.url, 'POST', '/auth/login', { email, password: 'not this one' }),
  );
  whole(failed, 'sign_in_failed', { reason: 'credentials', userId });
  const unknown = { email: signUpInput().email, password: 'not this one' };
  const nobody = await logged(() => call(web.url, 'POST', '/auth/login', unknown));
  whole(nobody, 'sign_in_failed', { reason: 'credentials', userId: null });
});

test('59 what tokens are used for, and refused tokens, are logged', async () => {
  const actor = await makeUser(database.db);
  const token = await tokenOf(database.db, actor);
  const used = await logged(() => call(web.url, 'GET', '/auth/me', undefined, token));
  whole(used, 'token_used', { userId: actor.userId });
  assert.match(String(named(used, 'token_used').tokenId), /^[\da-f-]{36}$/);
  const refused = await logged(() => call(web.url, 'GET', '/auth/me', undefined, `${token}x`));
  whole(refused, 'access_denied', { what: 'token', userId: null });
  assert.ok(!web.said().includes(token), 'no token is logged');
});

test('59 what is refused for a role, and forms of other sites, are logged', async () => {
  const actor = await makeUser(database.db);
  const browser = await browserOf(database.db, actor, web.url);
  const { userId } = actor;
  whole(await logged(() => browser.get('/app/admin')), 'access_denied', { what: 'admin', userId });
  const token = await tokenOf(database.db, actor);
  const asked = await logged(() => call(web.url, 'GET', '/admin/pending-payments', undefined, token));
  whole(asked, 'access_denied', { what: 'admin', userId });
  const form = { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' } };
  const foreign = await logged(() => fetch(`${web.url}/theme`, form));
  whole(foreign, 'access_denied', { what: 'foreign_form', userId: null });
});

test('59 limits that are hit are logged', async () => {
  const { email } = await makeUser(database.db);
  const tries = async () => {
    for (let n = 0; n < 25; n += 1) await call(web.url, 'POST', '/auth/login', { email, password: 'no' });
  };
  whole(await logged(tries), 'limit_hit', { limit: 'sign-in.pair' });
});

test('59 an export is logged', async () => {
  const actor = await makeUser(database.db);
  const browser = await browserOf(database.db, actor, web.url);
  const { userId } = actor;
  whole(await logged(() => browser.read('/app/posts.csv')), 'export', { what: 'posts', userId });
});

test('59 a password that is reset and a role that changes are logged', async () => {
  const { db } = database;
  const { email, userId } = await makeUser(db);
  await aMinuteLater(db, email);
  const asked = await told(() => startReset(db, email));
  assert.equal(named(asked, 'code_sent').userId, userId);
  const otp = await codeFor(db, email, 'resetPassword');
  const lines = await told(() => resetPassword(db, { email, otp, newPassword: 'another horse battery' }));
  assert.deepEqual(named(lines, 'password_reset'), {
    event: 'password_reset',
    requestId: 'a-request',
    userId,
  });
  assert.equal(named(await told(() => setRole(db, email, 'admin')), 'role_changed').userId, userId);
});

test('59 what admins do is logged', async () => {
  const { db } = database;
  const admin = await makeUser(db, { isAdmin: true });
  const { userId } = admin;
  const one = await makePayment(db, await makeUser(db), 1);
  const other = await makePayment(db, await makeUser(db), 1);
  const lines = await told(async () => {
    await verifyPayment(db, admin, one.id);
    await rejectPayment(db, admin, { paymentId: other.id, reason: 'It did not arrive' });
  });
  const actions = lines.filter(({ event }) => event === 'admin_action');
  assert.deepEqual(
    actions.map((line) => [line.userId, line.action, line.subjectId]),
    [
      [userId, 'payment.verified', one.id],
      [userId, 'payment.rejected', other.id],
    ],
  );
});

test('59 what became of a post is logged', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const dueAt = new Date(Date.now() - 1_000);
  const postId = await makeScheduledPost(db, actor, { content: 'A plan that fits on a postcard.', dueAt });
  const line = named(await told(() => publishPost(db, postId)), 'publish_outcome');
  const { userId } = actor;
  assert.deepEqual([line.userId, line.postId, line.state], [userId, postId, 'published']);

  const other = await makeScheduledPost(db, actor, { content: 'Plans of a week fit on one page.', dueAt });
  await outside.fault('linkedin.422');
  const refused = named(await told(() => publishPost(db, other)), 'publish_outcome');
  assert.deepEqual([refused.userId, refused.postId, refused.state], [userId, other, 'refused']);
});

test('59 what a transaction told that was not committed is not logged', async () => {
  const { db } = database;
  const lines = await told(async () => {
    const failing = transact(db, async (trx) => {
      emitEvent('role_changed', { role: 'admin' }, trx);
      throw new Error('not this time');
    });
    await assert.rejects(failing);
    await transact(db, async (trx) => emitEvent('password_changed', {}, trx));
  });
  assert.deepEqual(
    lines.map(({ event }) => event),
    ['password_changed'],
  );
});

test('59 an event says which request it belongs to, and nothing else than what it names', async () => {
  const { email, userId } = await makeUser(database.db);
  const lines = await told(() => assert.rejects(checkLogin(database.db, { email, password: 'not it' })));
  assert.deepEqual(lines, [
    { event: 'sign_in_failed', requestId: 'a-request', userId, reason: 'credentials' },
  ]);
});

test('59 a form sent to a page that takes none is not logged as a failure of ours', async () => {
  const browser = await browserOf(database.db, await makeUser(database.db), web.url);
  const from = web.said().length;
  assert.equal((await browser.post('/app/support', {})).status, 405);
  while (!web.said().slice(from).includes('"msg":"request"')) await nextTurn();
  const said = web.said().slice(from);
  assert.match(said, /"reason":"Method Not Allowed".*"msg":"request refused"/);
  assert.doesNotMatch(said, /"level":50|request failed/);
});
