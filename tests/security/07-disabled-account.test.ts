import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { cancelDeletionUrl } from '#app/domain/account-deletion/cancel-link.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { addPasskey, beginPasskey } from '#app/domain/accounts/two-step/register-passkey.ts';
import { unsubscribeLink } from '#app/domain/email/choices.ts';
import { disableAccount, enableAccount } from '#app/domain/operations/disable-account.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { mailApprovalRequests } from '#app/domain/publishing/approval/request.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { aMinuteLater, codeFor, mailsTo, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { agree, enterBy, follow, locationOf, sentBack } from '#tests/fixtures/oauth.ts';
import { TestPasskey } from '#tests/fixtures/passkeys.ts';
import { makePublisher, makeScheduledPost, readPost } from '#tests/fixtures/posts.ts';
import { browserOf, inSession, tokenOf } from '#tests/fixtures/sessions.ts';
import { makeApp } from '#tests/fixtures/two-step.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { Browser, boxes, call, wordsOf } from '#tests/harness/http/browser.ts';
import { API_PATHS, filled, PAGE_PATHS, PUBLIC } from '#tests/harness/http/route-paths.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';

const outside = await startOutside();
let database: TestDatabase;
let url: string;
let admin: Actor;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({
    databaseUrl: database.url,
    env: { LOG_LEVEL: 'info', TRUST_PROXY: 'x-forwarded-for' },
  }));
  admin = await makeUser(database.db, { isAdmin: true });
});

const disable = ({ userId }: Actor) => disableAccount(database.db, admin, { userId, reason: 'Spam' });
const enable = ({ userId }: Actor) => enableAccount(database.db, admin, userId);
const REFUSED = /This account has been stopped, and nobody can sign in to it/;

/** Each comes from an address of their own, which tries are counted by. */
let asked = 0;
const anybody = () => new Browser(url, { 'X-Forwarded-For': `198.51.100.${++asked % 250}` });
const signUp = (email: string) => ({
  name: 'Bo',
  email,
  timeZone: 'UTC',
  password: 'a third horse battery',
  confirmPassword: 'a third horse battery',
});
const isIn = async (browser: Browser) => (await browser.get('/app/account')).status === 200;
const sessionsOf = async ({ userId }: Actor) =>
  (await database.db.selectFrom('sessions').select('id').where('userId', '=', userId).execute()).length;

/** What a browser gets at an address, as far as it says who it is. */
async function gets(browser: Browser, method: 'get' | 'post', path: string) {
  const answer = await browser[method](path);
  await answer.arrayBuffer();
  return `${method} ${path} ${answer.status} ${answer.headers.get('Location') ?? ''}`;
}

test('7 whoever is disabled is nobody to every page, form and call from the next request on', async () => {
  const { db } = database;
  // An admin: what is for admins alone is gone with the rest.
  const actor = await makeUser(db, { isAdmin: true });
  const browser = await browserOf(db, actor, url);
  const api = await tokenOf(db, actor);
  const { secret } = await createToken(db, await inSession(db, actor), { name: 'CI', scope: 'write' });
  assert.equal((await browser.get('/app/admin')).status, 200);
  const desk = await browserOf(db, admin, url);
  const done = await desk.post(`/app/admin/users/${actor.userId}?dialog=disable`, { reason: 'Spam' });
  assert.equal(done.status, 302);

  const paths = PAGE_PATHS.filter((path) => path.startsWith('/app')).map((path) => filled(path));
  assert.ok(paths.length > 50, 'all of the app');
  const nobody = anybody();
  for (const path of [...paths, ...paths.map((path) => `${path}.data`), '/payment-screenshots/1']) {
    for (const method of ['get', 'post'] as const) {
      assert.equal(await gets(browser, method, path), await gets(nobody, method, path));
    }
  }
  for (const path of API_PATHS.filter((each) => !PUBLIC.includes(each)).map((path) => filled(path))) {
    const { headers } = await call(url, 'PATCH', path);
    for (const method of headers.get('Allow')!.split(', ')) {
      if (method === 'HEAD') continue;
      const body = method === 'POST' || method === 'PUT' ? {} : undefined;
      for (const token of [api, secret]) {
        const { status, body: said } = await call(url, method, path, body, token);
        assert.equal(`${method} ${path} ${status} ${said.code}`, `${method} ${path} 401 unauthenticated`);
      }
    }
  }
  const mcp = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  assert.equal(mcp.status, 401);
});

type Provider = 'google' | 'linkedin';

/** An account with a password that a provider signs in as well. */
async function makeLinked(provider: Provider) {
  const { db } = database;
  const email = `${randomUUID()}@people.example`;
  await enterBy(anybody(), provider, { email });
  const { passwordHash } = await db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', admin.userId)
    .executeTakeFirstOrThrow();
  const { id } = await db
    .updateTable('users')
    .set({ passwordHash })
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirstOrThrow();
  return { userId: id, email, name: 'Ada', isAdmin: false, timeZone: 'UTC' };
}

async function passkeyOf(actor: Actor) {
  const passkey = new TestPasskey(url);
  const rp = { id: new URL(url).hostname, origin: url };
  const { options, challengeId } = await beginPasskey(database.db, actor, rp);
  const given = { name: 'Key', challengeId, response: passkey.make(options) };
  await addPasskey(database.db, await inSession(database.db, actor), given, rp);
  return passkey;
}

async function byPasskey(browser: Browser, passkey: TestPasskey, step: 'alone' | 'second') {
  const { options } = await (await browser.post('/login/passkey', { step })).json();
  return browser.post('/login/passkey', { step, response: JSON.stringify(passkey.sign(options)) });
}

for (const provider of ['google', 'linkedin'] as const) {
  test(`7 neither the password, nor ${provider}, lets in whoever is disabled, and each says why`, async () => {
    const actor = await makeLinked(provider);
    const { email } = actor;
    const issued = anybody();
    const exchange = locationOf(await issued.get(await sentBack(issued, provider, { email })));
    assert.match(exchange, /token=/);
    const begun = anybody();
    const back = await sentBack(begun, provider, { email });
    await disable(actor);

    const password = await anybody().post('/login', { email, password: PASSWORD });
    assert.equal(password.status, 403);
    assert.match(await password.text(), REFUSED);
    const program = await call(url, 'POST', '/auth/login', { email, password: PASSWORD });
    assert.deepEqual([program.status, program.body.code], [403, 'account_disabled']);

    const exchanged = await follow(issued, exchange);
    assert.equal(exchanged.status, 400, 'a code from before is void');
    for (const [browser, path] of [[begun, back], [...(await fresh(provider, email))]] as [
      Browser,
      string,
    ][]) {
      const { status, html } = await follow(browser, path);
      assert.equal(status, 400);
      assert.match(html, REFUSED);
      assert.equal(await isIn(browser), false);
    }
    assert.equal(await isIn(issued), false);
    assert.equal(await sessionsOf(actor), 0);

    await enable(actor);
    assert.equal(await isIn(issued), false, 'the sessions of before do not come back');
    assert.equal((await follow(issued, exchange)).status, 400);
    const again = anybody();
    await again.post('/login', { email, password: PASSWORD });
    assert.equal(await isIn(again), true);
  });
}

async function fresh(provider: Provider, email: string): Promise<[Browser, string]> {
  const browser = anybody();
  return [browser, await sentBack(browser, provider, { email })];
}

test('7 a passkey, or a second step that was half made, lets in nobody who is disabled', async () => {
  const { db } = database;
  const actor = await makeUser(db);
  const app = await makeApp(db, actor);
  const passkey = await passkeyOf(actor);
  const half = await Promise.all(
    ['code', 'recovery', 'passkey'].map(async () => {
      const browser = anybody();
      const answer = await browser.post('/login', { email: actor.email, password: PASSWORD });
      assert.equal(locationOf(answer), '/login/second-step');
      return browser;
    }),
  );
  await disable(actor);
  const [byCode, byRecovery, byKey] = half as [Browser, Browser, Browser];
  const code = await byCode.post('/login/second-step', boxes(app.codeAt(new Date())));
  const recovery = await byRecovery.post('/login/second-step?with=recovery-code', {
    otp: app.recoveryCodes[0]!,
  });
  for (const answer of [code, recovery]) {
    assert.equal(answer.status, 403);
    assert.match(await answer.text(), REFUSED);
  }
  assert.equal(locationOf(await byPasskey(byKey, passkey, 'second')), '/login/second-step');
  assert.match(await byKey.read('/login/second-step'), REFUSED);
  const alone = anybody();
  assert.equal(locationOf(await byPasskey(alone, passkey, 'alone')), '/login');
  assert.match(await alone.read('/login'), REFUSED);
  for (const browser of [...half, alone]) assert.equal(await isIn(browser), false);
  const body = { email: actor.email, password: PASSWORD, otp: app.recoveryCodes[1]! };
  const program = await call(url, 'POST', '/auth/login', body);
  assert.deepEqual([program.status, program.body.code], [403, 'account_disabled']);
  assert.equal(await sessionsOf(actor), 0);
});

test('7 a new password, a new sign-up or a link to verify lets in nobody who is disabled', async () => {
  const { db } = database;
  const actor = await makeUser(db);
  const { email } = actor;
  const browser = anybody();
  await browser.post('/forgot-password', { email });
  await disable(actor);
  const newPassword = 'another horse battery 7';
  const fields = { otp: await codeFor(db, email, 'resetPassword'), newPassword };
  const reset = await browser.post('/reset-password', { ...fields, confirmPassword: newPassword });
  assert.equal(reset.status, 302);
  assert.equal(locationOf(reset), '/reset-password?state=done');
  for (const password of [newPassword, PASSWORD]) {
    const answer = await browser.post('/login', { email, password });
    assert.equal(answer.status, password === PASSWORD ? 401 : 403);
  }
  await aMinuteLater(db, email);
  const anew = anybody();
  await anew.post('/signup', signUp(email));
  assert.deepEqual(await mailsTo(db, email, 'verifyEmail'), [], 'its owner is told, and no code is sent');
  assert.equal((await mailsTo(db, email, 'accountExists')).length, 1);
  assert.equal(await isIn(anew), false);
  assert.equal(await sessionsOf(actor), 0);
});

test('7 who does not know the password learns nothing of an account being disabled', async () => {
  const { db } = database;
  const [stopped, other] = [await makeUser(db), await makeUser(db)];
  await disable(stopped);
  const unknown = { email: `${randomUUID()}@example.com` };
  const ASKED: [path: string, fields: (email: string) => Record<string, string>][] = [
    ['/login', (email) => ({ email, password: 'a wrong one' })],
    ['/forgot-password', (email) => ({ email })],
    ['/signup', signUp],
  ];
  for (const [path, fields] of ASKED) {
    const said = async ({ email }: { email: string }) => {
      const answer = await anybody().post(path, fields(email));
      const names = answer.headers.getSetCookie().map((line) => line.split(/-[\da-f]{8}=|=/)[0]);
      const words = wordsOf(await answer.text()).replaceAll(email, 'somebody');
      return { status: answer.status, to: locationOf(answer).replaceAll(email, 'somebody'), names, words };
    };
    const first = await said(stopped);
    assert.deepEqual(first, await said(other), path);
    assert.deepEqual(first, await said(unknown), path);
  }
  const CALLS: [path: string, body: (email: string) => object][] = [
    ['/auth/login', (email) => ({ email, password: 'a wrong one' })],
    ['/auth/forgot-password', (email) => ({ email })],
    ['/auth/resend-otp', (email) => ({ email })],
    ['/auth/verify-otp', (email) => ({ email, otp: '000000' })],
    ['/auth/reset-password', (email) => ({ email, otp: '000000', newPassword: 'another horse 7' })],
  ];
  for (const [path, body] of CALLS) {
    const said = async ({ email }: { email: string }) => {
      const { status, body: answered } = await call(url, 'POST', path, body(email));
      return [status, JSON.stringify(answered).replaceAll(email, 'somebody')];
    };
    const both = [await makeUser(db), await makeUser(db)];
    await disable(both[0]!);
    assert.deepEqual(await said(both[0]!), await said(both[1]!), path);
  }
  // Whoever has the identity of somebody else's address is asked for the password, as with every account.
  const taken = await enterBy(anybody(), 'google', { email: stopped.email });
  assert.equal(taken.at, '/auth/link');
});

const pathOf = (address: string) => new URL(address).pathname + new URL(address).search;

test('7 the links of an approval mail decide nothing for whoever is disabled, and show no post', async () => {
  const { db } = database;
  const actor = await makePublisher(db, outside.url);
  const dueAt = new Date(Date.now() + 2 * 86_400_000);
  const postId = await makeScheduledPost(db, actor, { dueAt, content: 'A plan on a postcard gets read.' });
  await saveSettings(db, actor, { requireApproval: true });
  await mailApprovalRequests(db);
  const [mail] = await mailsTo(db, actor.email, 'approvalAsked');
  const page = pathOf(mail!.posts[0]!.link);
  const [path, search] = page.split('?') as [string, string];
  const browser = anybody();
  assert.equal((await browser.get(page)).status, 200);
  await disable(actor);
  const shown = await browser.get(page);
  assert.equal(shown.status, 404);
  assert.doesNotMatch(await shown.text(), /postcard/);
  for (const verb of ['approve', 'skip']) {
    assert.equal((await browser.post(`${path}/${verb}?${search}`, { revision: '0' })).status, 302);
    const { status, failure, decidedByEmailAt } = await readPost(db, postId);
    assert.deepEqual([status, failure, decidedByEmailAt], ['pending', null, null], verb);
  }
  await enable(actor);
  await browser.post(`${path}/approve?${search}`, { revision: '0' });
  assert.equal((await readPost(db, postId)).status, 'generated', 'the same link works again');
});

const connectionsOf = async ({ userId }: Actor) =>
  (
    await database.db
      .selectFrom('linkedinConnections')
      .select('userId')
      .where('userId', '=', userId)
      .execute()
  ).length;

test('7 no LinkedIn is connected to whoever is disabled by what was begun before', async () => {
  const { db } = database;
  const member = () => ({ email: `${randomUUID()}@members.example` });
  const actor = await makeUser(db);
  const { body } = await call(url, 'GET', '/linkedin/connect', undefined, await tokenOf(db, actor));
  const ticket = pathOf(body.authUrl);
  const begin = async (browser: Browser) => agree(locationOf(await browser.post(ticket)), member());
  const [asked, offered, own] = [anybody(), anybody(), await browserOf(db, actor, url)];
  const back = await begin(asked);
  const offer = await follow(offered, await begin(offered));
  assert.match(offer.html, /Connect this profile\?/);
  const ownBack = await agree(locationOf(await own.post('/app/linkedin/connect')), member());
  await disable(actor);

  const page = await anybody().get(ticket);
  assert.equal(page.status, 400);
  assert.equal((await anybody().post(ticket)).status, 400);
  await offered.post('/auth/linkedin/publish', { answer: 'yes' });
  await own.get(ownBack);
  const late = await follow(asked, back);
  await asked.post('/auth/linkedin/publish', { answer: 'yes' });
  assert.doesNotMatch(late.html, /LinkedIn is connected/);
  assert.equal(await connectionsOf(actor), 0);
});

test('7 a change of address that waits for its code ends with the sessions', async () => {
  const { db } = database;
  const actor = await makeUser(db);
  const browser = await browserOf(db, actor, url);
  const email = `${randomUUID()}@example.com`;
  const begun = await browser.post('/app/account?form=email', { email, password: PASSWORD });
  assert.ok(begun.status < 400, `${begun.status}`);
  const code = await codeFor(db, email, 'confirmNewEmail');
  await disable(actor);
  const { length } = await db
    .selectFrom('emailChanges')
    .select('userId')
    .where('userId', '=', actor.userId)
    .execute();
  assert.equal(length, 0);
  await browser.post('/app/account?form=code', boxes(code));
  await enable(actor);
  const again = await browserOf(db, actor, url);
  await again.post('/app/account?form=code', boxes(code));
  const user = await db.selectFrom('users').select('email').where('id', '=', actor.userId).executeTakeFirst();
  assert.equal(user!.email, actor.email);
});

test('7 an answer that is kept for its key is given to nobody who is disabled', async () => {
  const { db } = database;
  const actor = await makeUser(db);
  const token = await tokenOf(db, actor);
  const send = async () => {
    const answer = await fetch(`${url}/api/v1/topics`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': 'one',
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ name: 'Hiring' }),
    });
    await answer.arrayBuffer();
    return [answer.status, answer.headers.get('Idempotency-Replayed')];
  };
  assert.deepEqual(await send(), [201, null]);
  assert.deepEqual(await send(), [201, 'true']);
  await disable(actor);
  assert.deepEqual(await send(), [401, null]);
});

test('7 whoever is disabled still ends mails, keeps an account from being deleted, and writes to our support', async () => {
  const { db } = database;
  const actor = await makeUser(db);
  const { userId, email } = actor;
  const deletion = await requestDeletion(db, actor, null);
  await disable(actor);
  const ended = await fetch(url + pathOf(unsubscribeLink({ userId, address: email }, 'topics')), {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  });
  assert.equal(ended.status, 200);
  const browser = anybody();
  await browser.post(pathOf(cancelDeletionUrl(deletion)));
  const left = await db.selectFrom('accountDeletions').select('id').where('userId', '=', userId).execute();
  assert.deepEqual(left, []);
  assert.equal(await sessionsOf(actor), 0);
  const body = { name: 'Ada', email, category: 'general', subject: 'Why?', message: 'Why was I stopped?' };
  assert.equal((await call(url, 'POST', '/support/submit', body)).status, 201);
});
