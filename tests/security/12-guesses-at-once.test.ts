import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import { startSignUp, verifySignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { codeFor, mailsTo, makeUser, signUpInput } from '#tests/fixtures/accounts.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, boxes } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const database: TestDatabase = await testDatabase();
const { db } = database;
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

const usersWith = (email: string) => db.selectFrom('users').selectAll().where('email', '=', email).execute();
const attemptsOf = (email: string) =>
  db.selectFrom('signUps').selectAll().where('email', '=', email).execute();

test('12 of 200 guesses at once at most five are compared with the code of a sign-up', async () => {
  const { email, otp } = await begin();
  const guesses = Array.from({ length: 200 }, (_, nth) =>
    verifySignUp(db, { email, otp: wrong(otp, nth + 1) }),
  );
  const results = await Promise.allSettled(guesses);
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 0);
  assert.equal((await attemptsOf(email))[0]?.attempts, 5);
  await assert.rejects(verifySignUp(db, { email, otp }), invalidOtp);
});

test('12 a code that comes 50 times at once makes one user', async () => {
  const { email, otp } = await begin();
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => verifySignUp(db, { email, otp })),
  );
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const result of results) {
    if (result.status === 'rejected') assert.equal(result.reason.code, 'invalid_otp');
  }
  assert.equal((await usersWith(email)).length, 1);
});

test('12 a code of each of two sign-ups at once makes one user', async () => {
  const race = async () => {
    const first = await begin();
    const second = await begin(signUpInput({ email: first.email }), later(61));
    const codes = [first, second, first, second];
    const results = await Promise.allSettled(codes.map((one) => verifySignUp(db, one)));
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    assert.deepEqual(refusals, ['invalid_otp', 'invalid_otp', 'invalid_otp']);
    assert.equal((await usersWith(first.email)).length, 1);
  };
  await Promise.all(Array.from({ length: 20 }, race));
});

test('12 of 200 guesses at once five are compared; of 50 right codes one counts', async () => {
  const guessed = await beginReset();
  const guesses = Array.from({ length: 200 }, (_, nth) =>
    resetPassword(db, { ...guessed, otp: wrong(guessed.otp, nth + 1) }),
  );
  const answers = await Promise.allSettled(guesses);
  assert.ok(answers.every(({ status }) => status === 'rejected'));
  const { attempts } = await db
    .selectFrom('passwordResets')
    .select('attempts')
    .where('id', '=', guessed.resetId)
    .executeTakeFirstOrThrow();
  assert.equal(attempts, 5);
  await assert.rejects(resetPassword(db, guessed), invalidOtp);

  const right = await beginReset();
  const all = await Promise.allSettled(Array.from({ length: 50 }, () => resetPassword(db, right)));
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal((await mailsTo(db, right.email, 'passwordChanged')).length, 1);
});

test('12 the right code sent 50 times at once by a browser signs in once', async () => {
  const { url } = await startWeb({ databaseUrl: database.url });
  const browser = new Browser(url);
  const { email, name, password } = signUpInput();
  await browser.post('/signup', { name, email, password, confirmPassword: password });
  const otp = boxes(await codeFor(db, email));
  const cookies = new Map(browser.cookies);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => {
      const tab = new Browser(url);
      for (const [cookie, value] of cookies) tab.cookies.set(cookie, value);
      return tab.post('/verify-otp', otp);
    }),
  );
  assert.equal(answers.filter(({ status }) => status === 302).length, 1);
  const [user] = await usersWith(email);
  const sessions = db.selectFrom('sessions').select('id').where('userId', '=', user!.id);
  assert.equal((await sessions.execute()).length, 1);
});
