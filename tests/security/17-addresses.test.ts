import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { ForgotInput, LoginInput, SignUpInput, VerifyInput } from '#app/domain/accounts/schema.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { startSignUp, verifySignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { codeFor, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();

const schemas = {
  signUp: (email: string) => SignUpInput.parse({ name: 'Ada', email, password: PASSWORD }).email,
  login: (email: string) => LoginInput.parse({ email, password: PASSWORD }).email,
  forgot: (email: string) => ForgotInput.parse({ email }).email,
  verify: (email: string) => VerifyInput.parse({ email, otp: '123456' }).email,
};

const WRITTEN: [as: string, stored: string][] = [
  ['  Ada.Marlow@EXAMPLE.com\t', 'ada.marlow@example.com'],
  ['ada@exämple.com', 'ada@xn--exmple-cua.com'],
  ['ada@EXÄMPLE.com', 'ada@xn--exmple-cua.com'],
  ['ada@почта.example', 'ada@xn--80a1acny.example'],
  // The "a" is Cyrillic: to the eye the domain of somebody else.
  ['ada@exаmple.com', 'ada@xn--exmple-4nf.com'],
];

for (const [door, read] of Object.entries(schemas)) {
  test(`17 ${door} reads an address in one form only`, () => {
    for (const [as, stored] of WRITTEN) assert.equal(read(as), stored);
  });
}

test('17 a mailbox in other letters, and what a domain hides, is no address', () => {
  for (const email of [
    'аda@example.com',
    'ada@exämple.com/@evil.example',
    'ada@ex%C3%A4mple.com',
    'ada@exämple.com:25',
    'ada@exämple..com',
    `ada@${'ä'.repeat(200)}.com`,
  ]) {
    assert.equal(SignUpInput.safeParse({ name: 'Ada', email, password: PASSWORD }).success, false, email);
  }
});

test('17 one account for one address, however it is written', async () => {
  const { email } = signUpInput();
  await startSignUp(db, signUpInput({ email: ` ${email.toUpperCase()} ` }));
  await verifySignUp(db, { email, otp: await codeFor(db, email) });
  const login = LoginInput.parse({ email: email.toUpperCase(), password: PASSWORD });
  assert.equal((await checkLogin(db, login)).isVerified, true);
});

test('17 the database holds an address once, and in no other form', async () => {
  const { email } = await makeUser(db);
  const another = (address: string) =>
    db
      .insertInto('users')
      .values({ email: address, name: 'Twin', timeZone: 'UTC', role: 'user', verifiedAt: new Date() })
      .execute();
  await assert.rejects(another(email), /users_email_key/);
  for (const other of [email.toUpperCase(), ` ${email}`]) {
    await assert.rejects(another(other), /users_email_is_canonical/);
  }
});

test('17 an address of any length is read at once, in whatever letters it is', () => {
  const program = `
    import { ForgotInput, LoginInput, ProviderEmail, SignUpInput } from '#app/domain/accounts/schema.ts';
    for (const run of ['é', '@', 'é@', '@é', ' é']) for (const end of ['', '/', '@']) {
      const email = 'a@' + run.repeat(500_000) + end;
      if (!LoginInput.parse({ email, password: 'x' }).email.startsWith('a@')) throw new Error(run);
      const isTaken = [ForgotInput, SignUpInput].some((form) => form.safeParse({ email, password: 'x' }).success);
      if (isTaken || ProviderEmail.safeParse(email).success) throw new Error(run);
    }
    console.log('read');
  `;
  const args = ['--input-type=module-typescript', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  assert.equal(stdout, 'read\n', stderr);
});
