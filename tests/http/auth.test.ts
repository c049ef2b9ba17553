import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type TestDatabase, testDatabase } from '#tests/database.ts';
import { codeFor, makeUser, PASSWORD, signUpInput } from '#tests/make/accounts.ts';
import { Browser, boxes, call } from '#tests/make/browser.ts';
import { startWeb } from '#tests/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const signUpFields = (email: string) => ({
  name: 'Ada Marlow',
  email,
  password: PASSWORD,
  confirmPassword: PASSWORD,
  timeZone: 'Europe/Paris',
});

describe('the pages', () => {
  test('sign up, enter the code, be signed in, sign out, sign in', async () => {
    const { db } = database;
    const browser = new Browser(url);
    const { email } = signUpInput();
    const signedUp = await browser.post('/signup', signUpFields(email));
    assert.equal(signedUp.status, 302);
    assert.equal(signedUp.headers.get('Location'), '/verify-otp');
    const page = await browser.read('/verify-otp');
    assert.match(page, /Account created! Check your email for verification code\./);
    assert.ok(page.includes(email));

    const verified = await browser.post('/verify-otp', boxes(await codeFor(db, email)));
    assert.equal(verified.headers.get('Location'), '/verify-otp?state=verified');
    const done = await browser.read('/verify-otp?state=verified');
    assert.match(done, /Email Verified!/);
    assert.match(done, /Email verified successfully! Logging you in\.\.\./);
    assert.match(done, /http-equiv="refresh" content="2;url=\/app\/dashboard"/i);
    assert.equal((await browser.get('/app/topics')).status, 200);
    assert.equal((await browser.get('/login')).headers.get('Location'), '/app/dashboard');

    const user = await db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    assert.equal(user.timeZone, 'Europe/Paris');

    assert.equal((await browser.post('/logout')).headers.get('Location'), '/login');
    assert.equal((await browser.get('/app/topics')).headers.get('Location'), '/login');
    const signedIn = await browser.post('/login', { email: ` ${email.toUpperCase()} `, password: PASSWORD });
    assert.equal(signedIn.headers.get('Location'), '/app/dashboard');
    assert.match(await browser.read('/app/topics'), /Welcome back!/);
  });
});

describe('the API', () => {
  test('sign up, verify, me, log out', async () => {
    const { email } = signUpInput();
    const created = await call(url, 'POST', '/auth/signup', { name: 'Ada', email, password: PASSWORD });
    assert.equal(created.status, 201);
    assert.equal(created.body.email, email);
    const otp = await codeFor(database.db, email);
    const verified = await call(url, 'POST', '/auth/verify-otp', { email, otp });
    assert.equal(verified.status, 200);
    const { token, user } = verified.body;
    assert.deepEqual(Object.keys(user), ['_id', 'name', 'email', 'role', 'verified']);
    assert.deepEqual((await call(url, 'GET', '/auth/me', undefined, token)).body, { user });
    assert.equal((await call(url, 'POST', '/auth/logout', {}, token)).status, 200);
    assert.equal((await call(url, 'GET', '/auth/me', undefined, token)).status, 401);
  });
});
