import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { z } from 'zod';
import { transact } from '#app/db/client.ts';
import { linkSigner } from '#app/domain/accounts/signed-links.ts';
import { addPasskey, beginPasskey } from '#app/domain/accounts/two-step/register-passkey.ts';
import { removeAuthenticatorApp } from '#app/domain/accounts/two-step/two-step.ts';
import { findFactors } from '#app/domain/accounts/two-step/verify.ts';
import { storeScreenshot } from '#app/domain/payments/checkout/screenshots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { signedCookie } from '#app/http/session/signed-cookie.ts';
import { codeFor, mailsTo, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { TestPasskey } from '#tests/fixtures/passkeys.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { pictureOf, screenshotOf } from '#tests/fixtures/screenshots.ts';
import { browserOf, inSession, tokenOf } from '#tests/fixtures/sessions.ts';
import { appCode, makeApp } from '#tests/fixtures/two-step.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, boxes, call, mainOf, wordsOf } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';
import { sources } from '#tests/project/architecture-imports.ts';

let database: TestDatabase;
let url: string;
let strict: string;

before(async () => {
  database = await testDatabase();
  const [web, other] = await Promise.all(
    ['0', '1'].map((REQUIRE_ADMIN_TWO_STEP) =>
      startWeb({ databaseUrl: database.url, env: { REQUIRE_ADMIN_TWO_STEP } }),
    ),
  );
  [url, strict] = [web!.url, other!.url];
});

const PAGE = '/login/second-step';
const isSignedIn = async (browser: Browser) => (await browser.get('/app/topics')).status === 200;
const locationOf = (answer: Response) => answer.headers.get('Location');

async function makeTwoStep(options = {}) {
  const actor = await makeUser(database.db, options);
  return { actor, ...(await makeApp(database.db, actor)) };
}

async function makePasskeyUser() {
  const actor = await makeUser(database.db);
  const passkey = new TestPasskey(url);
  const rp = { id: new URL(url).hostname, origin: url };
  const { options, challengeId } = await beginPasskey(database.db, actor, rp);
  await addPasskey(
    database.db,
    await inSession(database.db, actor),
    { name: 'Key', challengeId, response: passkey.make(options) },
    rp,
  );
  return { actor, passkey };
}

async function halfSignedIn({ email }: Actor, to = '/login') {
  const browser = new Browser(url);
  const answer = await browser.post(to, { email, password: PASSWORD });
  assert.equal(locationOf(answer), PAGE);
  return browser;
}

/** What the script of a page does: asks for options, has the passkey sign, and sends the answer. */
async function sendPasskey(browser: Browser, passkey: TestPasskey, step: 'alone' | 'second', said = {}) {
  const asked = await browser.post('/login/passkey', { step });
  const { options } = await asked.json();
  const response = JSON.stringify(passkey.sign(options, said));
  return browser.post('/login/passkey', { step, response });
}

describe('the second step', () => {
  test('stands between the password and the session, and leads where the first was going', async () => {
    const { actor, codeAt } = await makeTwoStep();
    const browser = await halfSignedIn(actor, '/login?to=/app/scheduled');
    assert.ok(!browser.cookies.has('tidepost'), 'nobody is signed in');
    assert.equal(await isSignedIn(browser), false);
    const page = await browser.read(PAGE);
    assert.match(wordsOf(page), /One more step.*authenticator app.*Use a recovery code/);
    assert.doesNotMatch(page, /Welcome back!/);
    const wrong = await browser.post(PAGE, boxes('000000'));
    assert.equal(wrong.status, 400);
    assert.match(wordsOf(await wrong.text()), /This code is wrong, too old, or was used already/);
    assert.equal((await browser.post(PAGE, {})).status, 422);
    assert.equal(await isSignedIn(browser), false);
    const right = await browser.post(PAGE, boxes(codeAt(new Date())));
    assert.equal(locationOf(right), '/app/scheduled');
    assert.match(await browser.read('/app/scheduled'), /Welcome back!/);
    assert.equal(locationOf(await browser.get(PAGE)), '/login', 'the first step is used up');
    const again = await halfSignedIn(actor);
    assert.equal((await again.post(PAGE, boxes(codeAt(new Date())))).status, 400, 'so is the code');
  });

  test('takes a recovery code, and says when few are left', async () => {
    const { actor, recoveryCodes } = await makeTwoStep();
    const used = recoveryCodes.slice(0, 7);
    for (const otp of used) {
      const browser = await halfSignedIn(actor);
      assert.match(await browser.read(`${PAGE}?with=recovery-code`), /Recovery code/);
      assert.equal(locationOf(await browser.post(PAGE, { otp })), '/app/dashboard');
      const said = await browser.read('/app/topics');
      assert.equal(said.includes('You have only 3 recovery codes left.'), otp === used.at(-1));
    }
    const browser = await halfSignedIn(actor);
    assert.equal((await browser.post(PAGE, { otp: used[0]! })).status, 400);
    assert.equal((await mailsTo(database.db, actor.email, 'recoveryCodeUsed')).length, 7);
  });

  test('ends after ten minutes, and with the password that began it', async () => {
    const { actor, codeAt } = await makeTwoStep();
    const { userId } = actor;
    const cookie = signedCookie('second-step', z.looseObject({}));
    const sign = await linkSigner(database.db, userId);
    const locationAfter = async (seconds: number, said: object = {}) => {
      const at = Date.now() - seconds * 1000;
      const begun = {
        userId,
        to: '/app/topics',
        at,
        signature: sign(`second step ${at} /app/topics`),
        ...said,
      };
      const [line] = (await cookie.remember(new Response(), begun)).headers.getSetCookie();
      const browser = new Browser(url);
      browser.cookies.set('second-step', /=([^;]*)/.exec(line!)![1]!);
      return locationOf(await browser.get(PAGE));
    };
    assert.equal(await locationAfter(590), null);
    assert.equal(await locationAfter(601), '/login');
    assert.equal(await locationAfter(601, { at: Date.now() }), '/login', 'the time is signed');
    assert.equal(await locationAfter(1, { to: '/elsewhere' }), '/login');
    assert.equal(await locationAfter(1, { userId: (await makeTwoStep()).actor.userId }), '/login');

    const browser = await halfSignedIn(actor);
    await database.db.updateTable('users').set({ passwordHash: null }).where('id', '=', userId).execute();
    assert.equal(locationOf(await browser.post(PAGE, boxes(codeAt(new Date())))), '/login');
    assert.equal(await isSignedIn(browser), false);
  });

  test('is nothing for who made no first one', async () => {
    const browser = new Browser(url);
    assert.equal(locationOf(await browser.get(PAGE)), '/login');
    assert.equal(locationOf(await browser.post(PAGE, boxes('123456'))), '/login');
    assert.match(await browser.read('/login'), /the second step took too long/);
    const asked = await browser.post('/login/passkey', { step: 'second' });
    assert.equal(asked.status, 401);
  });

  test('of forty wrong codes five are compared; the password alone counts nothing', async () => {
    const two = await makeTwoStep();
    for (let nth = 0; nth < 8; nth++) await halfSignedIn(two.actor);
    const browser = await halfSignedIn(two.actor);
    const statuses = await Promise.all(
      Array.from({ length: 18 }, async () => (await browser.post(PAGE, { otp: 'WRONG' })).status),
    );
    assert.equal(statuses.filter((status) => status === 400).length, 5);
    assert.equal(statuses.filter((status) => status === 429).length, 13);
  });
});

describe('every door of who signs in in two steps', () => {
  const doors: Record<string, (two: Awaited<ReturnType<typeof makeTwoStep>>) => Promise<void>> = {
    'the password in a browser': async ({ actor }) => {
      const browser = await halfSignedIn(actor);
      assert.equal(await isSignedIn(browser), false);
    },
    'the password of a program': async ({ actor: { email }, codeAt, recoveryCodes }) => {
      const login = (otp?: string) => call(url, 'POST', '/auth/login', { email, password: PASSWORD, otp });
      const none = await login();
      assert.deepEqual([none.status, none.body.code], [403, 'second_step_required']);
      assert.ok(!('token' in none.body));
      assert.equal((await login('000000')).status, 400);
      assert.equal((await login(codeAt(new Date()))).status, 200);
      assert.equal((await login(codeAt(new Date()))).status, 400, 'once');
      assert.equal((await login(recoveryCodes[0])).status, 200);
      const wrong = { email, password: 'not this one', otp: recoveryCodes[1] };
      const { status, body } = await call(url, 'POST', '/auth/login', wrong);
      assert.deepEqual([status, body.code], [401, 'invalid_credentials'], 'the password comes first');
    },
    'a forgotten password': async ({ actor: { email } }) => {
      const browser = new Browser(url);
      await browser.post('/forgot-password', { email });
      const otp = await codeFor(database.db, email, 'resetPassword');
      const fields = { otp, newPassword: 'another one entirely', confirmPassword: 'another one entirely' };
      await browser.post('/reset-password', fields);
      assert.equal(await isSignedIn(browser), false);
      const next = await browser.post('/login', { email, password: 'another one entirely' });
      assert.equal(locationOf(next), PAGE);
      assert.equal(await isSignedIn(browser), false);
    },
  };
  for (const [door, enter] of Object.entries(doors)) {
    test(`asks for it: ${door}`, async () => enter(await makeTwoStep()));
  }

  test('leads through the one place that asks for it', () => {
    const calls = (name: RegExp) =>
      sources
        .filter((file) => file.startsWith('app/') && name.test(readFileSync(file, 'utf8')))
        .map((file) => path.basename(file));
    assert.deepEqual(calls(/\bcreateSession\(/), ['sessions.ts', 'session.ts']);
    assert.deepEqual(calls(/\bopenApiSession\(/), ['sessions.ts', 'session.ts']);
    assert.deepEqual(calls(/\bsignIn\([^;]*isPassed: true/), ['passkey.ts', 'second-step.tsx']);
  });
});

describe('a passkey', () => {
  test('signs in by itself', async () => {
    const { passkey, actor } = await makePasskeyUser();
    const browser = new Browser(url);
    assert.equal(locationOf(await sendPasskey(browser, passkey, 'alone')), '/dashboard');
    assert.ok(await isSignedIn(browser));
    assert.match(await browser.read('/app/account/security'), new RegExp(actor.email));
  });

  test('is the second step after a password', async () => {
    const { passkey, actor } = await makePasskeyUser();
    const browser = await halfSignedIn(actor);
    assert.match(wordsOf(await browser.read(PAGE)), /asks for a passkey as well.*recovery code/);
    const answer = await sendPasskey(browser, passkey, 'second', { isVerified: false });
    assert.equal(locationOf(answer), '/app/dashboard');
    assert.ok(await isSignedIn(browser));
    const stranger = await halfSignedIn((await makePasskeyUser()).actor);
    assert.equal(locationOf(await sendPasskey(stranger, passkey, 'second')), PAGE);
    assert.equal(await isSignedIn(stranger), false, 'the passkey of somebody else');
  });

  test('is refused from another origin, without a check of who is there, and in another browser', async () => {
    const { passkey } = await makePasskeyUser();
    for (const said of [{ origin: 'https://evil.example' }, { isVerified: false }]) {
      const browser = new Browser(url);
      assert.equal(locationOf(await sendPasskey(browser, passkey, 'alone', said)), '/login');
      assert.equal(await isSignedIn(browser), false);
      assert.match(await browser.read('/login'), /This passkey could not be checked/);
    }
    const [mine, theirs] = [new Browser(url), new Browser(url)];
    const { options } = await (await mine.post('/login/passkey', { step: 'alone' })).json();
    const response = JSON.stringify(passkey.sign(options));
    assert.equal(locationOf(await theirs.post('/login/passkey', { step: 'alone', response })), '/login');
    assert.equal(locationOf(await mine.post('/login/passkey', { step: 'alone', response })), '/dashboard');
    const replayed = await mine.post('/login/passkey', { step: 'alone', response });
    assert.equal(locationOf(replayed), '/login');
  });

  test('that is no answer of a browser is refused in a sentence', async () => {
    const { passkey } = await makePasskeyUser();
    const odd = ['\0', 'é', 'x'.repeat(10_000)].map((id) =>
      JSON.stringify({ ...passkey.sign({ challenge: 'none' }), id }),
    );
    for (const response of ['', '{', '[]', '{"id":1}', 'null', 'x'.repeat(30_000), ...odd]) {
      await database.db.deleteFrom('rateLimits').execute();
      const browser = new Browser(url);
      await browser.post('/login/passkey', { step: 'alone' });
      assert.equal(locationOf(await browser.post('/login/passkey', { step: 'alone', response })), '/login');
      assert.match(await browser.read('/login'), /This passkey could not be checked/);
    }
  });
});

describe('the account page', () => {
  test('sets an app up without scripts, with the password, and shows the codes once', async () => {
    const actor = await makeUser(database.db);
    const browser = await browserOf(database.db, actor, url);
    assert.match(wordsOf(mainOf(await browser.read('/app/account/security'))), /Two-step sign-in Off/);
    assert.match(await browser.read('/app/account/authenticator-app'), /Nothing to set up/);
    for (const path of ['/app/account/recovery-codes', '/app/account/remove-factor']) {
      assert.equal(locationOf(await browser.get(path)), '/app/account/security', path);
    }
    const page = '/app/account/authenticator-app';
    assert.equal(locationOf(await browser.post('/app/account/second-step/begin')), page);
    const html = mainOf(await browser.read(page));
    assert.match(html, /<img src="data:image\/svg\+xml,/);
    const groups = /(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(html)![0];
    const code = appCode(groups, new Date());
    assert.equal((await browser.post(page, { code, password: 'not mine' })).status, 403);
    const unproved = await browser.post(page, { code });
    assert.match(await unproved.text(), /Please enter your password/);
    const wrong = await browser.post(page, { code: '12', password: PASSWORD });
    assert.match(await wrong.text(), /This code is wrong/);
    assert.equal((await findFactors(database.db, actor.userId)).hasApp, false);

    const shown = mainOf(await (await browser.post(page, { code, password: PASSWORD })).text());
    const codes = shown.match(/<li><code>[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}<\/code><\/li>/g);
    assert.equal(codes?.length, 10);
    assert.match(shown, /download="tidepost-recovery-codes\.txt"/);
    const security = wordsOf(mainOf(await browser.read('/app/account/security')));
    assert.match(security, /Two-step sign-in On.*Authenticator app Set up\..*Recovery codes 10 left\./);
    assert.equal(locationOf(await browser.post('/app/account/second-step/begin')), '/app/account/security');

    const fresh = '/app/account/recovery-codes';
    assert.equal((await browser.post(fresh, { password: 'not mine' })).status, 403);
    assert.match(await (await browser.post(fresh, { password: PASSWORD })).text(), /Keep them now/);
    const remove = '/app/account/remove-factor';
    assert.match(await browser.read(remove), /your last second step: from then on one step alone/);
    assert.equal((await browser.post(remove, { password: 'not mine' })).status, 403);
    assert.equal((await findFactors(database.db, actor.userId)).hasApp, true);
    assert.equal(locationOf(await browser.post(remove, { password: PASSWORD })), '/app/account/security');
    assert.equal((await findFactors(database.db, actor.userId)).hasApp, false);
    assert.equal((await mailsTo(database.db, actor.email, 'twoStepChanged')).length, 3);
  });

  test('adds, renames and removes a passkey, with the password', async () => {
    const actor = await makeUser(database.db);
    const browser = await browserOf(database.db, actor, url);
    const [page, from] = ['/app/account/passkeys/new', '/app/account/passkeys/options'];
    assert.match(await browser.read(page), /needs scripts/);
    const refused = await browser.post(from, { name: 'Laptop', password: 'not mine' });
    assert.deepEqual([refused.status, (await refused.json()).message], [403, 'This is not your password']);
    assert.equal((await browser.post(from, { name: ' ', password: PASSWORD })).status, 422);
    const { options } = await (await browser.post(from, { name: 'Laptop', password: PASSWORD })).json();
    const response = JSON.stringify(new TestPasskey(url).make(options));
    const other = await browserOf(database.db, actor, url);
    assert.equal((await other.post(page, { name: 'Laptop', response })).status, 400, 'another browser');
    assert.match(await (await browser.post(page, { name: 'Laptop', response })).text(), /Keep them now/);
    assert.equal((await browser.post(page, { name: 'Laptop', response })).status, 400, 'once');

    const security = mainOf(await browser.read('/app/account/security'));
    const [, id = ''] = /remove-factor\?passkey=([\w-]{36})/.exec(security)!;
    const rename = '/app/account/second-step/rename';
    await browser.post(rename, { id, name: '' });
    await browser.post(rename, { id, name: 'Blue <key>' });
    const page2 = await browser.read('/app/account/security');
    assert.match(page2, /Blue &lt;key&gt;/);
    assert.match(page2, /Please give the passkey a name/);
    const remove = `/app/account/remove-factor?passkey=${id}`;
    assert.match(await browser.read(remove), /Remove the passkey.*your last second step/s);
    await makeApp(database.db, actor);
    assert.match(await browser.read(remove), /What else you have set up stays your second step/);
    await removeAuthenticatorApp(database.db, actor);
    const theirs = await browserOf(database.db, await makeUser(database.db), url);
    assert.equal(locationOf(await theirs.get(remove)), '/app/account/security');
    await theirs.post(remove, { password: PASSWORD });
    assert.equal((await findFactors(database.db, actor.userId)).passkeys, 1);
    assert.equal((await browser.post(remove, { password: 'not mine' })).status, 403);
    assert.equal(locationOf(await browser.post(remove, { password: PASSWORD })), '/app/account/security');
    assert.equal((await findFactors(database.db, actor.userId)).passkeys, 0);
  });

  test('mails a code to who has no password', async () => {
    const actor = await makeUser(database.db);
    const { db } = database;
    await db.updateTable('users').set({ passwordHash: null }).where('id', '=', actor.userId).execute();
    const browser = await browserOf(db, actor, url);
    await browser.post('/app/account/second-step/begin');
    const page = '/app/account/authenticator-app';
    const html = mainOf(await browser.read(page));
    const code = appCode(/(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(html)![0], new Date());
    assert.equal(locationOf(await browser.post('/app/account/second-step/prove', { back: page })), page);
    const away = await browser.post('/app/account/second-step/prove', { back: '//evil.example' });
    assert.equal(locationOf(away), '/app/account/security');
    const { code: otp } = (await mailsTo(db, actor.email, 'proveOwner'))[0]!;
    assert.equal((await browser.post(page, { code })).status, 422);
    assert.match(await (await browser.post(page, { code, otp })).text(), /Keep them now/);
  });
});

describe('admins', () => {
  test('see their pages and calls only once they sign in in two steps, where that is required', async () => {
    const actor = await makeUser(database.db, { isAdmin: true });
    const browser = await browserOf(database.db, actor, strict);
    const token = await tokenOf(database.db, actor);
    const paths = ['/app/admin', '/app/admin/audit', '/app/admin/publishing'];
    for (const path of paths) assert.equal(locationOf(await browser.get(path)), '/app/account/security');
    const page = wordsOf(mainOf(await browser.read('/app/account/security')));
    assert.match(page, /The admin pages are closed until you sign in in two steps/);
    const refused = await call(strict, 'GET', '/admin/pending-payments', undefined, token);
    assert.deepEqual([refused.status, refused.body.code], [403, 'second_step_missing']);
    const free = await browserOf(database.db, actor, url);
    assert.equal((await free.get('/app/admin')).status, 200);
    const { id } = await makePayment(database.db, await makeUser(database.db), 1);
    const picture = await screenshotOf(await pictureOf('png'));
    await transact(database.db, (trx) => storeScreenshot(trx, id, picture));
    const shot = async () => (await browser.get(`/payment-screenshots/${id}`)).status;
    assert.equal(await shot(), 404);

    await makeApp(database.db, actor);
    assert.equal((await browser.get('/app/admin')).status, 200);
    assert.equal(await shot(), 200);
    assert.equal((await call(strict, 'GET', '/admin/pending-payments', undefined, token)).status, 200);
    assert.doesNotMatch(await browser.read('/app/account/security'), /admin pages are closed/);
  });

  test('others are asked for nothing', async () => {
    const browser = await browserOf(database.db, await makeUser(database.db), strict);
    assert.equal((await browser.get('/app/dashboard')).status, 200);
    assert.equal((await browser.get('/app/admin')).status, 403);
  });
});
