import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { consent } from '#tests/fixtures/linkedin.ts';
import { follow } from '#tests/fixtures/oauth.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, call, mainOf } from '#tests/harness/http/browser.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  const { LINKEDIN_API_URL = '', LINKEDIN_AUTH_URL = '' } = process.env;
  ({ url } = await startWeb({ databaseUrl: database.url, env: { LINKEDIN_API_URL, LINKEDIN_AUTH_URL } }));
});

/** A user, a browser signed in as the user, and a token for the API. */
async function person() {
  const { email } = await makeUser(database.db);
  const browser = new Browser(url);
  await browser.post('/login', { email, password: PASSWORD });
  const { body } = await call(url, 'POST', '/auth/login', { email, password: PASSWORD });
  return { browser, token: body.token as string };
}

const callback = (back: Record<string, string | undefined>) =>
  `/auth/linkedin/callback?${new URLSearchParams(JSON.parse(JSON.stringify(back)))}`;
const member = () => `${randomUUID()}@members.example`;
const locationOf = (response: Response) => response.headers.get('Location') ?? '';

test('connect on the page, see the profile, disconnect', async () => {
  const { browser, token } = await person();
  const before = await browser.read('/app/linkedin');
  assert.match(before, /Not connected/);
  for (const words of ['How It Works', 'Security', 'Required Permissions']) assert.ok(before.includes(words));
  for (const words of ['Profile access', 'Share on LinkedIn', 'Email address'])
    assert.ok(before.includes(words));

  const email = member();
  const begun = await browser.post('/app/linkedin/connect');
  assert.equal(begun.status, 302);
  assert.ok(locationOf(begun).startsWith(`${outside.url}/linkedin/oauth/v2/authorization?`));
  const returned = await browser.get(callback(await consent(locationOf(begun), email)));
  assert.equal(locationOf(returned), '/app/linkedin?linkedin=connected');
  const cleared = await browser.get(locationOf(returned));
  assert.equal(locationOf(cleared), '/app/linkedin');
  const after = await browser.read('/app/linkedin');
  assert.match(after, /LinkedIn account connected successfully!/);
  assert.ok(after.includes(email));
  assert.match(after, /Connected on/);
  for (const words of ['Expires on', 'Days left', 'w_member_social']) assert.ok(after.includes(words), words);
  assert.match(after, /to publish your posts, and delete those/);
  assert.doesNotMatch(await browser.read('/app/linkedin'), /connected successfully/);

  const status = await call(url, 'GET', '/linkedin/status', undefined, token);
  const { connected, account } = status.body;
  assert.equal(connected, true);
  assert.deepEqual(Object.keys(account).toSorted(), ['expiresAt', 'profileData']);
  const { profilePicture, ...named } = account.profileData;
  assert.deepEqual(named, { name: email.split('@')[0], email });
  assert.ok(after.includes(`src="${profilePicture.replaceAll('&', '&amp;')}"`));
  const policy = (await browser.get('/app/linkedin')).headers.get('Content-Security-Policy');
  assert.ok(/img-src ([^;]*)/.exec(policy!)![1]!.split(' ').includes(new URL(profilePicture).origin));
  assert.equal((await fetch(profilePicture)).status, 200);

  assert.match(await browser.read('/app/linkedin?confirm-disconnect=1'), /Disconnect LinkedIn\?/);
  const gone = await browser.post('/app/linkedin/disconnect');
  assert.equal(locationOf(gone), '/app/linkedin');
  const end = await browser.read('/app/linkedin');
  assert.match(end, /LinkedIn account disconnected/);
  assert.match(end, /Not connected/);
});

test('what went wrong at LinkedIn is said in words, and nothing else is', async () => {
  const { browser } = await person();
  const begun = await browser.post('/app/linkedin/connect');
  const denied = await browser.get(callback(await consent(locationOf(begun), member(), 'cancel')));
  assert.equal(locationOf(denied), '/app/linkedin?error=access_denied');
  assert.equal((await browser.get(locationOf(denied))).status, 302);
  assert.match(await browser.read('/app/linkedin'), /LinkedIn access was denied/);

  await browser.get('/app/linkedin?error=%3Cb%3Eboo');
  const other = await browser.read('/app/linkedin');
  assert.match(other, /Failed to connect LinkedIn account/);
  assert.doesNotMatch(other, /boo/);
});

test('a browser that did not begin is refused', async () => {
  const [one, two] = [await person(), await person()];
  const back = callback(await consent(locationOf(await one.browser.post('/app/linkedin/connect')), member()));
  assert.equal(locationOf(await two.browser.get(back)), '/app/linkedin?error=state_invalid');
  const stranger = await follow(new Browser(url), back);
  assert.equal(stranger.status, 400);
  assert.match(stranger.html, /begun too long ago or in another browser/);
  assert.equal(locationOf(await one.browser.get(back)), '/app/linkedin?linkedin=connected');
});

/** Begins in a browser what a program was given an address for, and agrees at LinkedIn; where it is sent back to. */
async function begunByProgram(browser: Browser, token: string, email: string) {
  const { body } = await call(url, 'GET', '/linkedin/connect', undefined, token);
  const page = body.authUrl.slice(url.length);
  const asked = mainOf(await browser.read(page));
  const back = callback(await consent(locationOf(await browser.post(page)), email));
  return { asked, back };
}

const isConnected = async (token: string) =>
  (await call(url, 'GET', '/linkedin/status', undefined, token)).body.connected as boolean;

test('what a program begins names account and profile, and connects only on its button', async () => {
  const { token } = await person();
  const victim = new Browser(url);
  const email = member();
  const { asked, back } = await begunByProgram(victim, token, email);
  const account = /[\w-]…@example\.com/;
  assert.match(asked, account);
  const { at, html } = await follow(victim, back);
  assert.equal(at, '/auth/linkedin/publish');
  const page = mainOf(html);
  assert.match(page, /Connect this profile\?/);
  assert.match(page, account);
  const buttons = [...page.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map(([, words]) => words);
  assert.deepEqual(buttons, ['Connect']);
  assert.match(
    (await follow(new Browser(url), '/auth/linkedin/publish?state=declined')).html,
    /Nothing was connected/,
  );
  assert.ok(page.includes(email), 'the profile is named');
  assert.equal(await isConnected(token), false);
  assert.equal((await follow(victim, back)).status, 400, 'the way back is good once');
  assert.equal(
    (await new Browser(url).get('/auth/linkedin/publish')).status,
    400,
    'another browser has no button',
  );

  const declined = await follow(victim, locationOf(await victim.post(at, { answer: 'no' })));
  assert.match(declined.html, /Nothing was connected/);
  assert.equal(await isConnected(token), false);

  const again = await begunByProgram(victim, token, email);
  await follow(victim, again.back);
  const done = await follow(victim, locationOf(await victim.post(at, { answer: 'yes' })));
  assert.match(done.html, /LinkedIn is connected\. You can close this window\./);
  assert.equal(await isConnected(token), true);
  const gone = await call(url, 'DELETE', '/linkedin/disconnect', undefined, token);
  assert.deepEqual([gone.status, gone.body], [200, { message: 'LinkedIn account disconnected' }]);
  const after = await call(url, 'GET', '/linkedin/status', undefined, token);
  assert.deepEqual(after.body, { connected: false, account: null });
});

test('who is signed in to the account that a program asks for is connected at once', async () => {
  const one = await person();
  const { back } = await begunByProgram(one.browser, one.token, member());
  assert.equal(locationOf(await one.browser.get(back)), '/app/linkedin?linkedin=connected');
  assert.equal(await isConnected(one.token), true);
  const words = '00000000-0000-4000-8000-000000000000.9999999999999.x.y';
  const forged = `/auth/linkedin/connect/${Buffer.from(words).toString('base64url')}`;
  assert.equal((await new Browser(url).get(forged)).status, 400);
  assert.equal((await new Browser(url).post(forged)).status, 400);
});

test('a browser that is signed in as somebody else is refused at each step of what a program begins', async () => {
  const [one, two] = [await person(), await person()];
  const { body } = await call(url, 'GET', '/linkedin/connect', undefined, two.token);
  const page = body.authUrl.slice(url.length);
  const begun = await one.browser.get(page);
  assert.equal(begun.status, 403);
  assert.match(mainOf(await begun.text()), /begun for another Tidepost account.*You are signed in as/s);
  assert.equal(locationOf(await one.browser.post(page)), page);

  const stranger = new Browser(url);
  const { back } = await begunByProgram(stranger, two.token, member());
  stranger.cookies.set('tidepost', one.browser.cookies.get('tidepost')!);
  assert.equal(locationOf(await stranger.get(back)), '/app/linkedin?error=other_account');
  assert.match(
    (await follow(stranger, '/app/linkedin?error=other_account')).html,
    /begun for another Tidepost/,
  );

  const asked = new Browser(url);
  const { at } = await follow(asked, (await begunByProgram(asked, two.token, member())).back);
  asked.cookies.set('tidepost', one.browser.cookies.get('tidepost')!);
  const refused = await asked.get(at);
  assert.equal(refused.status, 403);
  assert.doesNotMatch(mainOf(await refused.text()), />Connect</);
  assert.equal((await asked.post(at, { answer: 'yes' })).status, 403);
  for (const { token } of [one, two]) assert.equal(await isConnected(token), false);
});

test('the page of a program’s address is answered to scripts as well', async () => {
  const { token } = await person();
  const { body } = await call(url, 'GET', '/linkedin/connect', undefined, token);
  const page = body.authUrl.slice(url.length);
  const browser = new Browser(url);
  assert.equal((await browser.get(`${page}.data`)).status, 200);
  const begun = await browser.post(`${page}.data`);
  assert.equal(begun.status, 202);
  assert.match(await begun.text(), /\/linkedin\/oauth\/v2\/authorization/);
});

test('the API wants a token, and the page a signed-in browser', async () => {
  for (const [method, path] of [
    ['GET', '/linkedin/connect'],
    ['GET', '/linkedin/status'],
    ['DELETE', '/linkedin/disconnect'],
  ] as const) {
    assert.equal((await call(url, method, path)).status, 401);
  }
  const browser = new Browser(url);
  assert.equal(locationOf(await browser.get('/app/linkedin')), '/login');
  assert.equal((await browser.post('/app/linkedin/connect')).status, 401);
});

test('why a profile was not connected stands in the page, too, until somebody goes on', async () => {
  const [one, two] = [await person(), await person()];
  const email = member();
  const connect = async ({ browser }: typeof one, decision: 'allow' | 'cancel') => {
    const begun = await browser.post('/app/linkedin/connect');
    const returned = await browser.get(callback(await consent(locationOf(begun), email, decision)));
    await browser.get(locationOf(returned));
    return mainOf(await browser.read('/app/linkedin'));
  };
  assert.match(await connect(one, 'cancel'), /LinkedIn access was denied/);
  assert.doesNotMatch(await one.browser.read('/app/linkedin'), /access was denied/);
  const connected = await connect(one, 'allow');
  assert.doesNotMatch(connected, /connected successfully/, 'what went well needs no more than its notice');
  assert.match(await connect(two, 'allow'), /connected to another Tidepost account/);
  await two.browser.get('/app/linkedin?error=server_error');
  assert.match(mainOf(await two.browser.read('/app/linkedin')), /Failed to connect LinkedIn account/);
});
