import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, test } from 'node:test';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { agree, follow, locationOf, sentBack } from '#tests/fixtures/oauth.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

// More sign-ins than one address may try.
beforeEach(() => database.db.deleteFrom('rateLimits').execute());

const anybody = () => ({ email: `${randomUUID()}@people.example` });
const CLIENT = { client_id: 'tidepost-local', client_secret: 'tidepost-local-secret' };

/** Whether nobody has traded this code yet: the provider then misses something else than the code. */
async function isUntouched(provider: 'google' | 'linkedin', back: string): Promise<boolean> {
  const code = new URL(back, url).searchParams.get('code')!;
  const redirect_uri = `${url}/auth/${provider}/callback`;
  const body = new URLSearchParams({ ...CLIENT, grant_type: 'authorization_code', code, redirect_uri });
  const at = provider === 'google' ? 'google/token' : 'linkedin/oauth/v2/accessToken';
  const answer = await fetch(`${outside.url}/${at}`, { method: 'POST', body });
  return answer.status === 200 || /code verifier/.test(await answer.text());
}

async function signedIn() {
  const { email } = await makeUser(database.db);
  const browser = new Browser(url);
  await browser.post('/login', { email, password: PASSWORD });
  return browser;
}

/** The browser is told, nobody is signed in, and the provider was asked for nothing. */
async function refused(provider: 'google' | 'linkedin', browser: Browser, path: string, back: string) {
  const { html, status } = await follow(browser, path);
  assert.equal(status, 400);
  assert.match(html, /Authentication failed: state_invalid/);
  assert.equal(locationOf(await browser.get('/app/dashboard')), '/login');
  assert.equal(await isUntouched(provider, back), true, 'no token was asked for');
}

const without = (path: string, name: string) => {
  const at = new URL(path, url);
  at.searchParams.delete(name);
  return at.pathname + at.search;
};

for (const provider of ['google', 'linkedin'] as const) {
  test(`19 ${provider}: a way back without a state, with another one, or in another browser asks for no token`, async () => {
    const browser = new Browser(url);
    const back = await sentBack(browser, provider, anybody());
    await refused(provider, browser, without(back, 'state'), back);
    const other = `${without(back, 'state')}&state=${'A'.repeat(43)}`;
    await refused(provider, browser, other, await sentBack(browser, provider, anybody()));
    const stolen = await sentBack(new Browser(url), provider, anybody());
    await refused(provider, new Browser(url), stolen, stolen);
    const mine = await sentBack(browser, provider, anybody());
    const anothers = await sentBack(new Browser(url), provider, anybody());
    await refused(provider, browser, anothers, anothers);
    assert.equal((await follow(browser, mine)).status, 200, 'its own way back is good still');
  });

  test(`19 ${provider}: a state is good once, and for ten minutes`, async () => {
    const browser = new Browser(url);
    const late = await sentBack(browser, provider, anybody());
    const past = new Date(Date.now() - 1);
    const { db } = database;
    const before = await db
      .selectFrom('oauthStates')
      .select('expiresAt')
      .orderBy('expiresAt', 'desc')
      .executeTakeFirstOrThrow();
    const minutes = (before.expiresAt.getTime() - Date.now()) / 60_000;
    assert.ok(minutes > 9 && minutes <= 10, `${minutes}`);
    await db.updateTable('oauthStates').set({ expiresAt: past }).execute();
    await refused(provider, browser, late, late);

    const twice = new Browser(url);
    const cookies = new Map(twice.cookies);
    const who = anybody();
    const back = await sentBack(twice, provider, who);
    for (const [name, value] of twice.cookies) cookies.set(name, value);
    assert.equal((await follow(twice, back)).status, 200);
    const replayed = new Browser(url);
    for (const [name, value] of cookies) replayed.cookies.set(name, value);
    const { html } = await follow(replayed, back);
    assert.match(html, /Authentication failed: state_invalid/);
  });
}

test('19 of two that come back with one state at once, one is let in', async () => {
  const browser = new Browser(url);
  const back = await sentBack(browser, 'google', anybody());
  const both = await Promise.all([browser.get(back), browser.get(back)]);
  const kinds = both.map((answer) => new URL(locationOf(answer), url).searchParams.has('token'));
  assert.deepEqual(kinds.toSorted(), [false, true]);
});

test('19 a state begun for one provider, or to connect, is nothing for another', async () => {
  const browser = new Browser(url);
  const back = await sentBack(browser, 'google', anybody());
  await refused('google', browser, back.replace('/google/', '/linkedin/'), back);

  const victim = await signedIn();
  const attacker = await signedIn();
  const authUrl = locationOf(await attacker.post('/app/linkedin/connect'));
  const theirs = await agree(authUrl, anybody());
  const { at } = await follow(victim, theirs);
  assert.equal(at, '/app/linkedin');
  assert.match(await victim.read('/app/linkedin'), /Not connected/);
  assert.equal(await isUntouched('linkedin', theirs), true);

  await attacker.post('/logout');
  const afterwards = await follow(attacker, await agree(authUrl, anybody()));
  assert.match(afterwards.html, /state_invalid/, 'the session in which it began is over');
});

for (const [intent, path, fields] of [
  ['connect', '/app/linkedin/connect', {}],
  ['link', '/app/account/security/link', { provider: 'linkedin' }],
] as const) {
  test(`19 a state begun to ${intent} in one session is nothing in another one of the same browser`, async () => {
    const [attacker, victim] = [await signedIn(), await signedIn()];
    const theirs = await agree(locationOf(await attacker.post(path, { ...fields })), anybody());
    attacker.cookies.set('tidepost', victim.cookies.get('tidepost')!);
    await follow(attacker, theirs);
    assert.match(await victim.read('/app/linkedin'), /Not connected/);
    assert.doesNotMatch(await victim.read('/app/account/security'), /Unlink/);
    assert.equal(await isUntouched('linkedin', theirs), true, 'no token was asked for');
  });
}

test('19 a state begun in one session is nothing in another one of the same account', async () => {
  const { email } = await makeUser(database.db);
  const [browser, other] = [new Browser(url), new Browser(url)];
  for (const each of [browser, other]) await each.post('/login', { email, password: PASSWORD });
  const back = await agree(locationOf(await browser.post('/app/linkedin/connect')), anybody());
  browser.cookies.set('tidepost', other.cookies.get('tidepost')!);
  await follow(browser, back);
  assert.match(await other.read('/app/linkedin'), /Not connected/);
  assert.equal(await isUntouched('linkedin', back), true, 'no token was asked for');
});

test('19 only a hash of a state is kept', async () => {
  const browser = new Browser(url);
  const state = new URL(locationOf(await browser.post('/auth/google'))).searchParams.get('state')!;
  assert.equal(Buffer.from(state, 'base64url').length, 32);
  const rows = await database.db.selectFrom('oauthStates').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(state));
});
