import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { aMinuteLater, codeFor, mailsTo, makeUser, PASSWORD, signUpInput } from '#tests/fixtures/accounts.ts';
import { browserOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, boxes, call } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

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
    assert.match(/<input[^>]*name="digit1"[^>]*>/.exec(page)![0], /autofocus/i, 'without scripts, too');

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
    assert.equal(signedIn.headers.get('Location'), '/app/topics');
    assert.match(await browser.read('/app/topics'), /Welcome back!/);
  });

  test('ask to sign up first when there is no sign-up to verify', async () => {
    for (const path of ['/verify-otp', '/verify-otp?state=verified']) {
      const browser = new Browser(url);
      assert.equal((await browser.get(path)).headers.get('Location'), '/signup');
      assert.match(await browser.read('/signup'), /No email found\. Please sign up first\./);
    }
  });

  test('keep the address and the attempt out of the URL, in a signed cookie', async () => {
    const browser = new Browser(url);
    const { email } = signUpInput();
    const answer = await browser.post('/signup', signUpFields(email));
    const line = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('sign-up='))!;
    assert.match(line, /HttpOnly/);
    assert.match(line, /SameSite=Lax/);
    const [payload, signature] = decodeURIComponent(browser.cookies.get('sign-up')!).split('.');
    const said = Buffer.from(payload!, 'base64').toString();
    const forged = Buffer.from(said.replace(email, 'victim@example.com')).toString('base64');
    for (const value of [forged, `${forged}.${signature}`]) {
      browser.cookies.set('sign-up', encodeURIComponent(value));
      assert.equal((await browser.get('/verify-otp')).headers.get('Location'), '/signup');
    }
  });

  test('show what is wrong beside the field and as a notice, keep what was typed, store nothing', async () => {
    const browser = new Browser(url);
    const { email } = signUpInput();
    const fields = { ...signUpFields(email), name: 'Zelda Quartz', confirmPassword: 'something else' };
    const answer = await browser.post('/signup', fields);
    assert.equal(answer.status, 422);
    const html = await answer.text();
    assert.ok([...html.matchAll(/Passwords do not match/g)].length >= 2);
    assert.ok(html.includes('Zelda Quartz') && html.includes(email));
    assert.ok(!html.includes(PASSWORD) && !html.includes('something else'));
    assert.deepEqual(await database.db.selectFrom('signUps').where('email', '=', email).execute(), []);
    const empty = await browser.post('/signup', {});
    assert.match(await empty.text(), /Please fill in all fields/);
    const common = await browser.post('/signup', {
      ...signUpFields(email),
      password: 'iloveyou',
      confirmPassword: 'iloveyou',
    });
    assert.equal(common.status, 422);
    assert.match(await common.text(), /one of the most common ones/);
  });

  test('send a new code to a repeated sign-up and to an unverified sign-in', async () => {
    const browser = new Browser(url);
    const { email } = signUpInput();
    await browser.post('/signup', signUpFields(email));
    await aMinuteLater(database.db, email);
    const again = await browser.post('/signup', signUpFields(email));
    assert.equal(again.headers.get('Location'), '/verify-otp');
    assert.match(await browser.read('/verify-otp'), /New OTP sent! Check your email for verification code\./);

    const other = new Browser(url);
    const login = await other.post('/login', { email, password: PASSWORD });
    assert.equal(login.headers.get('Location'), '/verify-otp');
    const page = await other.read('/verify-otp');
    assert.match(page, /Please verify your email first\. A code was sent a moment ago\./);
    assert.equal((await mailsTo(database.db, email, 'verifyEmail')).length, 2);
    await aMinuteLater(database.db, email);
    await other.post('/login', { email, password: PASSWORD });
    assert.match(await other.read('/verify-otp'), /New OTP sent! Check your email for verification code\./);
    assert.equal((await mailsTo(database.db, email, 'verifyEmail')).length, 3);
    const verified = await other.post('/verify-otp', boxes(await codeFor(database.db, email)));
    assert.equal(verified.headers.get('Location'), '/verify-otp?state=verified');
  });

  test('refuse a wrong code and a second code within the minute', async () => {
    const browser = new Browser(url);
    const { email } = signUpInput();
    await browser.post('/signup', signUpFields(email));
    const otp = await codeFor(database.db, email);
    const wrong = await browser.post('/verify-otp', boxes(otp === '000000' ? '000001' : '000000'));
    assert.equal(wrong.status, 400);
    assert.match(await wrong.text(), /Invalid or expired OTP/);
    const incomplete = await browser.post('/verify-otp', boxes('12345'));
    assert.match(await incomplete.text(), /Please enter complete 6-digit code/);
    assert.match(await browser.read('/verify-otp'), />Another code from \d\d:\d\d \([\w/ ]+\)\.</);
    const resent = await browser.post('/verify-otp/resend');
    assert.equal(resent.headers.get('Location'), '/verify-otp');
    assert.match(await browser.read('/verify-otp'), /A code was sent a moment ago/);
    assert.equal((await mailsTo(database.db, email, 'verifyEmail')).length, 1);
  });

  test('answer a wrong password and an unknown address with the same page', async () => {
    const { email } = await makeUser(database.db);
    const pageFor = async (address: string) => {
      const answer = await new Browser(url).post('/login', { email: address, password: 'not it at all' });
      const html = await answer.text();
      const varying = /[\w+/]{22}==|[0-9a-f]{8}-[0-9a-f-]{27}/g;
      return [answer.status, html.replaceAll(address, 'ADDRESS').replaceAll(varying, '')];
    };
    assert.deepEqual(await pageFor(email), await pageFor('unknown@example.com'));
    assert.equal((await pageFor(email))[0], 401);
  });

  test('answer a sign-up with the address of an account like any other', async () => {
    const { email } = await makeUser(database.db);
    const browser = new Browser(url);
    const answer = await browser.post('/signup', signUpFields(email));
    assert.equal(answer.headers.get('Location'), '/verify-otp');
    assert.match(await browser.read('/verify-otp'), /Account created! Check your email/);
    assert.equal((await mailsTo(database.db, email, 'accountExists')).length, 1);
  });

  test('accept forms only from themselves, sign-in included', async () => {
    const { email } = await makeUser(database.db);
    const body = () => new URLSearchParams({ email, password: PASSWORD });
    const from: Record<string, string>[] = [
      {},
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: url, 'Sec-Fetch-Site': 'cross-site' },
      { Origin: url, 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of from) {
      for (const path of [
        '/login',
        '/signup',
        '/verify-otp',
        '/verify-otp/resend',
        '/logout',
        '/login.data',
      ]) {
        const init = { method: 'POST', headers, body: body(), redirect: 'manual' as const };
        const answer = await fetch(url + path, init);
        assert.ok(answer.status === 403 || answer.status === 400, `${path} ${JSON.stringify(headers)}`);
        assert.deepEqual(
          answer.headers.getSetCookie().filter((cookie) => /^(tidepost|sign-up)=/.test(cookie)),
          [],
        );
      }
    }
  });

  test('set a cookie scripts cannot read, dead after signing out', async () => {
    const { email } = await makeUser(database.db);
    const browser = new Browser(url);
    const answer = await browser.post('/login', { email, password: PASSWORD });
    const line = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('tidepost='))!;
    assert.match(line, /HttpOnly/);
    assert.match(line, /SameSite=Lax/);
    assert.match(line, /Path=\//);
    assert.doesNotMatch(line, /Domain/);
    const saved = new Map(browser.cookies);
    const rows = await database.db.selectFrom('sessions').selectAll().execute();
    const token = JSON.parse(
      Buffer.from(decodeURIComponent(saved.get('tidepost')!), 'base64').toString(),
    ) as string;
    assert.ok(token.length >= 43 && !JSON.stringify(rows).includes(token));

    assert.equal((await browser.get('/app/topics')).status, 200);
    await browser.post('/logout');
    assert.equal(browser.cookies.has('tidepost'), false);
    const thief = new Browser(url);
    for (const [name, value] of saved) thief.cookies.set(name, value);
    assert.equal((await thief.get('/app/topics')).headers.get('Location'), '/login');
    assert.doesNotMatch(await thief.read('/app/topics.data'), /Marlow/);
    assert.equal((await thief.get('/logout')).headers.get('Location'), '/');
  });

  test('lead home from /dashboard', async () => {
    const visitor = new Browser(url);
    assert.equal((await visitor.get('/dashboard')).headers.get('Location'), '/login');
    for (const isAdmin of [false, true]) {
      const home = isAdmin ? '/app/admin' : '/app/dashboard';
      const { email } = await makeUser(database.db, { isAdmin });
      const browser = new Browser(url);
      const login = await browser.post('/login', { email, password: PASSWORD });
      assert.equal(login.headers.get('Location'), home);
      assert.equal((await browser.get('/dashboard')).headers.get('Location'), home);
      assert.equal((await browser.get('/signup')).headers.get('Location'), home);
    }
  });
});

test('behind https the cookies are for this host and https only', async () => {
  const appUrl = 'https://tidepost.example';
  const web = await startWeb({ databaseUrl: database.url, env: { APP_URL: appUrl } });
  const { email } = await makeUser(database.db);
  const answer = await fetch(`${web.url}/login`, {
    method: 'POST',
    headers: { Origin: appUrl },
    body: new URLSearchParams({ email, password: PASSWORD }),
    redirect: 'manual',
  });
  assert.equal(answer.status, 302);
  const line = answer.headers.getSetCookie().find((cookie) => cookie.includes('tidepost'))!;
  assert.match(line, /^__Host-tidepost=/);
  assert.match(line, /Secure/);
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

  test('says what is wrong with a code, a sign-up, a sign-in', async () => {
    const { email } = signUpInput();
    const signUp = { name: 'Ada', email, password: PASSWORD };
    await call(url, 'POST', '/auth/signup', signUp);
    await aMinuteLater(database.db, email);
    const again = await call(url, 'POST', '/auth/signup', signUp);
    assert.equal(again.status, 409);
    assert.equal(again.body.code, 'email_not_verified');
    assert.match(again.body.message, /not verified/);
    const unverified = await call(url, 'POST', '/auth/login', { email, password: PASSWORD });
    assert.deepEqual(unverified, {
      ...unverified,
      status: 403,
      body: {
        message:
          'Please verify your email first. A code was sent a moment ago. Please wait a minute before you ask again.',
        code: 'email_not_verified',
        verified: false,
        email,
      },
    });
    await aMinuteLater(database.db, email);
    const sent = await call(url, 'POST', '/auth/login', { email, password: PASSWORD });
    assert.equal(sent.body.message, 'Please verify your email first. A new code was sent.');
    assert.equal((await mailsTo(database.db, email, 'verifyEmail')).length, 3);
    const otp = await codeFor(database.db, email);
    const guess = otp === '111111' ? '222222' : '111111';
    const wrong = await call(url, 'POST', '/auth/verify-otp', { email, otp: guess });
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_otp']);
    assert.equal(wrong.body.message, 'Invalid or expired OTP');
    const soon = await call(url, 'POST', '/auth/resend-otp', { email });
    assert.deepEqual([soon.status, soon.body.code], [429, 'rate_limited']);
    assert.ok(Number(soon.headers.get('Retry-After')) > 0);
    const nobody = await call(url, 'POST', '/auth/resend-otp', { email: 'nobody@example.com' });
    assert.equal(nobody.status, 200);
    const invalid = await call(url, 'POST', '/auth/signup', { email: 'x', password: '123' });
    assert.deepEqual([invalid.status, invalid.body.code], [422, 'invalid']);
    assert.deepEqual(Object.keys(invalid.body.fields), ['name', 'email', 'password']);
    const common = await call(url, 'POST', '/auth/signup', { ...signUp, password: 'qwertyuiop' });
    assert.deepEqual([common.status, Object.keys(common.body.fields)], [422, ['password']]);
  });

  test('answers an unknown address like a wrong password', async () => {
    const { email } = await makeUser(database.db);
    const [known, unknown] = await Promise.all(
      [email, 'nobody@example.com'].map((address) =>
        call(url, 'POST', '/auth/login', { email: address, password: 'not it at all' }),
      ),
    );
    assert.deepEqual([known!.status, known!.body], [unknown!.status, unknown!.body]);
    assert.deepEqual([known!.status, known!.body.code], [401, 'invalid_credentials']);
    const fresh = signUpInput();
    const [taken, free] = await Promise.all(
      [email, fresh.email].map((address) =>
        call(url, 'POST', '/auth/signup', { name: 'Ada', email: address, password: PASSWORD }),
      ),
    );
    assert.deepEqual(
      [taken!.status, { ...taken!.body, email: '' }],
      [free!.status, { ...free!.body, email: '' }],
    );
  });

  test('takes no cookie, and the pages take no bearer token', async () => {
    const { email } = await makeUser(database.db);
    const browser = new Browser(url);
    await browser.post('/login', { email, password: PASSWORD });
    assert.equal((await browser.get('/api/v1/auth/me')).status, 401);
    const { body } = await call(url, 'POST', '/auth/login', { email, password: PASSWORD });
    const Authorization = `Bearer ${body.token}`;
    const page = await fetch(`${url}/app/topics`, { headers: { Authorization }, redirect: 'manual' });
    assert.equal(page.headers.get('Location'), '/login');
    const swapped = new Browser(url);
    swapped.cookies.set('tidepost', Buffer.from(JSON.stringify(body.token)).toString('base64'));
    assert.equal((await swapped.get('/app/topics')).headers.get('Location'), '/login');
  });
});

/** Whether a redirect, as scripts get it, is one to a whole document. */
async function isToDocument(answer: Response): Promise<boolean> {
  const [told, ...values]: [Record<string, number>, ...unknown[]] = JSON.parse(await answer.text());
  const keyOf = `_${values.indexOf('reload') + 1}`;
  return values[told[keyOf]! - 1] === true;
}

test('signing out leads to a new document, as does signing in where somebody else was', async () => {
  const { db } = database;
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, url);
  await db.deleteFrom('sessions').where('userId', '=', actor.userId).execute();
  const { email } = await makeUser(db, { isAdmin: true });
  const signIn = (from: Browser) => from.post('/login.data', { email, password: PASSWORD });
  assert.equal(await isToDocument(await signIn(browser)), true);
  assert.equal(await isToDocument(await signIn(new Browser(url))), false);
  assert.equal(await isToDocument(await browser.post('/logout.data')), true);
});
