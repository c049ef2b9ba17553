import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { aMinuteLater, codeFor, mailsTo, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, call } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const NEW = 'a new password entirely';
const fields = (otp: string, confirmPassword = NEW) => ({ otp, newPassword: NEW, confirmPassword });
const resetCode = (email: string) => codeFor(database.db, email, 'resetPassword');

describe('the pages', () => {
  test('mail a code, take it with a new password, and lead to the sign-in', async () => {
    const actor = await makeUser(database.db);
    const elsewhere = await browserOf(database.db, actor, url);
    const browser = new Browser(url);
    assert.match(await browser.read('/login'), /href="\/forgot-password"/);
    const asked = await browser.post('/forgot-password', { email: ` ${actor.email.toUpperCase()}` });
    assert.equal(asked.headers.get('Location'), '/reset-password');
    const page = await browser.read('/reset-password');
    assert.match(page, /Password reset code sent! Check your email\./);
    assert.ok(page.includes(actor.email));
    assert.match(page, />Another code from \d\d:\d\d \(UTC\)\.</);

    const done = await browser.post('/reset-password', fields(` ${await resetCode(actor.email)} `));
    assert.equal(done.headers.get('Location'), '/reset-password?state=done');
    const end = await browser.read('/reset-password?state=done');
    assert.match(end, /Password reset!/);
    assert.match(end, /Password reset successfully!/);
    assert.match(end, /http-equiv="refresh" content="2;url=\/login"/i);
    assert.equal((await elsewhere.get('/app/topics')).headers.get('Location'), '/login');
    assert.equal((await browser.get('/reset-password')).headers.get('Location'), '/forgot-password');
    const old = await browser.post('/login', { email: actor.email, password: PASSWORD });
    assert.equal(old.status, 401);
    const signedIn = await browser.post('/login', { email: actor.email, password: NEW });
    assert.equal(signedIn.headers.get('Location'), '/app/dashboard');
  });

  test('lead a browser that has asked before back to where its code goes', async () => {
    const { email } = await makeUser(database.db);
    const browser = new Browser(url);
    const way = />Enter the code you have</;
    assert.doesNotMatch(await browser.read('/forgot-password'), way);
    await browser.post('/forgot-password', { email });
    const again = await browser.post('/forgot-password', { email });
    assert.equal(again.status, 429);
    assert.match(await again.text(), way);
    assert.match(await browser.read('/reset-password'), />Reset Password</);
  });

  test('begin where an address is named', async () => {
    const browser = new Browser(url);
    for (const path of ['/reset-password', '/reset-password/resend']) {
      assert.equal((await browser.post(path, fields('123456'))).headers.get('Location'), '/forgot-password');
    }
    assert.match(await browser.read('/forgot-password'), /Please start from forgot password page/);
    const empty = await browser.post('/forgot-password', { email: ' ' });
    assert.equal(empty.status, 422);
    assert.match(await empty.text(), /Please enter your email/);
    const odd = await browser.post('/forgot-password', { email: 'two@example.com, three@example.com' });
    assert.match(await odd.text(), /Please enter one valid email address/);
  });

  test('say what is wrong with what was typed, and send no password back', async () => {
    const { email } = await makeUser(database.db);
    const browser = new Browser(url);
    await browser.post('/forgot-password', { email });
    const otp = await resetCode(email);
    const guess = otp === '000000' ? '000001' : '000000';
    const wrongs = [
      [fields(guess), 400, /Invalid or expired OTP/],
      [fields('12345'), 422, /Please enter complete 6-digit code/],
      [fields(otp, 'something else'), 422, /Passwords do not match/],
      [{ otp, newPassword: '', confirmPassword: '' }, 422, /Please enter both password fields/],
      [{ otp, newPassword: 'abc', confirmPassword: 'abc' }, 422, /Password must be at least 6 characters/],
      [{ otp, newPassword: 'qwertyuiop', confirmPassword: 'qwertyuiop' }, 422, /one of the most common ones/],
    ] as const;
    for (const [typed, status, says] of wrongs) {
      const answer = await browser.post('/reset-password', typed);
      const html = await answer.text();
      assert.equal(answer.status, status);
      assert.match(html, says);
      assert.ok(!html.includes(NEW));
    }
    assert.equal((await browser.post('/login', { email, password: PASSWORD })).status, 302);
  });

  test('send another code after a minute, and answer alike for an address nobody has', async () => {
    const { email } = await makeUser(database.db);
    const pagesFor = async (address: string) => {
      const browser = new Browser(url);
      const asked = await browser.post('/forgot-password', { email: address });
      const soon = await browser.post('/reset-password/resend');
      const said = await browser.read('/reset-password');
      await aMinuteLater(database.db, address);
      const resent = await browser.post('/reset-password/resend');
      const wrong = await browser.post('/reset-password', fields('1234567'.slice(1)));
      const answers = [asked, soon, resent, wrong].map(({ status, headers }) => [
        status,
        headers.get('Location'),
      ]);
      const varying = /[\w+/]{22}==|[0-9a-f]{8}-[0-9a-f-]{27}|Another code in \d+|from \d\d:\d\d/g;
      return [answers, said.replaceAll(address, 'ADDRESS').replaceAll(varying, '')];
    };
    const unknown = signUpInput().email;
    const pages = await pagesFor(email);
    assert.deepEqual(pages, await pagesFor(unknown));
    assert.match(String(pages[1]), /A code was sent a moment ago/);
    assert.equal((await mailsTo(database.db, email, 'resetPassword')).length, 2);
    assert.equal((await mailsTo(database.db, unknown, 'resetPassword')).length, 0);
  });

  test('take a code in the browser that asked for it, and in no other', async () => {
    const { email } = await makeUser(database.db);
    const [mine, other] = [new Browser(url), new Browser(url)];
    await mine.post('/forgot-password', { email });
    const otp = await resetCode(email);
    await aMinuteLater(database.db, email);
    await other.post('/forgot-password', { email });
    const taken = await other.post('/reset-password', fields(otp));
    const isTheSame = otp === (await resetCode(email));
    assert.equal(taken.status, isTheSame ? 302 : 400);
    other.cookies.set('reset', `${other.cookies.get('reset')!.slice(0, -8)}AAAAAAAA`);
    assert.equal((await other.get('/reset-password')).headers.get('Location'), '/forgot-password');
    if (!isTheSame) assert.equal((await mine.post('/reset-password', fields(otp))).status, 302);
  });
});

describe('the API', () => {
  test('mails a code and takes it once', async () => {
    const actor = await makeUser(database.db);
    const { email } = actor;
    const token = await tokenOf(database.db, actor);
    const asked = await call(url, 'POST', '/auth/forgot-password', { email });
    assert.deepEqual(
      [asked.status, asked.body],
      [200, { message: 'Password reset code sent! Check your email.' }],
    );
    const otp = await resetCode(email);
    const reset = () => call(url, 'POST', '/auth/reset-password', { email, otp, newPassword: NEW });
    const first = await reset();
    assert.deepEqual([first.status, first.body], [200, { message: 'Password reset successfully!' }]);
    const second = await reset();
    assert.deepEqual([second.status, second.body.code], [400, 'invalid_otp']);
    assert.equal((await call(url, 'GET', '/auth/me', undefined, token)).status, 401);
    assert.equal((await call(url, 'POST', '/auth/login', { email, password: NEW })).status, 200);
  });

  test('answers alike for an address nobody has, and says what is wrong', async () => {
    const { email } = await makeUser(database.db);
    const unknown = signUpInput().email;
    const answers = await Promise.all(
      [email, unknown].map((address) => call(url, 'POST', '/auth/forgot-password', { email: address })),
    );
    assert.deepEqual([answers[0]!.status, answers[0]!.body], [answers[1]!.status, answers[1]!.body]);
    const soon = await call(url, 'POST', '/auth/forgot-password', { email: unknown });
    assert.deepEqual([soon.status, soon.body.code], [429, 'rate_limited']);
    const invalid = await call(url, 'POST', '/auth/reset-password', { email: 'x', otp: '12' });
    assert.deepEqual(Object.keys(invalid.body.fields), ['email', 'otp', 'newPassword']);
    const common = { email, otp: '123456', newPassword: 'qwertyuiop' };
    const refused = await call(url, 'POST', '/auth/reset-password', common);
    assert.deepEqual([refused.status, Object.keys(refused.body.fields)], [422, ['newPassword']]);
  });
});
