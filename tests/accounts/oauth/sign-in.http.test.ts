import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { linkIdentity } from '#app/domain/accounts/oauth/identities.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { agree, enterBy, follow, locationOf, sentBack } from '#tests/fixtures/oauth.ts';
import { inSession } from '#tests/fixtures/sessions.ts';
import { makeApp } from '#tests/fixtures/two-step.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, boxes, call, mainOf } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const anybody = () => `${randomUUID()}@people.example`;
const userOf = (email: string) =>
  database.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

for (const provider of ['google', 'linkedin'] as const) {
  test(`who is new at ${provider} gets an account, and comes back to it`, async () => {
    const browser = new Browser(url);
    const email = anybody();
    const first = await enterBy(browser, provider, { email: email.toUpperCase(), name: 'Ada Marlow' });
    assert.equal(first.at, `/auth/oauth-callback?provider=${provider}`);
    assert.match(first.html, /Welcome!/);
    const next = provider === 'google' ? '/app/dashboard' : '/auth/linkedin/publish';
    assert.ok(first.html.includes(`content="2;url=${next}"`));
    assert.equal((await browser.get('/app/dashboard')).status, 200);
    const user = (await userOf(email))!;
    assert.deepEqual([user.name, user.passwordHash], ['Ada Marlow', null]);

    const again = new Browser(url);
    await enterBy(again, provider, { email, name: 'Ada Marlow' });
    assert.match(await again.read('/app/account/security'), new RegExp(email));
    const { count } = await database.db
      .selectFrom('identities')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('userId', '=', user.id)
      .executeTakeFirstOrThrow();
    assert.equal(count, '1');
  });
}

test('what goes to Google has PKCE, a nonce and a state of 256 bits; LinkedIn gets neither of the first two', async () => {
  const google = new URL(locationOf(await new Browser(url).post('/auth/google')));
  assert.ok(google.href.startsWith(`${outside.url}/google/`));
  assert.equal(google.searchParams.get('code_challenge_method'), 'S256');
  assert.match(google.searchParams.get('code_challenge')!, /^[\w-]{43}$/);
  assert.match(google.searchParams.get('nonce')!, /^[\w-]{43}$/);
  assert.match(google.searchParams.get('state')!, /^[\w-]{43}$/);
  assert.equal(google.searchParams.get('scope'), 'openid email profile');
  const linkedin = locationOf(await new Browser(url).post('/auth/linkedin'));
  assert.ok(linkedin.includes('scope=openid%20profile%20email%20w_member_social'));
  assert.doesNotMatch(linkedin, /nonce|code_challenge/);
});

test('the cookie of the way there is no script’s, and gone after the way back', async () => {
  const browser = new Browser(url);
  const begun = await browser.post('/auth/google');
  const [cookie] = begun.headers.getSetCookie().filter((line) => line.startsWith('tidepost-oauth'));
  assert.match(cookie!, /HttpOnly/);
  assert.match(cookie!, /SameSite=Lax/i);
  assert.match(cookie!, /Max-Age=600/);
  await follow(browser, await agree(locationOf(begun), { email: anybody() }));
  assert.ok(![...browser.cookies.keys()].some((name) => name.startsWith('tidepost-oauth')));
});

test('the pages offer both, and so does a page for who comes from a program', async () => {
  for (const page of ['/login', '/signup']) {
    const html = await new Browser(url).read(page);
    for (const provider of ['google', 'linkedin'])
      assert.ok(html.includes(`action="/auth/${provider}?from=${page.slice(1)}"`), page);
  }
  for (const provider of ['google', 'linkedin']) {
    const { status, body } = await call(url, 'GET', `/auth/${provider}`);
    assert.deepEqual([status, body], [200, { authUrl: `${url}/auth/${provider}` }]);
    assert.match(await new Browser(url).read(`/auth/${provider}`), /<form[^>]*method="post"/);
  }
  assert.match(mainOf(await new Browser(url).read('/auth/linkedin')), /whether Tidepost may publish for you/);
  assert.match(mainOf(await new Browser(url).read('/auth/google')), /who you are, and nothing else/);
  assert.equal((await new Browser(url).get('/auth/facebook')).status, 404);
});

test('the code in the address signs in once, for a minute, in the browser that began', async () => {
  const browser = new Browser(url);
  const email = anybody();
  const arrived = await browser.get(await sentBack(browser, 'google', { email }));
  const at = locationOf(arrived);
  assert.match(at, /^\/auth\/oauth-callback\?token=[\w-]{43}&provider=google$/);
  const { expiresAt } = await database.db
    .selectFrom('exchangeCodes')
    .select('expiresAt')
    .orderBy('expiresAt', 'desc')
    .executeTakeFirstOrThrow();
  const seconds = (expiresAt.getTime() - Date.now()) / 1000;
  assert.ok(seconds > 40 && seconds <= 60, `${seconds}`);
  const stranger = await new Browser(url).get(at);
  assert.equal(stranger.status, 400);
  assert.match(await stranger.text(), /Authentication failed: code_over/);
  assert.equal(stranger.headers.getSetCookie().length, 0);
  const done = await browser.get(at);
  assert.equal(locationOf(done), '/auth/oauth-callback?provider=google');
  assert.equal(done.headers.get('Cache-Control'), 'no-store');
  assert.equal((await browser.get(at)).status, 400, 'it was used');

  const slow = new Browser(url);
  const late = locationOf(await slow.get(await sentBack(slow, 'google', { email })));
  const past = new Date(Date.now() - 1000);
  await database.db.updateTable('exchangeCodes').set({ expiresAt: past }).execute();
  assert.equal((await slow.get(late)).status, 400);
  assert.equal((await slow.get('/app/dashboard')).status, 302);
});

test('an admin is taken to the page for admins, and who was on the way somewhere goes there', async () => {
  const browser = new Browser(url);
  const email = anybody();
  await enterBy(browser, 'google', { email });
  await database.db.updateTable('users').set({ role: 'admin' }).where('email', '=', email).execute();
  const back = new Browser(url);
  const { html } = await enterBy(back, 'google', { email });
  assert.ok(html.includes('content="2;url=/app/admin"'));
  const onTheWay = await enterBy(new Browser(url), 'google', { email }, 'from=login&to=%2Fapp%2Fscheduled');
  assert.ok(onTheWay.html.includes('content="2;url=/app/scheduled"'));
});

test('what went wrong is said, and leads to where one signs in', async () => {
  const browser = new Browser(url);
  const denied = await enterBy(browser, 'google', { email: anybody(), decision: 'cancel' });
  assert.equal(denied.status, 400);
  assert.match(denied.html, /Authentication failed: access_denied/);
  assert.ok(denied.html.includes('content="2;url=/login?failed=access_denied"'));
  assert.match(await browser.read('/login?failed=access_denied'), /You did not allow it there/);
  assert.match(
    await browser.read('/auth/oauth-callback?error=server_error'),
    /Authentication failed: server_error/,
  );
  const foreign = mainOf(await browser.read('/auth/oauth-callback?error=Call+0800+555'));
  assert.match(foreign, /Failed to complete authentication/);
  assert.doesNotMatch(foreign, /0800/);
  for (const bare of ['/auth/oauth-callback', '/auth/oauth-callback?provider=google'])
    assert.equal(locationOf(await browser.get(bare)), '/login');
});

test('who says yes publishes with the very consent of the sign-in, and who says no is not asked again', async () => {
  const yes = new Browser(url);
  const email = anybody();
  await enterBy(yes, 'linkedin', { email, name: 'Ada Marlow' });
  const asked = mainOf(await yes.read('/auth/linkedin/publish'));
  assert.match(asked, /Also publish for you\?/);
  assert.ok(asked.includes('Ada Marlow') && asked.includes(email));
  assert.match(await yes.read('/app/linkedin'), /Not connected/);
  assert.equal(locationOf(await yes.post('/auth/linkedin/publish', { answer: 'yes' })), '/dashboard');
  const connected = await yes.read('/app/linkedin');
  assert.doesNotMatch(connected, /Not connected/);
  const said = await yes.read('/auth/oauth-callback?provider=linkedin&linkedin_connected=true');
  assert.match(said, /LinkedIn is connected\./);
  const again = await enterBy(new Browser(url), 'linkedin', { email });
  assert.equal(again.at, '/auth/oauth-callback?provider=linkedin&linkedin_connected=true');
  assert.match(again.html, /You are signed in as [^<]*\. LinkedIn is connected\./);
  assert.ok(again.html.includes('content="2;url=/app/dashboard"'));

  const no = new Browser(url);
  const other = anybody();
  await enterBy(no, 'linkedin', { email: other });
  assert.equal(locationOf(await no.post('/auth/linkedin/publish', { answer: 'no' })), '/dashboard');
  assert.match(await no.read('/app/linkedin'), /Not connected/);
  const untrue = await no.read('/auth/oauth-callback?provider=linkedin&linkedin_connected=true');
  assert.doesNotMatch(untrue, /LinkedIn is connected/, 'an address alone says nothing');
  const { id: userId } = (await userOf(other))!;
  assert.deepEqual(
    await database.db
      .selectFrom('pendingLinkedinConnections')
      .where('userId', '=', userId)
      .selectAll()
      .execute(),
    [],
  );
  const later = await enterBy(new Browser(url), 'linkedin', { email: other });
  assert.ok(later.html.includes('content="2;url=/app/dashboard"'));
});

test('a provider that is away is a sentence, and nothing is lost', async () => {
  await outside.fault('google.oauth-error', { times: 1 });
  const failed = await enterBy(new Browser(url), 'google', { email: anybody() });
  assert.match(failed.html, /Authentication failed: provider_failed/);
});

test('who signs in with a password as well is one account', async () => {
  const email = anybody();
  const actor = await makeUser(database.db, { email });
  const browser = new Browser(url);
  const stopped = await enterBy(browser, 'google', { email });
  assert.equal(stopped.at, '/auth/link');
  assert.match(stopped.html, /You have an account already/);
  assert.equal(locationOf(await browser.get('/app/dashboard')), '/login', 'nobody is signed in');
  const signedIn = await browser.post('/login?to=%2Fauth%2Flink', { email, password: PASSWORD });
  assert.equal(locationOf(signedIn), '/auth/link');
  assert.match(await browser.read('/auth/link'), /Sign in with Google from now on\?/);
  assert.equal(locationOf(await browser.post('/auth/link')), '/dashboard');
  const later = new Browser(url);
  await enterBy(later, 'google', { email });
  assert.ok((await later.read('/app/account/security')).includes(email));
  const rows = await database.db
    .selectFrom('identities')
    .selectAll()
    .where('userId', '=', actor.userId)
    .execute();
  assert.deepEqual(
    rows.map((row) => row.email),
    [email],
  );
});

test('a provider that is not set up has no button, and its call says so', async () => {
  const env = {
    SANDBOX: '0',
    GOOGLE_CLIENT_ID: '',
    GOOGLE_CLIENT_SECRET: '',
    OPENAI_API_KEY: 'k',
    LINKEDIN_CLIENT_ID: 'tidepost-local',
    LINKEDIN_CLIENT_SECRET: 's',
    SUPPORT_EMAIL: 'help@people.example',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Tidepost <hello@people.example>',
    SECRET_KEYS: `k:${Buffer.alloc(32, 1).toString('base64')}`,
  };
  const other = await startWeb({ databaseUrl: database.url, env });
  for (const page of ['/login', '/signup']) {
    const html = await new Browser(other.url).read(page);
    assert.ok(!html.includes('/auth/google') && html.includes('/auth/linkedin'), page);
  }
  const { status, body } = await call(other.url, 'GET', '/auth/google');
  assert.deepEqual([status, body.code], [503, 'not_configured']);
  const browser = new Browser(other.url);
  assert.equal(locationOf(await browser.get('/auth/google')), '/login');
  assert.equal(locationOf(await browser.post('/auth/google')), '/login');
  assert.match(await browser.read('/login'), /Failed to initiate Google login/);
  assert.equal(locationOf(await browser.post('/auth/google?from=signup')), '/signup');
  assert.match(await browser.read('/signup'), /Failed to initiate Google signup/);
});

test('who signs in in two steps makes the second one after a provider, too', async () => {
  const user = await makeUser(database.db, { email: anybody() });
  const proved = { provider: 'google', email: user.email, isEmailVerified: true, name: '' } as const;
  const first = new Browser(url);
  const back = await sentBack(first, 'google', { email: user.email });
  await follow(first, back);
  const { subject } = await database.db
    .selectFrom('pendingIdentities')
    .select('subject')
    .where('email', '=', user.email)
    .executeTakeFirstOrThrow();
  await linkIdentity(database.db, await inSession(database.db, user), { ...proved, subject });
  const { codeAt } = await makeApp(database.db, user);
  await database.db.deleteFrom('rateLimits').execute();

  const browser = new Browser(url);
  const half = await enterBy(browser, 'google', { email: user.email });
  assert.equal(half.at, '/login/second-step');
  assert.equal((await browser.get('/app/topics')).status, 302);
  const known = () => database.db.selectFrom('rateLimits').where('key', 'like', 'known:%').execute();
  assert.deepEqual(await known(), [], 'half a sign-in makes no address known');
  await browser.post('/login/second-step', boxes(codeAt(new Date())));
  assert.equal((await browser.get('/app/topics')).status, 200);
  assert.equal((await known()).length, 1);
});
