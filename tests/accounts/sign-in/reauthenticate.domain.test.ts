import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanUp } from '#app/domain/accounts/cleanup.ts';
import { resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import {
  findNextReauthCodeAt,
  findReauthMethod,
  reauthenticate,
  sendReauthCode,
} from '#app/domain/accounts/reauthenticate.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { codeFor, mailsTo, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const invalidOtp = { status: 400, code: 'invalid_otp', field: 'otp' };
const wrongPassword = { status: 403, code: 'wrong_password', field: 'password' };
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const wrong = (otp: string, nth = 1) => String((Number(otp) + nth) % 1_000_000).padStart(6, '0');

/** Somebody who signs in with a provider only. */
async function makeWithoutPassword() {
  const user = await makeUser(db);
  await db.updateTable('users').set({ passwordHash: null }).where('id', '=', user.userId).execute();
  return user;
}

test('the password proves the owner, and nothing else does', async () => {
  const owner = await makeUser(db);
  assert.equal(await findReauthMethod(db, owner), 'password');
  await reauthenticate(db, owner, { password: PASSWORD });
  await assert.rejects(reauthenticate(db, owner, { password: 'something else' }), wrongPassword);
  await assert.rejects(reauthenticate(db, owner, {}), { status: 422, field: 'password' });
  await assert.rejects(reauthenticate(db, owner, { otp: '123456' }), { status: 422, field: 'password' });
  await assert.rejects(sendReauthCode(db, owner), { status: 409, code: 'has_password' });
  assert.deepEqual(await mailsTo(db, owner.email, 'proveOwner'), []);
});

test('of 200 wrong passwords at once ten are compared, then a quarter of an hour passes; signing in goes on', async () => {
  const owner = await makeUser(db);
  const tries = Array.from({ length: 200 }, () => reauthenticate(db, owner, { password: 'a guess' }));
  const codes = (await Promise.allSettled(tries)).map((answer) =>
    answer.status === 'rejected' ? answer.reason.code : 'right',
  );
  const count = (code: string) => codes.filter((each) => each === code).length;
  assert.deepEqual([count('wrong_password'), count('rate_limited')], [10, 190]);
  await assert.rejects(reauthenticate(db, owner, { password: PASSWORD }), { status: 429, field: 'password' });
  assert.ok((await checkLogin(db, { email: owner.email, password: PASSWORD })).isVerified);
  await reauthenticate(db, owner, { password: PASSWORD }, later(16));
  for (let nth = 0; nth < 9; nth++) {
    await assert.rejects(reauthenticate(db, owner, { password: 'a guess' }, later(17)), wrongPassword);
  }
  await reauthenticate(db, owner, { password: PASSWORD }, later(17));
  await assert.rejects(reauthenticate(db, owner, { password: 'a guess' }, later(17)), wrongPassword);
});

test('who has no password is mailed a code, which is good once, for ten minutes, for this account and this', async () => {
  const owner = await makeWithoutPassword();
  const other = await makeWithoutPassword();
  assert.equal(await findReauthMethod(db, owner), 'code');
  await assert.rejects(reauthenticate(db, owner, { password: PASSWORD }), { status: 422, field: 'otp' });
  await assert.rejects(reauthenticate(db, owner, { password: '', otp: '' }), { status: 422, field: 'otp' });
  await assert.rejects(reauthenticate(db, owner, { otp: '123456' }), invalidOtp, 'before any was mailed');
  await sendReauthCode(db, owner);
  await sendReauthCode(db, other);
  const otp = await codeFor(db, owner.email, 'proveOwner');
  await assert.rejects(reauthenticate(db, other, { otp }), invalidOtp);
  await assert.rejects(reauthenticate(db, owner, { otp: wrong(otp) }), invalidOtp);
  await assert.rejects(reauthenticate(db, owner, { otp }, later(10.1)), invalidOtp);
  const all = await Promise.allSettled(Array.from({ length: 3 }, () => reauthenticate(db, owner, { otp })));
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  await assert.rejects(reauthenticate(db, owner, { otp }), invalidOtp);

  await startReset(db, owner.email, later(2));
  const resetCode = await codeFor(db, owner.email, 'resetPassword');
  await assert.rejects(reauthenticate(db, owner, { otp: resetCode }, later(2)), invalidOtp);
  await sendReauthCode(db, other, later(2));
  const proof = await codeFor(db, other.email, 'proveOwner');
  const reset = { email: other.email, otp: proof, newPassword: 'a new password entirely' };
  await assert.rejects(resetPassword(db, reset, later(2)), { code: 'invalid_otp' });
});

test('five codes are compared, a new one voids the one before, and the address is sent as few as by other forms', async () => {
  const owner = await makeWithoutPassword();
  await sendReauthCode(db, owner);
  const otp = await codeFor(db, owner.email, 'proveOwner');
  await assert.rejects(sendReauthCode(db, owner), { status: 429, code: 'rate_limited' });
  await assert.rejects(startReset(db, owner.email, new Date(), { isKnown: true }), { status: 429 });
  assert.ok((await findNextReauthCodeAt(db, owner))! > new Date());
  const guesses = Array.from({ length: 50 }, (_, nth) =>
    reauthenticate(db, owner, { otp: wrong(otp, nth + 1) }),
  );
  await Promise.allSettled(guesses);
  await assert.rejects(reauthenticate(db, owner, { otp }), invalidOtp);
  assert.equal(await findNextReauthCodeAt(db, owner, later(2)), null);
  await sendReauthCode(db, owner, later(2));
  const fresh = await codeFor(db, owner.email, 'proveOwner');
  if (fresh !== otp) await assert.rejects(reauthenticate(db, owner, { otp }, later(2)), invalidOtp);
  await reauthenticate(db, owner, { otp: fresh }, later(2));
});

test('what was counted is forgotten after a day', async () => {
  const owner = await makeUser(db);
  await reauthenticate(db, owner, { password: PASSWORD });
  const find = () =>
    db.selectFrom('reauthAttempts').select('userId').where('userId', '=', owner.userId).execute();
  await cleanUp(db, later(23 * 60));
  assert.equal((await find()).length, 1);
  await cleanUp(db, later(25 * 60));
  assert.equal((await find()).length, 0);
});
