import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resendReset, resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import { resendCode, startSignUp, verifySignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { codeFor, makeUser, signUpInput } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const invalidOtp = { status: 400, code: 'invalid_otp', message: 'Invalid or expired OTP' };
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

async function begin(input = signUpInput(), now = new Date()) {
  const { signUpId, isRepeated } = await startSignUp(db, input, now);
  return { ...input, signUpId, isRepeated, otp: await codeFor(db, input.email) };
}

/** A code that is not the given one; `nth` tells several apart. */
const wrong = (otp: string, nth = 1) => String((Number(otp) + nth) % 1_000_000).padStart(6, '0');

test('11 a code is dead after five wrong tries', async () => {
  const { email, otp } = await begin();
  for (let nth = 1; nth <= 5; nth += 1) {
    await assert.rejects(verifySignUp(db, { email, otp: wrong(otp, nth) }), invalidOtp);
  }
  await assert.rejects(verifySignUp(db, { email, otp }), invalidOtp);
});

test('11 the sign-ups of an address share five tries', async () => {
  const first = await begin();
  const second = await begin(signUpInput({ email: first.email }), later(61));
  for (let nth = 1; nth <= 5; nth += 1) {
    const guess = [...'0123456789']
      .map((d) => d.repeat(6))
      .filter((g) => g !== first.otp && g !== second.otp);
    await assert.rejects(verifySignUp(db, { email: first.email, otp: guess[nth]! }), invalidOtp);
  }
  await assert.rejects(verifySignUp(db, { email: first.email, otp: first.otp }), invalidOtp);
  await assert.rejects(verifySignUp(db, { email: first.email, otp: second.otp }), invalidOtp);
});

/** A thousand times another code is asked for and ten guesses are made, over a day. Answers how many were compared. */
async function guessesOfADay(
  ask: (now: Date) => Promise<unknown>,
  guess: (now: Date) => Promise<unknown>,
  tries: () => Promise<number>,
): Promise<number> {
  let compared = 0;
  for (let round = 1; round <= 1000; round += 1) {
    const now = later(round * 86);
    await ask(now).catch((error) => assert.equal(error.code, 'rate_limited'));
    for (let nth = 0; nth < 10; nth += 1) {
      const before = await tries();
      await assert.rejects(guess(now), invalidOtp);
      const counted = (await tries()) - before;
      compared += counted;
      // A code that is dead stays so until the next one.
      if (counted === 0) break;
    }
  }
  return compared;
}

test('11 over a day, asking for codes and guessing a thousand times compares 60 guesses at most: a sign-up', async () => {
  const { email, signUpId, otp } = await begin();
  const row = db.selectFrom('signUps').select(['attempts', 'codeHash']).where('id', '=', signUpId);
  const compared = await guessesOfADay(
    (now) => resendCode(db, { email, signUpId }, now),
    (now) => verifySignUp(db, { email, signUpId, otp: wrong(otp) }, now),
    async () => (await row.executeTakeFirstOrThrow()).attempts,
  );
  assert.ok(compared > 10 && compared <= 60, `${compared} compared`);
});

test('11 over a day, asking for codes and guessing a thousand times compares 60 guesses at most: a reset', async () => {
  const { email } = await makeUser(db);
  const { resetId } = await startReset(db, email);
  const otp = wrong(await codeFor(db, email, 'resetPassword'));
  const row = db.selectFrom('passwordResets').select('attempts').where('id', '=', resetId);
  const compared = await guessesOfADay(
    (now) => resendReset(db, { email, resetId }, now),
    (now) => resetPassword(db, { email, resetId, otp, newPassword: 'a new password entirely' }, now),
    async () => (await row.executeTakeFirstOrThrow()).attempts,
  );
  assert.ok(compared > 10 && compared <= 60, `${compared} compared`);
});
