import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanUp } from '#app/domain/accounts/cleanup.ts';
import { resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { codeFor, mailsTo, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { makeConnection } from '#tests/fixtures/linkedin.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const invalidOtp = { status: 400, code: 'invalid_otp', message: 'Invalid or expired OTP' };
const NEW = 'a new password entirely';
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

async function begin(email?: string, now = new Date()) {
  const address = email ?? (await makeUser(db)).email;
  const { resetId } = await startReset(db, address, now);
  return { email: address, resetId, otp: await codeFor(db, address, 'resetPassword'), newPassword: NEW };
}

const isPasswordOf = (email: string, password: string) =>
  checkLogin(db, { email, password }).then(
    () => true,
    () => false,
  );

test('the mailed code sets a new password, ends every session, and the owner is told', async () => {
  const user = await makeUser(db);
  const other = await makeUser(db);
  const sessions = await Promise.all([
    createSession(db, user.userId, 'web', ''),
    createSession(db, user.userId, 'api', ''),
    createSession(db, other.userId, 'web', ''),
  ]);
  const reset = await begin(user.email);
  await resetPassword(db, reset);
  assert.ok(await isPasswordOf(user.email, NEW));
  assert.ok(!(await isPasswordOf(user.email, PASSWORD)));
  const found = await Promise.all([
    findSession(db, sessions[0].token, 'web'),
    findSession(db, sessions[1].token, 'api'),
    findSession(db, sessions[2].token, 'web'),
  ]);
  assert.deepEqual(found.map(Boolean), [false, false, true]);
  assert.equal((await mailsTo(db, user.email, 'passwordChanged')).length, 1);
  await assert.rejects(resetPassword(db, reset), invalidOtp, 'the code works once');
  assert.ok(await isPasswordOf(other.email, PASSWORD));
});

test('who is told of another password is told what signs in without it, and where is published', async () => {
  const user = await makeUser(db);
  const { userId, email } = user;
  await db
    .insertInto('identities')
    .values({ userId, provider: 'google', subject: '1', email, isEmailVerified: true })
    .execute();
  await makeConnection(db, user, { name: 'Ada M.' });
  await db
    .insertInto('passkeys')
    .values({ userId, name: 'Laptop', credentialId: 'a', publicKey: 'b', counter: 0 })
    .execute();
  await resetPassword(db, await begin(user.email));
  const [mail] = await mailsTo(db, user.email, 'passwordChanged');
  assert.deepEqual(mail!.others!.waysIn, [
    ['Google', email],
    ['Passkey', 'Laptop'],
  ]);
  assert.equal(mail!.publishes!.as, 'Ada M.');
  assert.equal(mail!.unlinked, undefined);
  const alone = await makeUser(db);
  await resetPassword(db, await begin(alone.email));
  assert.equal((await mailsTo(db, alone.email, 'passwordChanged'))[0]!.others, undefined);
});

test('a reset that another browser began ends with the one that was completed', async () => {
  const user = await makeUser(db);
  const first = await begin(user.email);
  const second = await begin(user.email, later(61));
  await resetPassword(db, second);
  await assert.rejects(resetPassword(db, first), invalidOtp);
});

test('resets are forgotten after a day', async () => {
  const { resetId } = await begin();
  const find = () => db.selectFrom('passwordResets').select('id').where('id', '=', resetId).execute();
  await cleanUp(db, later(86_000));
  assert.equal((await find()).length, 1);
  await cleanUp(db, later(86_500));
  assert.equal((await find()).length, 0);
});
