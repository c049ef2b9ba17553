import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { resendCode, startSignUp, verifySignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { verifyByLink } from '#app/domain/accounts/sign-up/verify-link.ts';
import { codeFor, mailsTo, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();
const invalidLink = { status: 400, code: 'invalid_link', message: 'Invalid verification link' };
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

async function linkMailedTo(email: string): Promise<string> {
  const [mail] = await mailsTo(db, email, 'verifyEmail');
  return new URL(mail!.url).searchParams.get('token')!;
}

async function begin(input = signUpInput(), now = new Date()) {
  const { signUpId } = await startSignUp(db, input, now);
  return { ...input, signUpId, token: await linkMailedTo(input.email) };
}

const namesWith = async (email: string) =>
  (await db.selectFrom('users').select('name').where('email', '=', email).execute()).map(({ name }) => name);

test('the link makes the account for the browser that began, and for who knows the password', async () => {
  for (const follower of ['own', 'password'] as const) {
    const { email, name, signUpId, token } = await begin();
    await verifyByLink(db, token, follower === 'own' ? { signUpId } : { password: PASSWORD });
    assert.deepEqual(await namesWith(email), [name]);
    assert.ok((await checkLogin(db, { email, password: PASSWORD })).isVerified);
    await assert.rejects(verifyByLink(db, token, { signUpId }), invalidLink, 'it works once');
  }
});

test('21 who merely clicks does not make the account of a stranger who signed up with their address', async () => {
  const stranger = await begin(signUpInput({ name: 'Mallory', password: 'strangers password' }));
  const owner = await begin(signUpInput({ email: stranger.email, name: 'Olive' }), later(61));
  for (const follower of [{}, { password: PASSWORD }, { signUpId: owner.signUpId }]) {
    await assert.rejects(verifyByLink(db, stranger.token, follower), { status: 422, field: 'password' });
  }
  assert.deepEqual(await namesWith(owner.email), []);
  await verifyByLink(db, owner.token, { signUpId: owner.signUpId });
  assert.deepEqual(await namesWith(owner.email), ['Olive']);
  await assert.rejects(verifyByLink(db, stranger.token, { password: 'strangers password' }), invalidLink);
});

test('a link ends with the code that was entered, with a newer link, and after a day', async () => {
  const entered = await begin();
  await verifySignUp(db, { email: entered.email, otp: await codeFor(db, entered.email) });
  await assert.rejects(verifyByLink(db, entered.token, entered), invalidLink);

  const old = await begin();
  await resendCode(db, old, later(61));
  await assert.rejects(verifyByLink(db, old.token, old), invalidLink);
  const fresh = await linkMailedTo(old.email);
  await assert.rejects(verifyByLink(db, fresh, old, later(86_401)), invalidLink);
  await verifyByLink(db, fresh, old, later(86_000));
});

test('a link that nobody was mailed opens nothing', async () => {
  for (const token of ['', 'x', '\0', 'A'.repeat(5_000)]) {
    await assert.rejects(verifyByLink(db, token, { isProgram: true }), invalidLink);
  }
});

test('followed twenty times at once it makes one account', async () => {
  const { email, signUpId, token } = await begin();
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, () => verifyByLink(db, token, { signUpId })),
  );
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal((await namesWith(email)).length, 1);
});
