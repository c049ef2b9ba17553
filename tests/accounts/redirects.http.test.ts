import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, describe, test } from 'node:test';
import { z } from 'zod';
import { addPasskey, beginPasskey } from '#app/domain/accounts/two-step/register-passkey.ts';
import { isOurPage } from '#app/http/session/return-to-cookie.ts';
import { signedCookie } from '#app/http/session/signed-cookie.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { enterBy, locationOf } from '#tests/fixtures/oauth.ts';
import { TestPasskey } from '#tests/fixtures/passkeys.ts';
import { browserOf, inSession } from '#tests/fixtures/sessions.ts';
import { makeApp } from '#tests/fixtures/two-step.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, boxes } from '#tests/harness/http/browser.ts';
import { filled, SHOWN_PATHS } from '#tests/harness/http/route-paths.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

await startOutside();
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

// More sign-ins than one address may try.
beforeEach(() => database.db.deleteFrom('rateLimits').execute());

const WANTED = '/app/posts?status=published';
const led = async (browser: Browser, path: string) => {
  const answer = await browser.get(path);
  return answer.status === 302 ? locationOf(answer) : answer.status;
};

describe('the route table', () => {
  const VISITOR: [path: string, to: string | number][] = [
    ...['/', '/login', '/signup', '/forgot-password'].map((path): [string, number] => [path, 200]),
    ...['/app', '/app/dashboard', '/app/topics', '/app/posts', '/app/scheduled', '/app/payments'].map(
      (path): [string, string] => [path, '/login'],
    ),
    ...['/app/linkedin', '/app/account', '/app/admin', '/dashboard'].map((path): [string, string] => [
      path,
      '/login',
    ]),
    ['/verify-otp', '/signup'],
    ['/reset-password', '/forgot-password'],
    ['/verify-email', 400],
    ['/auth/oauth-callback', '/login'],
    ['/auth/oauth-callback?token=unknown', 400],
    ['/auth/oauth-callback?error=access_denied', 400],
    ['/login/second-step', '/login'],
    ['/logout', '/'],
    ['/no-such-page', '/'],
    ['/app/no-such-page', '/'],
  ];
  for (const [path, to] of VISITOR) {
    test(`leads a visitor of ${path} to ${to}`, async () => {
      assert.equal(await led(new Browser(url), path), to);
    });
  }

  for (const isAdmin of [false, true]) {
    const who = isAdmin ? 'an admin' : 'a user';
    const home = isAdmin ? '/app/admin' : '/app/dashboard';
    const SIGNED_IN: [path: string, to: string | number][] = [
      ...['/login', '/signup', '/app', '/dashboard'].map((path): [string, string] => [path, home]),
      ...['/', '/forgot-password', home].map((path): [string, number] => [path, 200]),
      ...(isAdmin ? [] : ['/app/topics', '/app/posts', '/app/scheduled', '/app/payments']).map(
        (path): [string, number] => [path, 200],
      ),
      ['/app/linkedin', 200],
      ['/app/admin', isAdmin ? 200 : 403],
      ['/auth/google', '/dashboard'],
      ['/auth/oauth-callback', '/login'],
      ['/auth/oauth-callback?provider=google', 200],
      ['/no-such-page', '/'],
      ['/app/no-such-page', '/'],
    ];
    for (const [path, to] of SIGNED_IN) {
      test(`leads ${who} at ${path} to ${to}`, async () => {
        const browser = await browserOf(database.db, await makeUser(database.db, { isAdmin }), url);
        assert.equal(await led(browser, path), to);
      });
    }

    test(`leads ${who} home after signing in`, async () => {
      const { email } = await makeUser(database.db, { isAdmin });
      const login = await new Browser(url).post('/login', { email, password: PASSWORD });
      assert.equal(locationOf(login), home);
    });

    test(`leads ${who} home after signing in by a provider`, async () => {
      const who = { email: `${randomUUID()}@people.example` };
      await enterBy(new Browser(url), 'google', who);
      const role = isAdmin ? 'admin' : 'user';
      await database.db.updateTable('users').set({ role }).where('email', '=', who.email).execute();
      const { html } = await enterBy(new Browser(url), 'google', who);
      assert.ok(
        html.includes(`http-equiv="refresh" content="2;url=${home}"`) || html.includes(`url=${home}"`),
      );
    });
  }

  test('leads who failed at a provider back to the sign-in in two seconds', async () => {
    const page = await new Browser(url).read('/auth/oauth-callback?error=access_denied');
    assert.match(page, /Authentication failed: access_denied/);
    assert.match(page, /http-equiv="refresh" content="2;url=\/login[^"]*"/i);
  });
});

describe('who was sent to sign in comes back to the page they wanted', () => {
  /** A browser that wanted a page while nobody was signed in. */
  async function sent(path = WANTED) {
    const browser = new Browser(url);
    assert.equal(await led(browser, path), '/login');
    return browser;
  }

  test('by the password, once', async () => {
    const { email } = await makeUser(database.db);
    const login = (browser: Browser) => browser.post('/login', { email, password: PASSWORD });
    const browser = await sent();
    assert.equal(locationOf(await login(browser)), WANTED);
    await browser.post('/logout');
    assert.equal(locationOf(await login(browser)), '/app/dashboard', 'not a second time');
  });

  test('after the second step', async () => {
    const actor = await makeUser(database.db);
    const { codeAt } = await makeApp(database.db, actor);
    const browser = await sent();
    await browser.post('/login', { email: actor.email, password: PASSWORD });
    const answer = await browser.post('/login/second-step', boxes(codeAt(new Date())));
    assert.equal(locationOf(answer), WANTED);
  });

  test('by a provider', async () => {
    const browser = await sent();
    const { html } = await enterBy(browser, 'google', { email: `${randomUUID()}@people.example` });
    assert.ok(html.includes(`url=${WANTED}"`));
  });

  test('by a passkey, which goes where the link to the sign-in says before that', async () => {
    const { db } = database;
    const actor = await makeUser(db);
    const passkey = new TestPasskey(url);
    const rp = { id: new URL(url).hostname, origin: url };
    const { options, challengeId } = await beginPasskey(db, actor, rp);
    await addPasskey(
      db,
      await inSession(db, actor),
      { name: 'Key', challengeId, response: passkey.make(options) },
      rp,
    );
    const enter = async (browser: Browser, fields: Record<string, string>) => {
      const asked = await (await browser.post('/login/passkey', { step: 'alone' })).json();
      const response = JSON.stringify(passkey.sign(asked.options));
      return locationOf(await browser.post('/login/passkey', { step: 'alone', response, ...fields }));
    };
    assert.equal(await enter(await sent(), {}), WANTED);
    assert.equal(await enter(await sent(), { to: '/auth/link' }), '/auth/link');
    assert.equal(await enter(new Browser(url), { to: '//evil.example' }), '/dashboard');
  });

  test('whatever page of theirs it is, and the admin their own', async () => {
    const pages = ['/app/topics', '/app/scheduled?view=week', '/app/voice/facts', '/app/account/tokens'];
    for (const page of [...pages, '/app/payments', '/app/linkedin', '/app/dashboard?dialog=subscribe']) {
      const { email } = await makeUser(database.db);
      const login = await (await sent(page)).post('/login', { email, password: PASSWORD });
      assert.equal(locationOf(login), page);
    }
    const admin = await makeUser(database.db, { isAdmin: true });
    const page = '/app/admin?tab=payments';
    const login = await (await sent(page)).post('/login', { email: admin.email, password: PASSWORD });
    assert.equal(locationOf(login), page);
    const home = await (await sent('/app/dashboard')).post('/login', {
      email: admin.email,
      password: PASSWORD,
    });
    assert.equal(locationOf(home), '/app/admin', 'the dashboard by itself is nothing that was wanted');
  });

  test('but not to a file, not to what a form does, not after half an hour, and nowhere else', async () => {
    const { email } = await makeUser(database.db);
    const login = async (browser: Browser) =>
      locationOf(await browser.post('/login', { email, password: PASSWORD }));
    for (const path of ['/app/posts.csv', '/app/account/export.json', '/app/linkedin/connect']) {
      assert.equal(await login(await sent(path)), '/app/dashboard', path);
    }
    const cookie = signedCookie('wanted', z.looseObject({}));
    const until = Date.now() + 60_000;
    for (const [said, home] of [
      [{ to: WANTED, until }, WANTED],
      [{ to: WANTED, until: Date.now() - 1 }, '/app/dashboard'],
      [{ to: '//evil.example', until }, '/app/dashboard'],
      [{ to: 'https://evil.example/app/posts', until }, '/app/dashboard'],
      [{ to: '/app/posts\\@evil.example', until }, '/app/dashboard'],
      [{ to: '/app/posts/../../logout', until }, '/app/dashboard'],
    ] as const) {
      const [line] = (await cookie.remember(new Response(), said)).headers.getSetCookie();
      const browser = new Browser(url);
      browser.cookies.set('wanted', /=([^;]*)/.exec(line!)![1]!);
      assert.equal(await login(browser), home, said.to);
    }
  });
});

/** Where everybody goes who wanted nothing, and steps of something that was begun before. */
const NOT_WANTED = [
  '/app/dashboard',
  '/app/confirm',
  '/app/account/authenticator-app',
  '/app/account/recovery-codes',
  '/app/account/passkeys/new',
  '/app/account/remove-factor',
];

test('who has to sign in first comes to the page that they wanted, whichever it is', () => {
  const pages = SHOWN_PATHS.filter((path) => !NOT_WANTED.includes(path)).map((path) => filled(path));
  assert.ok(pages.length > 15);
  assert.deepEqual(
    pages.filter((page) => !isOurPage(page) || !isOurPage(`${page}?tab=all`)),
    [],
  );
});
