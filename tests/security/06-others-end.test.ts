import assert from 'node:assert/strict';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { SESSIONS_MAX } from '#app/domain/accounts/limits.ts';
import { linkIdentity } from '#app/domain/accounts/oauth/identities.ts';
import { hashPassword } from '#app/domain/accounts/password/password.ts';
import { resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { endSessionsFor } from '#app/domain/accounts/sign-in/session-list.ts';
import { createSession, endSessionsOf, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { findLinkUser, linkSigner } from '#app/domain/accounts/signed-links.ts';
import { addPasskey, beginPasskey } from '#app/domain/accounts/two-step/register-passkey.ts';
import { beginTotp, findAppToSetUp } from '#app/domain/accounts/two-step/totp.ts';
import { setUpAuthenticatorApp } from '#app/domain/accounts/two-step/two-step.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { codeFor, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { TestPasskey } from '#tests/fixtures/passkeys.ts';
import { browserOf, inSession, tokenOf } from '#tests/fixtures/sessions.ts';
import { appCode, makeApp } from '#tests/fixtures/two-step.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, boxes, call, wordsOf } from '#tests/harness/http/browser.ts';
import { head, parseHead } from '#tests/harness/http/raw.ts';
import { startWeb } from '#tests/harness/web.ts';
import { until } from '#tests/harness/worker/until.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

/** Somebody in two browsers, a program that signed in, and one with a token. */
async function signedIn() {
  const { db } = database;
  const user = await makeUser(db);
  const [here, there] = [await browserOf(db, user, url), await browserOf(db, user, url)];
  const program = await tokenOf(db, user);
  const { secret } = await createToken(db, await inSession(db, user), { name: 'CI', scope: 'write' });
  const isIn = async (browser: typeof here) => (await browser.get('/app/account/security')).status === 200;
  const isKnown = async (token: string) =>
    (await call(url, 'GET', '/auth/me', undefined, token)).status === 200;
  const alive = async () => ({
    here: await isIn(here),
    there: await isIn(there),
    program: await isKnown(program),
    token: await isKnown(secret),
  });
  assert.deepEqual(await alive(), { here: true, there: true, program: true, token: true });
  return { user, here, there, alive };
}

const NONE = { here: false, there: false, program: false, token: false };

test('6 a reset password ends every session and token', async () => {
  const { db } = database;
  const { user, alive } = await signedIn();
  await startReset(db, user.email);
  const otp = await codeFor(db, user.email, 'resetPassword');
  await resetPassword(db, { email: user.email, otp, newPassword: 'a new password entirely' });
  assert.deepEqual(await alive(), NONE);
});

test('6 what changes an account where it is signed in ends all others', async () => {
  const { db } = database;
  const { user, here, alive } = await signedIn();
  const token = JSON.parse(
    Buffer.from(decodeURIComponent(here.cookies.get('tidepost')!), 'base64').toString(),
  );
  const { sessionId } = (await findSession(db, token, 'web'))!;
  await endSessionsOf(db, user.userId, 'password', { sessionId });
  assert.deepEqual(await alive(), { ...NONE, here: true });
});

test('6 somebody sees where they are signed in, ends one, and all others at once', async () => {
  const { db } = database;
  const { user, here, alive } = await signedIn();
  const third = await browserOf(db, user, url);
  const page = await here.read('/app/account/security');
  assert.equal(page.match(/This browser/g)?.length, 1);
  assert.equal(page.match(/\/app\/account\/sessions\/[\w-]+\/end"/g)?.length, 2);
  const [end] = [...page.matchAll(/"(\/app\/account\/sessions\/[\w-]{36}\/end)"/g)].map(([, path]) => path!);
  const stranger = await browserOf(db, await makeUser(db), url);
  await stranger.post(end!);
  assert.match(wordsOf(await stranger.read('/app/account/security')), /This session was not found/);
  assert.deepEqual(await alive(), { here: true, there: true, program: true, token: true });

  const ended = await here.post(end!);
  assert.equal(ended.headers.get('Location'), '/app/account/security#sessions');
  assert.match(wordsOf(await here.read('/app/account/security')), /Signed out there/);
  const left = [await alive().then(({ there }) => there), (await third.get('/app/topics')).status === 200];
  assert.deepEqual(left.sort(), [false, true]);

  await here.post('/app/account/sessions/end-others');
  assert.deepEqual(await alive(), { ...NONE, here: true, token: true });
  assert.equal((await third.get('/app/topics')).status, 302);
});

test('6 an admin ends all that somebody has, and the log says so', async () => {
  const { db } = database;
  const admin = await makeUser(db, { isAdmin: true });
  const { user, alive } = await signedIn();
  await endSessionsFor(db, admin, user.userId);
  assert.deepEqual(await alive(), NONE);
  const entry = await db
    .selectFrom('auditLog')
    .select(['action', 'adminId'])
    .where('subjectId', '=', user.userId)
    .executeTakeFirstOrThrow();
  assert.deepEqual(entry, { action: 'sessions.ended', adminId: admin.userId });
});

/** A form or call with this session whose end is still on its way, though who sends it is known already. */
async function hold(user: Actor, path: string, headers: string[], body: string) {
  const { db } = database;
  const { host, hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  const said = text(socket);
  const longAgo = new Date(Date.now() - 3_600_000);
  await db.updateTable('sessions').set({ lastSeenAt: longAgo }).where('userId', '=', user.userId).execute();
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  socket.write(head(`POST ${path}`, [length, ...headers], host) + body.slice(0, 5));
  await until('the session was looked up', async () => {
    const seen = db.selectFrom('sessions').select('id').where('userId', '=', user.userId);
    return (await seen.where('lastSeenAt', '>', longAgo).execute()).length > 0;
  });
  return async () => {
    socket.write(body.slice(5));
    return parseHead(await said);
  };
}

test('6 what was on its way with a session that has ended changes nothing', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const browser = await browserOf(db, user, url);
  const cookie = `Cookie: tidepost=${browser.cookies.get('tidepost')}`;
  const asForm = [`Origin: ${url}`, 'Content-Type: application/x-www-form-urlencoded', cookie];
  const asCall = ['Content-Type: application/json', `Authorization: Bearer ${await tokenOf(db, user)}`];
  const ends = [
    await hold(user, '/app/account/tokens', asForm, 'name=CI&scope=write'),
    await hold(user, '/app/account?form=name', asForm, 'name=Somebody+else'),
    await hold(user, '/api/v1/account/tokens', asCall, '{"name":"CI","scope":"write"}'),
  ];
  await endSessionsOf(db, user.userId, 'reset');
  for (const end of ends) assert.equal((await end()).status, 401);
  assert.deepEqual(await db.selectFrom('sessions').where('userId', '=', user.userId).execute(), []);
  const { name } = await findUser(db, user.userId);
  assert.equal(name, user.name);
});

/** Whether somebody waits for a row that somebody else has locked. */
async function someoneWaits(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(database.db);
  return rows.length > 0;
}

/** Another password is chosen while somebody who knows the old one is signing in. */
async function changedMeanwhile<T>(userId: string, signingIn: () => Promise<T>): Promise<T> {
  const passwordHash = await hashPassword('a new password entirely');
  const begun = await database.db.transaction().execute(async (trx) => {
    await trx.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
    await endSessionsOf(trx, userId, 'reset');
    let isOver = false;
    const answer = signingIn().finally(() => {
      isOver = true;
    });
    await until('the sign-in has come as far as it can', async () => isOver || (await someoneWaits()));
    return { answer };
  });
  return begun.answer;
}

test('6 who is signing in with the old password while it is changed is not signed in', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const browser = new Browser(url);
  const { email } = user;
  await changedMeanwhile(user.userId, () => browser.post('/login', { email, password: PASSWORD }));
  assert.equal((await browser.get('/app/account/security')).status, 302);

  const other = await makeUser(db);
  const asked = { email: other.email, password: PASSWORD };
  const answer = await changedMeanwhile(other.userId, () => call(url, 'POST', '/auth/login', asked));
  assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_credentials']);
  for (const { userId } of [user, other]) {
    assert.deepEqual(await db.selectFrom('sessions').where('userId', '=', userId).execute(), []);
  }
});

test('6 who makes the second step while the password is changed is not signed in', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const { codeAt } = await makeApp(db, user);
  const browser = new Browser(url);
  await browser.post('/login', { email: user.email, password: PASSWORD });
  await changedMeanwhile(user.userId, () => browser.post('/login/second-step', boxes(codeAt(new Date()))));
  assert.equal((await browser.get('/app/account/security')).status, 302);
});

test('6 the first step with the old password leads to no second one', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const login = await checkLogin(db, { email: user.email, password: PASSWORD });
  assert.ok(login.isVerified);
  await startReset(db, user.email);
  const otp = await codeFor(db, user.email, 'resetPassword');
  await resetPassword(db, { email: user.email, otp, newPassword: 'a new password entirely' });
  const sign = await linkSigner(db, user.userId, login.passwordHash);
  assert.equal(await findLinkUser(db, user.userId, 'second step', sign('second step')), undefined);
});

test('6 an account is signed in to so many times, and what was used longest ago ends', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const { secret } = await createToken(db, await inSession(db, user), { name: 'CI', scope: 'read' });
  await db.deleteFrom('sessions').where('userId', '=', user.userId).where('name', 'is', null).execute();
  const before = new Date(Date.now() - 3_600_000);
  for (const kind of ['web', 'api'] as const) {
    const first = await createSession(db, user.userId, kind, '', before);
    const rest = Array.from({ length: SESSIONS_MAX - 1 }, () => createSession(db, user.userId, kind, ''));
    await Promise.all(rest);
    assert.ok(await findSession(db, first.token, kind, before));
    const last = await createSession(db, user.userId, kind, '');
    assert.ok(await findSession(db, last.token, kind));
    assert.equal(await findSession(db, first.token, kind, before), undefined);
  }
  assert.ok(await findSession(db, secret, 'api'), 'a token with a name stays');
});

test('6 no way in is added with a session that ends at this moment', async () => {
  const { db } = database;
  const user = await makeUser(db);
  const rp = { id: 'tidepost.example', origin: 'https://tidepost.example' };
  const { options, challengeId } = await beginPasskey(db, user, rp);
  const response = new TestPasskey(rp.origin).make(options);
  await beginTotp(db, user);
  const { groups } = (await findAppToSetUp(db, user))!;
  const google = { provider: 'google', subject: user.userId, isEmailVerified: true } as const;
  const ways: ((me: Awaited<ReturnType<typeof inSession>>) => Promise<unknown>)[] = [
    (me) => createToken(db, me, { name: 'CI', scope: 'write' }),
    (me) => addPasskey(db, me, { name: 'Key', challengeId, response }, rp),
    (me) => setUpAuthenticatorApp(db, me, appCode(groups, new Date())),
    (me) => linkIdentity(db, me, { ...google, email: null, name: '' }),
  ];
  for (const add of ways) {
    const me = await inSession(db, user);
    const added = await changedMeanwhile(user.userId, () => Promise.allSettled([add(me)]));
    assert.equal((added[0] as PromiseRejectedResult).reason?.code, 'unauthenticated', String(add));
  }
});
