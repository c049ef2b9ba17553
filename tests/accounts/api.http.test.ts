import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { aMinuteLater, codeFor, mailsTo, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, call } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

type Answer = Awaited<ReturnType<typeof call>>;

const ask = (path: string, body: object) => call(url, 'POST', `/auth/${path}`, body);
const get = (path: string, token?: string) => call(url, 'GET', `/auth/${path}`, undefined, token);
const said = ({ status, body }: Answer) => [status, body];
/** A failure as every one looks: a sentence, a word for programs, and the fields that it is about. */
const failed = (code: string, message: string, more: object = {}) => ({ message, code, ...more });
const wrong = (otp: string) => (otp === '000000' ? '000001' : '000000');

const CREATED = 'Account created! Check your email for verification code.';
const SENT = 'New OTP sent! Check your email for verification code.';
const INVALID_OTP = failed('invalid_otp', 'Invalid or expired OTP', {
  fields: { otp: ['Invalid or expired OTP'] },
});

async function begun() {
  const { name, email } = signUpInput();
  const answer = await ask('signup', { name, email, password: PASSWORD });
  return { email, answer };
}

describe('the calls of accounts answer word for word', () => {
  test('POST /auth/signup', async () => {
    const { email, answer } = await begun();
    assert.deepEqual(said(answer), [201, { message: CREATED, email }]);
    await aMinuteLater(database.db, email);
    const again = await ask('signup', { name: 'Ada', email, password: PASSWORD });
    const message = 'This email is registered but not verified. A new code was sent.';
    assert.deepEqual(said(again), [409, failed('email_not_verified', message, { verified: false, email })]);
    const { email: taken } = await makeUser(database.db);
    const known = await ask('signup', { name: 'Ada', email: taken, password: PASSWORD });
    assert.deepEqual(said(known), [201, { message: CREATED, email: taken }]);
    assert.equal((await mailsTo(database.db, taken, 'accountExists')).length, 1, 'its owner is told');
  });

  test('POST /auth/login', async () => {
    const { email, userId, name } = await makeUser(database.db);
    const { status, body } = await ask('login', { email, password: PASSWORD });
    const user = { _id: userId, name, email, role: 'user', verified: true };
    assert.deepEqual([status, Object.keys(body), body.user], [200, ['token', 'user'], user]);
    assert.match(body.token, /^[\w-]{43,}$/);
    const refused = [401, failed('invalid_credentials', 'Invalid email or password')];
    assert.deepEqual(said(await ask('login', { email, password: 'not this one' })), refused);
    assert.deepEqual(said(await ask('login', { email: 'nobody@example.com', password: PASSWORD })), refused);
    const waiting = await begun();
    await aMinuteLater(database.db, waiting.email);
    const unverified = await ask('login', { email: waiting.email, password: PASSWORD });
    const message = 'Please verify your email first. A new code was sent.';
    const more = { verified: false, email: waiting.email };
    assert.deepEqual(said(unverified), [403, failed('email_not_verified', message, more)]);
  });

  test('GET /auth/me and POST /auth/logout', async () => {
    const actor = await makeUser(database.db, { isAdmin: true });
    const token = await tokenOf(database.db, actor);
    const { userId: _id, name, email } = actor;
    const user = { _id, name, email, role: 'admin', verified: true };
    assert.deepEqual(said(await get('me', token)), [200, { user }]);
    const out = await call(url, 'POST', '/auth/logout', {}, token);
    assert.deepEqual(said(out), [200, { message: 'Signed out' }]);
    const unknown = [401, failed('unauthenticated', 'Please sign in')];
    assert.deepEqual(said(await get('me', token)), unknown);
    assert.deepEqual(said(await get('me')), unknown);
    assert.deepEqual(said(await call(url, 'POST', '/auth/logout', {}, token)), unknown);
  });

  test('POST /auth/verify-otp', async () => {
    const { email } = await begun();
    const otp = await codeFor(database.db, email);
    assert.deepEqual(said(await ask('verify-otp', { email, otp: wrong(otp) })), [400, INVALID_OTP]);
    const { status, body } = await ask('verify-otp', { email, otp });
    assert.deepEqual([status, Object.keys(body), body.user.email], [200, ['token', 'user'], email]);
    assert.equal((await get('me', body.token)).status, 200);
    assert.deepEqual(said(await ask('verify-otp', { email, otp })), [400, INVALID_OTP], 'once');
  });

  test('POST /auth/resend-otp', async () => {
    const { email } = await begun();
    const soon = await ask('resend-otp', { email });
    assert.deepEqual(
      [soon.status, soon.body.code, Object.keys(soon.body)],
      [429, 'rate_limited', ['message', 'code']],
    );
    const retryAfter = Number(soon.headers.get('Retry-After'));
    assert.ok(retryAfter > 0 && retryAfter <= 60, `${retryAfter}`);
    await aMinuteLater(database.db, email);
    assert.deepEqual(said(await ask('resend-otp', { email })), [200, { message: SENT }]);
    const nobody = await ask('resend-otp', { email: signUpInput().email });
    assert.deepEqual(said(nobody), [200, { message: SENT }]);
  });

  test('GET /auth/verify-email/{token}', async () => {
    const { email } = await begun();
    const [mail] = await mailsTo(database.db, email, 'verifyEmail');
    const token = new URL(mail!.url).searchParams.get('token');
    const done = await get(`verify-email/${token}`);
    assert.deepEqual(said(done), [200, { message: 'Email verified successfully!' }]);
    const invalid = [400, failed('invalid_link', 'Invalid verification link')];
    assert.deepEqual(said(await get(`verify-email/${token}`)), invalid, 'once');
    assert.deepEqual(said(await get('verify-email/nothing')), invalid);
  });

  test('POST /auth/forgot-password and POST /auth/reset-password', async () => {
    const actor = await makeUser(database.db);
    const { email } = actor;
    const [token, other] = [await tokenOf(database.db, actor), new Browser(url)];
    await other.post('/login', { email, password: PASSWORD });
    const message = 'Password reset code sent! Check your email.';
    for (const address of [email, signUpInput().email]) {
      assert.deepEqual(said(await ask('forgot-password', { email: address })), [200, { message }]);
    }
    const otp = await codeFor(database.db, email, 'resetPassword');
    const newPassword = 'another horse battery';
    const reset = (code: string) => ask('reset-password', { email, otp: code, newPassword });
    assert.deepEqual(said(await reset(wrong(otp))), [400, INVALID_OTP]);
    assert.deepEqual(said(await reset(otp)), [200, { message: 'Password reset successfully!' }]);
    assert.deepEqual(said(await reset(otp)), [400, INVALID_OTP], 'once');
    assert.equal((await get('me', token)).status, 401, 'every session is ended');
    assert.equal((await other.get('/app/topics')).status, 302);
  });

  test('GET /auth/google and GET /auth/linkedin', async () => {
    for (const provider of ['google', 'linkedin']) {
      assert.deepEqual(said(await get(provider)), [200, { authUrl: `${url}/auth/${provider}` }]);
    }
  });
});

test('every call says which fields it misses, and takes no others', async () => {
  const MISSED: Record<string, string[]> = {
    signup: ['name', 'email', 'password'],
    login: ['email', 'password'],
    'verify-otp': ['email', 'otp'],
    'resend-otp': ['email'],
    'forgot-password': ['email'],
    'reset-password': ['email', 'otp', 'newPassword'],
  };
  for (const [path, fields] of Object.entries(MISSED)) {
    const { status, body, headers } = await ask(path, { role: 'admin', verified: true });
    assert.deepEqual([path, status, body.code], [path, 422, 'invalid']);
    assert.deepEqual([path, Object.keys(body.fields)], [path, fields]);
    assert.ok(Object.values(body.fields).every((sentences) => Array.isArray(sentences)));
    assert.equal(headers.get('Cache-Control'), 'no-store');
    assert.match(headers.get('X-Request-Id') ?? '', /^[\da-f-]{36}$/);
  }
});
