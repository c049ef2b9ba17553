import assert from 'node:assert/strict';
import { request } from 'node:http';
import { before, test } from 'node:test';
import { resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { aMinuteLater, codeFor, mailsTo, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
const invalidOtp = { status: 400, code: 'invalid_otp', message: 'Invalid or expired OTP' };
const NEW = 'a new password entirely';
const APP_URL = 'https://tidepost.example';
let url: string;
before(async () => {
  ({ url } = await startWeb({ databaseUrl }));
});

async function beginReset(email: string) {
  const { resetId } = await startReset(db, email);
  return { email, resetId, otp: await codeFor(db, email, 'resetPassword'), newPassword: NEW };
}

/** Sends an API call under another name than that of the host. */
function callAs(
  origin: string,
  headers: Record<string, string>,
  path: string,
  body: object,
): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path: `/api/v1/auth/${path}`, method: 'POST' };
    const all = { 'content-type': 'application/json', ...headers };
    const call = request({ ...options, headers: all }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    call.on('error', reject).end(JSON.stringify(body));
  });
}

test('16 the links in mails lead to the configured address, whatever host a request names', async () => {
  const web = await startWeb({ databaseUrl, env: { APP_URL } });
  const evil = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  };
  const { timeZone, ...input } = signUpInput();
  await callAs(web.url, evil, 'signup', input);
  const [verify] = await mailsTo(db, input.email, 'verifyEmail');
  assert.ok(verify!.url.startsWith(`${APP_URL}/verify-email?token=`), verify!.url);

  const { email } = await makeUser(db);
  await callAs(web.url, evil, 'signup', { ...input, email });
  const [exists] = await mailsTo(db, email, 'accountExists');
  assert.equal(exists!.loginUrl, `${APP_URL}/login`);

  await aMinuteLater(db, email);
  const reset = await beginReset(email);
  await callAs(web.url, evil, 'reset-password', { email, otp: reset.otp, newPassword: NEW });
  const [changed] = await mailsTo(db, email, 'passwordChanged');
  assert.equal(changed!.url, `${APP_URL}/forgot-password`);
});

test('16 a code for a password works once, tells the owner, and signs nobody in', async () => {
  const { email, userId } = await makeUser(db);
  const browser = new Browser(url);
  await browser.post('/forgot-password', { email });
  const otp = await codeFor(db, email, 'resetPassword');
  const fields = { otp, newPassword: NEW, confirmPassword: NEW };
  const done = await browser.post('/reset-password', fields);
  assert.equal(done.headers.get('Location'), '/reset-password?state=done');
  const sessions = db.selectFrom('sessions').select('id').where('userId', '=', userId);
  assert.deepEqual(await sessions.execute(), []);
  assert.equal((await browser.get('/app/topics')).headers.get('Location'), '/login');
  assert.equal((await mailsTo(db, email, 'passwordChanged')).length, 1);
  await assert.rejects(resetPassword(db, { email, otp, newPassword: NEW }), invalidOtp);
});

test('16 a link for verifying is kept from other sites', async () => {
  const browser = new Browser(url);
  const { name, email, password } = signUpInput();
  await browser.post('/signup', { name, email, password, confirmPassword: password });
  const [mail] = await mailsTo(db, email, 'verifyEmail');
  const { pathname, search, searchParams } = new URL(mail!.url);
  assert.ok(Buffer.from(searchParams.get('token')!, 'base64url').length >= 16);
  const page = await browser.get(pathname + search);
  assert.match(page.headers.get('Referrer-Policy') ?? '', /^(no-referrer|same-origin)$/);
  const rows = await db.selectFrom('signUps').selectAll().where('email', '=', email).execute();
  assert.ok(!JSON.stringify(rows).includes(searchParams.get('token')!));
});

test('16 a code mailed to an address that the account has no more sets nothing', async () => {
  const user = await makeUser(db);
  const reset = await beginReset(user.email);
  const moved = { email: `moved-${user.email}` };
  await db.updateTable('users').set(moved).where('id', '=', user.userId).execute();
  await assert.rejects(resetPassword(db, reset), invalidOtp);
  assert.ok((await checkLogin(db, { email: moved.email, password: PASSWORD })).isVerified);
});
