import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { mailsTo, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, call } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

/** A browser that has signed up, and the path and the token of the link that was mailed. */
async function signedUp() {
  const browser = new Browser(url);
  const { email, name } = signUpInput();
  await browser.post('/signup', { name, email, password: PASSWORD, confirmPassword: PASSWORD });
  const [mail] = await mailsTo(database.db, email, 'verifyEmail');
  const { pathname, search, searchParams } = new URL(mail!.url);
  return { browser, email, path: pathname + search, token: searchParams.get('token')! };
}

const isUser = async (email: string) =>
  (await database.db.selectFrom('users').select('id').where('email', '=', email).execute()).length === 1;

test('a link is read without changing anything, and pressed in the browser that signed up', async () => {
  const { browser, email, path } = await signedUp();
  const answer = await browser.get(path);
  const html = await answer.text();
  assert.equal(answer.headers.get('Referrer-Policy'), 'same-origin');
  assert.match(html, /This makes your account with/);
  assert.ok(!html.includes('type="password"'));
  assert.ok(html.includes('href="/login"'), 'who has an account already gets on');
  assert.equal(await isUser(email), false);
  const pressed = await browser.post(path);
  assert.equal(pressed.headers.get('Location'), '/verify-email?state=done');
  assert.match(
    await browser.read('/verify-email?state=done'),
    /Email Verified!.*Email verified successfully!|Email verified successfully!.*Email Verified!/s,
  );
  assert.equal(await isUser(email), true);
  assert.equal((await browser.get(path)).status, 400);
  assert.equal((await browser.get('/verify-otp')).headers.get('Location'), '/signup');
});

test('another browser is asked for the password of the sign-up', async () => {
  const { email, path } = await signedUp();
  const other = new Browser(url);
  assert.match(await other.read(path), /If it was you,\s*enter the password/);
  for (const password of ['', 'not it at all']) {
    const refused = await other.post(path, { password });
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /This is not the password that was chosen at the sign-up/);
  }
  assert.equal(await isUser(email), false);
  assert.equal((await other.post(path, { password: PASSWORD })).status, 302);
  assert.equal(await isUser(email), true);
});

test('a link without a token, or with another one, is not valid', async () => {
  for (const path of [
    '/verify-email',
    '/verify-email?token=',
    '/verify-email?token=%00',
    '/verify-email?token=x',
  ]) {
    const browser = new Browser(url);
    const answer = await browser.get(path);
    assert.equal(answer.status, 400);
    const html = await answer.text();
    assert.match(html, /Invalid verification link/);
    assert.ok(html.includes('href="/login"'));
    const why = /[?]token=./.test(path) ? /It was used already/ : /A part of its address is missing/;
    assert.match(html, why);
    assert.equal((await browser.post(path, { password: PASSWORD })).status, 400);
  }
});

test('the API takes the token once', async () => {
  const { email, token } = await signedUp();
  const verify = () => call(url, 'GET', `/auth/verify-email/${token}`);
  const first = await verify();
  assert.deepEqual([first.status, first.body], [200, { message: 'Email verified successfully!' }]);
  assert.equal(await isUser(email), true);
  const second = await verify();
  assert.deepEqual([second.status, second.body.message], [400, 'Invalid verification link']);
});
