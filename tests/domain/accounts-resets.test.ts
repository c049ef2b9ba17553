import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanUp } from '#app/domain/accounts/clean-up.ts';
import { resendReset, resetPassword, startReset } from '#app/domain/accounts/resets.ts';
import { createSession, findSession } from '#app/domain/accounts/sessions.ts';
import { checkLogin } from '#app/domain/accounts/sign-in.ts';
import { startSignUp, verifySignUp } from '#app/domain/accounts/sign-ups.ts';
import { testDatabase } from '#tests/database.ts';
import { codeFor, mailsTo, makeUser, PASSWORD, signUpInput } from '#tests/make/accounts.ts';

const { db } = await testDatabase();
const invalidOtp = { status: 400, code: 'invalid_otp', message: 'Invalid or expired OTP' };
const NEW = 'a new password entirely';
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);
/** A code that is not the given one; `nth` tells several apart. */
const wrong = (otp: string, nth = 1) => String((Number(otp) + nth) % 1_000_000).padStart(6, '0');

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

test('10 a code is good for its address, its purpose, its browser and ten minutes', async () => {
  const mine = await begin();
  const other = await begin();
  await assert.rejects(resetPassword(db, { ...mine, otp: other.otp, email: mine.email }), invalidOtp);
  await assert.rejects(resetPassword(db, { ...mine, resetId: other.resetId }), invalidOtp);
  await assert.rejects(resetPassword(db, mine, later(601)), invalidOtp);

  const input = signUpInput();
  await startSignUp(db, input);
  const signUpCode = await codeFor(db, input.email);
  await assert.rejects(
    resetPassword(db, { email: input.email, otp: signUpCode, newPassword: NEW }),
    invalidOtp,
  );
  await assert.rejects(verifySignUp(db, { email: mine.email, otp: mine.otp }), invalidOtp);

  await resendReset(db, mine, later(61));
  const fresh = await codeFor(db, mine.email, 'resetPassword');
  if (fresh !== mine.otp) await assert.rejects(resetPassword(db, mine), invalidOtp);
  await resetPassword(db, { ...mine, otp: fresh }, later(600));
});

test('12 of 200 guesses at once five are compared; of 50 right codes one counts', async () => {
  const guessed = await begin();
  const guesses = Array.from({ length: 200 }, (_, nth) =>
    resetPassword(db, { ...guessed, otp: wrong(guessed.otp, nth + 1) }),
  );
  const answers = await Promise.allSettled(guesses);
  assert.ok(answers.every(({ status }) => status === 'rejected'));
  const { tries } = await db
    .selectFrom('passwordResets')
    .select('tries')
    .where('id', '=', guessed.resetId)
    .executeTakeFirstOrThrow();
  assert.equal(tries, 5);
  await assert.rejects(resetPassword(db, guessed), invalidOtp);

  const right = await begin();
  const all = await Promise.allSettled(Array.from({ length: 50 }, () => resetPassword(db, right)));
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal((await mailsTo(db, right.email, 'passwordChanged')).length, 1);
});

test('14 an address without an account is answered alike, and mailed nothing', async () => {
  const { email } = signUpInput();
  const { email: known } = await makeUser(db);
  const [one, two] = [await startReset(db, email), await startReset(db, known)];
  assert.deepEqual(Object.keys(one), Object.keys(two));
  assert.deepEqual(await mailsTo(db, email, 'resetPassword'), []);
  for (const reset of [one, two]) {
    const otp = reset === two ? wrong(await codeFor(db, known, 'resetPassword')) : '123456';
    await assert.rejects(resetPassword(db, { ...reset, otp, newPassword: NEW }), invalidOtp);
    assert.equal(await resendReset(db, reset, later(61)), undefined);
    await assert.rejects(resendReset(db, reset, later(62)), { status: 429 });
  }
});

test('a reset that another browser began ends with the one that was completed', async () => {
  const user = await makeUser(db);
  const first = await begin(user.email);
  const second = await begin(user.email, later(61));
  await resetPassword(db, second);
  await assert.rejects(resetPassword(db, first), invalidOtp);
});

test('a code mailed to an address that the account has no more sets nothing', async () => {
  const user = await makeUser(db);
  const reset = await begin(user.email);
  const moved = { email: `moved-${user.email}` };
  await db.updateTable('users').set(moved).where('id', '=', user.userId).execute();
  await assert.rejects(resetPassword(db, reset), invalidOtp);
  assert.ok(await isPasswordOf(moved.email, PASSWORD));
});

test('one of the most common passwords is refused beside its field, and the code stays good', async () => {
  const reset = await begin();
  await assert.rejects(resetPassword(db, { ...reset, newPassword: 'Password1' }), {
    status: 422,
    field: 'newPassword',
  });
  await resetPassword(db, reset);
});

test('resets are forgotten after a day', async () => {
  const { resetId } = await begin();
  const find = () => db.selectFrom('passwordResets').select('id').where('id', '=', resetId).execute();
  await cleanUp(db, later(86_000));
  assert.equal((await find()).length, 1);
  await cleanUp(db, later(86_500));
  assert.equal((await find()).length, 0);
});
