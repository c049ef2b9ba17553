import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import { SignUpForm } from '#app/domain/accounts/schema.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { startSignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { codeFor, makeUser, signUpInput } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();

/** What the form says of a password that is typed twice; undefined when nothing. */
const said = (password: string) => {
  const right = { name: 'Ada', email: 'ada@example.com', password, confirmPassword: password };
  return SignUpForm.safeParse(right).error?.issues.find(({ path }) => path[0] === 'password')?.message;
};

test('8 a password has 6 to 128 characters of any kind, spaces and emoji among them', () => {
  assert.equal(said('12345'), 'Password must be at least 6 characters');
  assert.equal(said('x'.repeat(129)), 'Password can have at most 128 characters');
  for (const password of ['x'.repeat(128), '      ', 'a b c d', '🔑🔑🔑🔑🔑🔑', 'パスワード一二三']) {
    assert.equal(said(password), undefined, password);
  }
});

test('8 passwords are kept whole: none is cut, and one letter more or less is another one', async () => {
  const long = `${'x'.repeat(127)}`;
  const odd = '  ünï🔑 code\u0000 ';
  for (const password of [`${long}1`, odd]) {
    const { email } = await makeUser(db, { password });
    assert.ok((await checkLogin(db, { email, password })).isVerified);
    assert.ok((await checkLogin(db, { email, password: password.normalize('NFD') })).isVerified);
    for (const other of [`${password.slice(0, -1)}2`, password.slice(0, -1), ` ${password}`]) {
      await assert.rejects(checkLogin(db, { email, password: other }), { status: 401 });
    }
  }
});

test('8 one of the 10,000 most common passwords is refused at sign-up, and nothing is stored', async () => {
  for (const password of ['Password1', 'iloveyou', 'qwertyuiop']) {
    const input = signUpInput({ password });
    await assert.rejects(startSignUp(db, input), { status: 422, code: 'invalid', field: 'password' });
    const rows = db.selectFrom('signUps').select('id').where('email', '=', input.email);
    assert.deepEqual(await rows.execute(), []);
  }
});

test('8 one of the most common passwords is refused at a reset, and the code stays good', async () => {
  const { email } = await makeUser(db);
  const { resetId } = await startReset(db, email);
  const otp = await codeFor(db, email, 'resetPassword');
  const reset = { email, resetId, otp };
  await assert.rejects(resetPassword(db, { ...reset, newPassword: 'Password1' }), {
    status: 422,
    field: 'newPassword',
  });
  await resetPassword(db, { ...reset, newPassword: 'a new password entirely' });
});

test('8 a wrong password costs a hash, whatever is sent as one', () => {
  const program = `
    import { hashPassword, isPassword } from '#app/domain/accounts/password/password.ts';
    const sent = 'a' + '\\u0301\\u0323'.repeat(300_000);
    if (await isPassword(await hashPassword('right'), sent)) throw new Error('taken');
    console.log('refused');
  `;
  const args = ['--input-type=module-typescript', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  assert.equal(stdout, 'refused\n', stderr);
});

test('8 a password is the same in every spelling of its characters', async () => {
  const chosen = 'é'.repeat(128);
  const { email } = await makeUser(db, { password: chosen });
  const typed = 'e\u0301'.repeat(128);
  assert.ok((await checkLogin(db, { email, password: typed })).isVerified);
});
