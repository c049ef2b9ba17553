import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { cleanUp } from '#app/domain/accounts/cleanup.ts';
import {
  confirmEmailChange,
  deleteEmailChange,
  findEmailChange,
  resendEmailChange,
  startEmailChange,
} from '#app/domain/accounts/lifecycle/change-email.ts';
import { countCode, MAX_ATTEMPTS } from '#app/domain/accounts/one-time-codes.ts';
import { changePassword } from '#app/domain/accounts/password/change.ts';
import { resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import { sendReauthCode } from '#app/domain/accounts/reauthenticate.ts';
import { createSession, findSession, type SignedIn } from '#app/domain/accounts/sign-in/sessions.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { startSignUp, verifySignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { aMinuteLater, codeFor, mailsTo, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { until } from '#tests/harness/worker/until.ts';

const { db } = await testDatabase();
const invalidOtp = { status: 400, code: 'invalid_otp', message: 'Invalid or expired OTP' };
const wrong = (otp: string, nth = 1) => String((Number(otp) + nth) % 1_000_000).padStart(6, '0');
const newAddress = () => `${crypto.randomUUID()}@example.com`;
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);

type Browser = SignedIn & { token: string };

async function signIn(userId: string): Promise<Browser> {
  const { token } = await createSession(db, userId, 'web', 'a browser');
  const { sessionId } = (await findSession(db, token, 'web'))!;
  return { userId, sessionId, token };
}

async function somebody() {
  const user = await makeUser(db);
  return { user, browser: await signIn(user.userId) };
}

/** Begins a change to a new address, and answers it with its code. */
async function begin(browser: Browser, email = newAddress()) {
  await startEmailChange(db, browser, { email, password: PASSWORD });
  return { email, otp: await codeFor(db, email, 'confirmNewEmail') };
}

const emailOf = async (userId: string) =>
  (await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()).email;

const isSignedIn = async (token: string, kind: 'web' | 'api' = 'web') =>
  (await findSession(db, token, kind)) !== undefined;

test('18 another address needs the password, then the code that was mailed to it, and the old one is told of both', async () => {
  const { user, browser } = await somebody();
  const email = newAddress();
  const start = (password?: string) => startEmailChange(db, browser, { email, password });
  await assert.rejects(start('not the password'), { code: 'wrong_password', field: 'password' });
  await assert.rejects(start(), { status: 422, field: 'password' });
  assert.equal(await findEmailChange(db, browser), undefined);
  assert.deepEqual(await mailsTo(db, email, 'confirmNewEmail'), []);
  assert.deepEqual(await mailsTo(db, user.email, 'emailChangeBegun'), []);

  await start(PASSWORD);
  assert.equal((await findEmailChange(db, browser))?.newEmail, email);
  assert.equal((await mailsTo(db, user.email, 'emailChangeBegun'))[0]?.newEmail, email);
  assert.equal(await emailOf(user.userId), user.email);
  const otp = await codeFor(db, email, 'confirmNewEmail');
  await assert.rejects(confirmEmailChange(db, browser, wrong(otp)), invalidOtp);
  assert.equal(await emailOf(user.userId), user.email);

  assert.deepEqual(await confirmEmailChange(db, browser, otp), { email });
  assert.equal(await emailOf(user.userId), email);
  assert.equal((await mailsTo(db, user.email, 'emailChanged'))[0]?.newEmail, email);
  assert.ok((await checkLogin(db, { email, password: PASSWORD })).isVerified);
  await assert.rejects(checkLogin(db, { email: user.email, password: PASSWORD }), { status: 401 });
  await assert.rejects(confirmEmailChange(db, browser, otp), invalidOtp, 'the code works once');
});

test('18 to ask for another code while the change begins anew fails neither', async () => {
  const user = await makeUser(db);
  const browser = await signIn(user.userId);
  const email = newAddress();
  await startEmailChange(db, browser, { email, password: PASSWORD });
  await aMinuteLater(db, email);
  const { again } = await db.transaction().execute(async (trx) => {
    await lockUser(trx, user.userId);
    await countCode(trx, email, new Date());
    const again = resendEmailChange(db, browser).catch((error) => error);
    await until('the other one waits', async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(db);
      return rows.length > 0;
    });
    await deleteEmailChange(trx, user.userId);
    return { again };
  });
  assert.equal((await again).code, 'not_found');
});

test('18 who has no password proves themselves with a code that is mailed to the old address', async () => {
  const { user, browser } = await somebody();
  await db.updateTable('users').set({ passwordHash: null }).where('id', '=', user.userId).execute();
  const email = newAddress();
  await assert.rejects(startEmailChange(db, browser, { email, password: PASSWORD }), { field: 'otp' });
  await sendReauthCode(db, user);
  const otp = await codeFor(db, user.email, 'proveOwner');
  await assert.rejects(startEmailChange(db, browser, { email, otp: wrong(otp) }), invalidOtp);
  await startEmailChange(db, browser, { email, otp });
  await assert.rejects(
    confirmEmailChange(db, browser, otp),
    invalidOtp,
    'the code of the old address is none of the new one',
  );
  await confirmEmailChange(db, browser, await codeFor(db, email, 'confirmNewEmail'));
  assert.equal(await emailOf(user.userId), email);
});

test('6 18 with the new address every other browser and program is signed out, and this one stays', async () => {
  const { user, browser } = await somebody();
  const other = await signIn(user.userId);
  const { token: program } = await createSession(db, user.userId, 'api', 'a program');
  const stranger = await somebody();
  const { otp } = await begin(browser);
  assert.ok((await isSignedIn(other.token)) && (await isSignedIn(program, 'api')));
  await confirmEmailChange(db, browser, otp);
  const left = await Promise.all([
    isSignedIn(browser.token),
    isSignedIn(other.token),
    isSignedIn(program, 'api'),
    isSignedIn(stranger.browser.token),
  ]);
  assert.deepEqual(left, [true, false, false, true]);
});

test('6 18 with a new password every other browser and program is signed out, and a waiting change is over', async () => {
  const { user, browser } = await somebody();
  const other = await signIn(user.userId);
  const { token: program } = await createSession(db, user.userId, 'api', 'a program');
  const { otp } = await begin(browser);
  const { resetId } = await startReset(db, user.email);
  const resetCode = await codeFor(db, user.email, 'resetPassword');
  const newPassword = 'quite another password';
  const change = (given: object) => changePassword(db, browser, { newPassword, ...given });
  await assert.rejects(change({ password: 'not the password' }), { field: 'password' });
  await assert.rejects(change({ password: PASSWORD, newPassword: 'password1' }), { field: 'newPassword' });
  assert.ok(await isSignedIn(other.token));
  await change({ password: PASSWORD });
  assert.ok((await checkLogin(db, { email: user.email, password: newPassword })).isVerified);
  await assert.rejects(checkLogin(db, { email: user.email, password: PASSWORD }), { status: 401 });
  const left = [isSignedIn(browser.token), isSignedIn(other.token), isSignedIn(program, 'api')];
  assert.deepEqual(await Promise.all(left), [true, false, false]);
  await assert.rejects(confirmEmailChange(db, browser, otp), invalidOtp);
  const reset = { email: user.email, resetId, otp: resetCode, newPassword: 'the one of a thief' };
  await assert.rejects(resetPassword(db, reset), invalidOtp);
  assert.equal((await mailsTo(db, user.email, 'passwordChanged')).length, 1);
});

test('18 21d a change that a thief began is over once the owner chooses a new password by mail', async () => {
  const { user, browser: thief } = await somebody();
  const { otp } = await begin(thief);
  const { resetId, email } = await startReset(db, user.email);
  const reset = { email, resetId, otp: await codeFor(db, email, 'resetPassword') };
  await resetPassword(db, { ...reset, newPassword: 'only the owner knows it' });
  await assert.rejects(confirmEmailChange(db, thief, otp), invalidOtp);
  assert.equal(await emailOf(user.userId), user.email);
  const owner = await signIn(user.userId);
  assert.equal(await findEmailChange(db, owner), undefined);
  await assert.rejects(confirmEmailChange(db, owner, otp), invalidOtp);
});

test('18 a change is over when its session ends, when a newer one begins, and after a day', async () => {
  const { user, browser } = await somebody();
  const other = await signIn(user.userId);
  const first = await begin(browser);
  await assert.rejects(confirmEmailChange(db, other, first.otp), invalidOtp, 'of another browser');
  const second = await begin(other);
  await assert.rejects(confirmEmailChange(db, browser, first.otp), invalidOtp);
  await assert.rejects(confirmEmailChange(db, other, first.otp), invalidOtp);
  await db.deleteFrom('sessions').where('id', '=', other.sessionId).execute();
  await assert.rejects(confirmEmailChange(db, other, second.otp), invalidOtp);
  const third = await begin(browser);
  await assert.rejects(confirmEmailChange(db, browser, third.otp, later(11)), invalidOtp);
  assert.equal(await findEmailChange(db, browser, later(24 * 60 + 1)), undefined);
  await cleanUp(db, later(24 * 60 + 1));
  assert.deepEqual(await db.selectFrom('emailChanges').select('newEmail').execute(), []);
  assert.equal(await emailOf(user.userId), user.email);
});

test('18 an address that is somebody’s is answered like any other, and no code opens it', async () => {
  const { user, browser } = await somebody();
  const owner = await makeUser(db);
  await startEmailChange(db, browser, { email: owner.email, password: PASSWORD });
  const waits = await findEmailChange(db, browser);
  assert.equal(waits?.newEmail, owner.email);
  assert.ok(waits?.nextCodeAt, 'counted like any other');
  assert.deepEqual(await mailsTo(db, owner.email, 'confirmNewEmail'), []);
  assert.equal((await mailsTo(db, owner.email, 'accountExists')).length, 1);
  await assert.rejects(confirmEmailChange(db, browser, '000000'), invalidOtp);
  await assert.rejects(resendEmailChange(db, browser), { code: 'rate_limited' });
  await aMinuteLater(db, owner.email);
  await resendEmailChange(db, browser);
  assert.deepEqual(await mailsTo(db, owner.email, 'confirmNewEmail'), []);
  assert.equal((await mailsTo(db, owner.email, 'accountExists')).length, 1, 'told once an hour');
  const own = startEmailChange(db, browser, { email: user.email, password: PASSWORD });
  await assert.rejects(own, { status: 422, field: 'email' });
});

test('18 an address that became somebody’s meanwhile stays theirs, and sign-ups of a taken one are over', async () => {
  const { user, browser } = await somebody();
  const { email, otp } = await begin(browser);
  await makeUser(db, { email });
  await assert.rejects(confirmEmailChange(db, browser, otp), invalidOtp);
  assert.equal(await emailOf(user.userId), user.email);

  const free = newAddress();
  const { signUpId } = await startSignUp(db, signUpInput({ email: free }));
  const signUpCode = await codeFor(db, free);
  await aMinuteLater(db, free);
  const next = await begin(browser, free);
  await assert.rejects(confirmEmailChange(db, browser, signUpCode), invalidOtp, 'the code of a sign-up');
  await confirmEmailChange(db, browser, next.otp);
  await assert.rejects(verifySignUp(db, { email: free, signUpId, otp: signUpCode }), invalidOtp);
});

test('18 11 of 200 guesses at once five are compared, a new code voids the old one, and codes are limited by address', async () => {
  const { user, browser } = await somebody();
  const { email, otp } = await begin(browser);
  const guesses = Array.from({ length: 200 }, (_, nth) =>
    confirmEmailChange(db, browser, nth === 100 ? otp : wrong(otp, nth + 1)).then(
      () => true,
      () => false,
    ),
  );
  await Promise.all(guesses);
  const { attempts } = await db
    .selectFrom('emailChanges')
    .select('attempts')
    .where('userId', '=', user.userId)
    .executeTakeFirstOrThrow();
  assert.equal(attempts, MAX_ATTEMPTS);
  assert.equal(await emailOf(user.userId), user.email);
  await assert.rejects(confirmEmailChange(db, browser, otp), invalidOtp, 'the sixth right code');
  await assert.rejects(resendEmailChange(db, browser), { code: 'rate_limited' });
  await aMinuteLater(db, email);
  await resendEmailChange(db, browser);
  const fresh = await codeFor(db, email, 'confirmNewEmail');
  if (fresh !== otp) await assert.rejects(confirmEmailChange(db, browser, otp), invalidOtp);
  await confirmEmailChange(db, browser, fresh);
  assert.equal(await emailOf(user.userId), email);
});
