import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resendReset, resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import { resendCode, startSignUp, verifySignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { randomCode } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';
import { codeFor, makeUser, signUpInput } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const invalidOtp = { status: 400, code: 'invalid_otp', message: 'Invalid or expired OTP' };
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

async function begin(input = signUpInput(), now = new Date()) {
  const { signUpId, isRepeated } = await startSignUp(db, input, now);
  return { ...input, signUpId, isRepeated, otp: await codeFor(db, input.email) };
}

const NEW = 'a new password entirely';

/** A reset of a new account, with the code that was mailed for it. */
async function beginReset(email?: string, now = new Date()) {
  const address = email ?? (await makeUser(db)).email;
  const { resetId } = await startReset(db, address, now);
  return { email: address, resetId, otp: await codeFor(db, address, 'resetPassword'), newPassword: NEW };
}

/** A code that is not the given one; `nth` tells several apart. */
const wrong = (otp: string, nth = 1) => String((Number(otp) + nth) % 1_000_000).padStart(6, '0');

test('10 codes are six digits, and any of the million', () => {
  const codes = Array.from({ length: 20_000 }, randomCode);
  for (const code of codes) assert.match(code, /^\d{6}$/);
  // Of so many out of a million about 19,800 differ, and each digit stands in each place about 2,000 times.
  assert.ok(new Set(codes).size > 19_600, `${new Set(codes).size} differ`);
  for (let place = 0; place < 6; place += 1) {
    for (const [digit, { length }] of Map.groupBy(codes, (code) => code[place])) {
      assert.ok(length > 1_700 && length < 2_300, `${digit} in place ${place}: ${length}`);
    }
  }
});

test('10 the code of a sign-up is good for ten minutes', async () => {
  const { email, otp } = await begin();
  await assert.rejects(verifySignUp(db, { email, otp }, later(601)), invalidOtp);
  await verifySignUp(db, { email, otp }, later(590));
});

test('10 the code of a sign-up works once', async () => {
  const { email, otp } = await begin();
  await verifySignUp(db, { email, otp });
  await assert.rejects(verifySignUp(db, { email, otp }), invalidOtp);
});

test('10 the code of another address completes no sign-up', async () => {
  const [one, two] = [await begin(), await begin()];
  await assert.rejects(verifySignUp(db, { email: one.email, otp: two.otp }), invalidOtp);
});

test('10 the code of a sign-up is good in the browser that asked for it alone', async () => {
  const [mine, theirs] = [await begin(), await begin()];
  const { email } = mine;
  const second = await begin(signUpInput({ email }), later(61));
  const inOther = (signUpId: string) => verifySignUp(db, { email, otp: mine.otp, signUpId }, later(62));
  if (second.otp !== mine.otp) await assert.rejects(inOther(second.signUpId), invalidOtp);
  await assert.rejects(inOther(theirs.signUpId), invalidOtp);
  await inOther(mine.signUpId);
});

test('10 what is kept of a code is of its row: moved to another it opens nothing', async () => {
  const [signUp, other, reset] = [await begin(), await begin(), await beginReset()];
  const { codeHash } = await db
    .selectFrom('signUps')
    .select('codeHash')
    .where('id', '=', signUp.signUpId)
    .executeTakeFirstOrThrow();
  await db.updateTable('signUps').set({ codeHash }).where('id', '=', other.signUpId).execute();
  await db.updateTable('passwordResets').set({ codeHash }).where('id', '=', reset.resetId).execute();
  await assert.rejects(verifySignUp(db, { email: other.email, otp: signUp.otp }), invalidOtp);
  await assert.rejects(resetPassword(db, { ...reset, otp: signUp.otp }), invalidOtp);
  await verifySignUp(db, signUp);
});

test('10 a new code voids the old one and has five tries of its own', async () => {
  const { email, otp } = await begin();
  for (let nth = 1; nth <= 5; nth += 1) {
    await assert.rejects(verifySignUp(db, { email, otp: wrong(otp, nth) }), invalidOtp);
  }
  await resendCode(db, { email }, later(61));
  const fresh = await codeFor(db, email);
  if (fresh !== otp) await assert.rejects(verifySignUp(db, { email, otp }), invalidOtp);
  await verifySignUp(db, { email, otp: fresh }, later(120));
});

test('10 the code of a reset is good for its address, its purpose, its browser and ten minutes', async () => {
  const mine = await beginReset();
  const other = await beginReset();
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

test('10 a code outlives a change of keys, and dies with its key', async () => {
  const keys = env().SECRET_KEYS;
  const own = [...keys];
  const newer = { id: 'newer', key: Buffer.alloc(32, 7) };
  const set = (...next: typeof own) => keys.splice(0, keys.length, ...next);
  try {
    const [signUp, reset, lost] = [await begin(), await beginReset(), await begin()];
    set(newer, ...own);
    await verifySignUp(db, signUp);
    await resetPassword(db, reset);
    const fresh = await begin();
    set(newer);
    await assert.rejects(verifySignUp(db, lost), invalidOtp);
    await verifySignUp(db, fresh);
  } finally {
    set(...own);
  }
});
