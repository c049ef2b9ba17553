import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Db } from '#app/db/client.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import {
  findResendAt,
  resendCode,
  startSignUp,
  verifySignUp,
} from '#app/domain/accounts/sign-up/sign-ups.ts';
import { codeFor, mailsTo, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

let db: Db;
before(async () => {
  ({ db } = await testDatabase());
});

const invalidOtp = { status: 400, code: 'invalid_otp', message: 'Invalid or expired OTP' };
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

async function begin(input = signUpInput(), now = new Date()) {
  const { signUpId, isRepeated } = await startSignUp(db, input, now);
  return { ...input, signUpId, isRepeated, otp: await codeFor(db, input.email) };
}

const usersWith = (email: string) => db.selectFrom('users').selectAll().where('email', '=', email).execute();
const attemptsOf = (email: string) =>
  db.selectFrom('signUps').selectAll().where('email', '=', email).execute();

describe('a sign-up', () => {
  test('makes the account only with its code, with its name, password and time zone', async () => {
    const { email, otp } = await begin(signUpInput({ name: 'Grace Pell', timeZone: 'Asia/Tokyo' }));
    assert.deepEqual(await usersWith(email), []);
    const { userId } = await verifySignUp(db, { email, otp });
    const [user] = await usersWith(email);
    assert.equal(user?.id, userId);
    assert.equal(user?.name, 'Grace Pell');
    assert.equal(user?.timeZone, 'Asia/Tokyo');
    assert.equal(user?.role, 'user');
    assert.deepEqual(await attemptsOf(email), []);
    const login = await checkLogin(db, { email, password: PASSWORD });
    const { passwordHash } = user!;
    assert.deepEqual(login, { isVerified: true, userId, isAdmin: false, passwordHash });
  });

  test('mails an address that nobody has proven no word that a stranger chose', async () => {
    const { email } = await begin(signUpInput({ name: 'Win a prize at evil.example' }));
    const mails = await mailsTo(db, email, 'verifyEmail');
    assert.equal(mails.length, 1);
    assert.doesNotMatch(JSON.stringify(mails), /prize|evil/);
  });

  test('makes the account that other tests begin with', async () => {
    const input = signUpInput({ name: 'Grace Pell', timeZone: 'Asia/Tokyo' });
    const { email, otp } = await begin(input);
    await verifySignUp(db, { email, otp });
    const actor = await makeUser(db, { name: 'Grace Pell', timeZone: 'Asia/Tokyo' });
    const { token } = await createSession(db, actor.userId, 'web', 'a browser');
    assert.deepEqual((await findSession(db, token, 'web'))?.actor, actor);
    const own = { id: '', email: '', createdAt: 0, verifiedAt: 0 };
    const [signedUp, made] = await Promise.all([usersWith(email), usersWith(actor.email)]);
    const costs = (hash: string | null) => hash!.split('$').slice(0, 4);
    const common = ([user]: typeof made) => ({ ...user, ...own, passwordHash: costs(user!.passwordHash) });
    assert.deepEqual(common(made), common(signedUp));
    const login = await checkLogin(db, { email: actor.email, password: PASSWORD });
    const { passwordHash } = made[0]!;
    assert.deepEqual(login, { isVerified: true, userId: actor.userId, isAdmin: false, passwordHash });
  });

  test('keeps neither the code nor the password in the clear, in any column', async () => {
    const { email, otp } = await begin();
    const rows = [
      ...(await attemptsOf(email)),
      ...(await db.selectFrom('mails').selectAll().where('toAddress', '=', email).execute()),
    ];
    assert.equal(rows.length, 2);
    const stored = JSON.stringify(rows);
    assert.ok(!stored.includes(otp) && !stored.includes(PASSWORD));
    assert.match(
      rows[0] && 'passwordHash' in rows[0] ? rows[0].passwordHash : '',
      /^\$argon2id\$v=19\$m=32768,t=8,p=1\$/,
    );
  });

  test('that is repeated gets an attempt and a code of its own', async () => {
    const first = await begin();
    const second = await begin(signUpInput({ email: first.email, password: 'another password' }), later(61));
    assert.deepEqual([first.isRepeated, second.isRepeated], [false, true]);
    assert.equal((await mailsTo(db, first.email, 'verifyEmail')).length, 2);
    await verifySignUp(db, second);
    await assert.rejects(verifySignUp(db, first), invalidOtp);
    assert.equal(
      (await checkLogin(db, { email: first.email, password: 'another password' })).isVerified,
      true,
    );
  });

  test('is forgotten after a day', async () => {
    const { email } = await begin();
    const { isRepeated } = await startSignUp(db, signUpInput({ email }), later(86_401));
    assert.equal(isRepeated, false);
    assert.equal((await attemptsOf(email)).length, 1);
  });
});

describe('somebody else with the same address', () => {
  test('who signed up first gains nothing when the owner verifies', async () => {
    const stranger = await begin(signUpInput({ name: 'Mallory', password: 'strangers password' }));
    const owner = await begin(signUpInput({ email: stranger.email, name: 'Olive' }), later(61));
    await verifySignUp(db, owner);
    const [user] = await usersWith(owner.email);
    assert.equal(user?.name, 'Olive');
    await assert.rejects(checkLogin(db, { email: owner.email, password: 'strangers password' }), {
      status: 401,
    });
  });

  test('has a code that does not complete the attempt another browser began', async () => {
    const stranger = await begin(signUpInput({ password: 'strangers password' }));
    const owner = await begin(signUpInput({ email: stranger.email }), later(61));
    await assert.rejects(verifySignUp(db, { ...owner, otp: stranger.otp }), invalidOtp);
    assert.deepEqual(await usersWith(owner.email), []);
  });

  test('is answered alike, and the owner of the account is told once an hour', async () => {
    const owner = await makeUser(db);
    const { email } = owner;
    const fresh = signUpInput();
    const at = new Date('2027-01-01T10:05:00Z');
    const known = await startSignUp(db, signUpInput({ email, password: 'strangers password' }), at);
    const unknown = await startSignUp(db, fresh, at);
    assert.deepEqual({ ...known, signUpId: '', email: '' }, { ...unknown, signUpId: '', email: '' });
    const next = new Date(at.getTime() + 61_000);
    assert.equal((await startSignUp(db, signUpInput({ email }), next)).isRepeated, true);
    assert.equal((await startSignUp(db, fresh, next)).isRepeated, true);
    const told = await mailsTo(db, email, 'accountExists');
    assert.deepEqual(
      told.map(({ name }) => name),
      [owner.name],
    );
    assert.deepEqual(await mailsTo(db, email, 'verifyEmail'), [], 'no code for who has no right to it');

    const login = await checkLogin(db, { email, password: 'strangers password' });
    assert.equal(login.isVerified, false, 'as for an address without an account');
    await assert.rejects(verifySignUp(db, { email, otp: '123456' }), invalidOtp);
  });
});

describe('a code', () => {});

describe('a new code', () => {
  test('is sent after a minute, not before', async () => {
    const { email } = await begin();
    await assert.rejects(
      resendCode(db, { email }, later(50)),
      (error: { status: number; retryAfter: number }) => {
        assert.equal(error.status, 429);
        assert.ok(error.retryAfter > 0 && error.retryAfter <= 11);
        return true;
      },
    );
    await resendCode(db, { email }, later(61));
    await assert.rejects(resendCode(db, { email }, later(100)), { status: 429, code: 'rate_limited' });
    assert.equal((await mailsTo(db, email, 'verifyEmail')).length, 2);
  });

  test('is sent after the first one five times an hour', async () => {
    const { email } = await begin();
    for (let nth = 1; nth <= 5; nth += 1) await resendCode(db, { email }, later(nth * 61));
    await assert.rejects(resendCode(db, { email }, later(6 * 61)), { status: 429 });
    await assert.rejects(resendCode(db, { email }, later(3590)), { status: 429 });
    await resendCode(db, { email }, later(3601));
  });

  test('says from when it can be asked for, on the clock of who signs up', async () => {
    const { email } = await begin(signUpInput({ timeZone: 'Europe/London' }));
    const { id } = (await attemptsOf(email))[0]!;
    const attempt = { email, signUpId: id };
    const { at, timeZone } = (await findResendAt(db, attempt, later(1)))!;
    assert.equal(timeZone, 'Europe/London');
    await assert.rejects(resendCode(db, attempt, new Date(at.getTime() - 1)), { status: 429 });
    assert.equal(await findResendAt(db, attempt, at), null);
    await resendCode(db, attempt, at);
    for (let nth = 2; nth <= 5; nth += 1) await resendCode(db, attempt, later(nth * 61));
    const hour = (await findResendAt(db, attempt, later(6 * 61)))!;
    assert.equal(hour.at.getTime(), at.getTime() - 60_000 + 3_600_000);
    assert.equal(await findResendAt(db, { ...attempt, email: 'nobody@example.com' }, later(1)), null);
  });

  test('asked for many times at once is sent once', async () => {
    const { email } = await begin();
    const at = later(61);
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => resendCode(db, { email }, at)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  test('asked for an unknown address or an account is answered alike and sent to nobody', async () => {
    const { email } = await makeUser(db);
    const unknown = 'nobody@example.com';
    for (const address of [email, unknown]) {
      assert.equal(await resendCode(db, { email: address }, later(61)), undefined);
      await assert.rejects(resendCode(db, { email: address }, later(62)), { status: 429 });
    }
    assert.deepEqual(await mailsTo(db, unknown, 'verifyEmail'), []);
    assert.deepEqual(await mailsTo(db, email, 'verifyEmail'), []);
  });

  test('goes to the attempt the browser began', async () => {
    const mine = await begin();
    const other = await begin(signUpInput({ email: mine.email, name: 'Other' }), later(61));
    await resendCode(db, { email: mine.email, signUpId: mine.signUpId }, later(122));
    const otp = await codeFor(db, mine.email);
    await assert.rejects(verifySignUp(db, { email: mine.email, signUpId: other.signUpId, otp }), invalidOtp);
    await verifySignUp(db, { email: mine.email, signUpId: mine.signUpId, otp });
  });
});
