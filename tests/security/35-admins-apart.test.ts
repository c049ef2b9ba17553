import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { findPauses } from '#app/domain/publishing/safety/pause.ts';
import { codeFor, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { browserOf, inSession, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { type Browser, call, Browser as NewBrowser, wordsOf } from '#tests/harness/http/browser.ts';
import { API_PATHS, filled, PAGE_PATHS } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
});

const REASON = `Not found on the statement, "please" look <again> & tell us ${'明日また'.repeat(110)}`;

/** All sessions of somebody are as old as this, as far as the password is concerned. */
const provedBefore = ({ userId }: Actor, minutes: number) =>
  database.db
    .updateTable('sessions')
    .set({ reauthenticatedAt: new Date(Date.now() - minutes * 60_000) })
    .where('userId', '=', userId)
    .execute();

async function statusOf(id: string) {
  const { status, rejectReason } = await database.db
    .selectFrom('payments')
    .select(['status', 'rejectReason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return [status, rejectReason];
}

const makePending = async () => (await makePayment(database.db, await makeUser(database.db), 1)).id;

/** The hidden fields of the form that asks for the password, and where it is sent. */
async function confirmForm(browser: Browser) {
  const page = await browser.read('/app/confirm');
  const form = /<form[^>]*id="confirm"[\s\S]*?<\/form>/.exec(page)?.[0];
  assert.ok(form, wordsOf(page));
  const plain = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const hidden = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return {
    action: plain(/action="([^"]+)"/.exec(form)![1]!),
    fields: Object.fromEntries(hidden.map(([, name, value]) => [name!, plain(value!)])),
    page,
  };
}

test('35 admin pages and calls are there for admins alone', async () => {
  const { db } = database;
  const admin = await makeUser(db, { isAdmin: true });
  const former = await makeUser(db, { isAdmin: true });
  const readers = [
    { browser: new NewBrowser(url), token: undefined, page: 302, api: 401 },
    { ...(await signedIn(await makeUser(db))), page: 403, api: 403 },
    { ...(await signedIn(former)), page: 403, api: 403 },
  ];
  await db.updateTable('users').set({ role: 'user' }).where('id', '=', former.userId).execute();
  const pages = PAGE_PATHS.filter((path) => path.startsWith('/app/admin'));
  const calls = API_PATHS.filter((path) => path.includes('/admin/'));
  assert.ok(pages.length >= 6 && calls.length >= 4);
  for (const { browser, token, page, api } of readers) {
    for (const path of pages) assert.equal((await browser.get(filled(path))).status, page, path);
    for (const path of calls) {
      const method = /verify|reject/.test(path) ? 'POST' : path.endsWith('/status') ? 'PUT' : 'GET';
      assert.equal(
        (await call(url, method, filled(path), method === 'GET' ? undefined : {}, token)).status,
        api,
        path,
      );
    }
  }
  const { browser } = await signedIn(admin);
  for (const path of ['/app/admin', '/app/admin/audit']) assert.equal((await browser.get(path)).status, 200);
});

async function signedIn(actor: Actor) {
  return { browser: await browserOf(database.db, actor, url), token: await tokenOf(database.db, actor) };
}

/** What admins change without the password: a brake has to be in reach at once. */
const ASKS_NOT = ['/app/admin/publishing'];

test('35 whatever admins change asks for the password again, on a page and by a call', async () => {
  const { db } = database;
  const admin = await makeUser(db, { isAdmin: true });
  const { browser, token } = await signedIn(admin);
  await provedBefore(admin, 16);
  const asking: string[] = [];
  for (const path of PAGE_PATHS.filter((each) => /^\/app\/admin(\/|$)/.test(each))) {
    if (ASKS_NOT.includes(path)) continue;
    const answer = await browser.post(filled(path));
    if (answer.status === 405) continue;
    assert.deepEqual([path, answer.headers.get('Location')], [path, '/app/confirm']);
    asking.push(path);
  }
  for (const path of API_PATHS.filter((each) => each.includes('/admin/') && !ASKS_NOT.includes(each))) {
    const { headers } = await fetch(`${url}/api/v1${filled(path)}`, { method: 'PATCH' });
    const methods = headers
      .get('Allow')!
      .split(', ')
      .filter((each) => each !== 'GET' && each !== 'HEAD');
    for (const method of methods) {
      const { status, body } = await call(
        url,
        method,
        filled(path),
        { reason: 'No', status: 'closed' },
        token,
      );
      assert.deepEqual([path, status, body.code], [path, 403, 'confirm_required']);
      asking.push(path);
    }
  }
  assert.ok(asking.length >= 4, `${asking}`);
});

test('35 publishing is paused at once, and only with the password it goes on or the end is moved', async () => {
  const { db } = database;
  const admin = await makeUser(db, { isAdmin: true });
  const { browser } = await signedIn(admin);
  const page = '/app/admin/publishing';
  const pause = async () => (await findPauses(db, new Date())).find(({ by }) => by === 'admin');
  await provedBefore(admin, 16);
  assert.equal((await browser.post(page, { reason: 'Care', until: '' })).headers.get('Location'), page);
  assert.equal((await pause())?.reason, 'Care');

  const sooner = { reason: 'Over soon', until: '2099-06-01T10:30' };
  assert.equal((await browser.post(page, sooner)).headers.get('Location'), '/app/confirm');
  assert.deepEqual([(await pause())?.reason, (await pause())?.until], ['Care', null]);
  const change = await confirmForm(browser);
  assert.deepEqual([change.action, change.fields], [page, sooner]);
  await browser.post(change.action, { ...change.fields, 'proof-password': PASSWORD });
  assert.equal((await pause())?.reason, 'Over soon');

  await provedBefore(admin, 16);
  assert.equal((await browser.post(`${page}/resume`)).headers.get('Location'), '/app/confirm');
  assert.equal((await pause())?.reason, 'Over soon');
  const { action, fields } = await confirmForm(browser);
  assert.equal(action, `${page}/resume`);
  const gone = await browser.post(action, { ...fields, 'proof-password': PASSWORD });
  assert.equal(gone.headers.get('Location'), page);
  assert.equal(await pause(), undefined);
});

test('35 verifying and rejecting ask for the password again after a quarter of an hour, and then go on', async () => {
  const { db } = database;
  const admin = await makeUser(db, { isAdmin: true });
  const { browser } = await signedIn(admin);
  const [verified, rejected] = [await makePending(), await makePending()];
  const verify = `/app/admin/payments/${verified}/verify`;
  await provedBefore(admin, 14);
  const fresh = await makePending();
  await browser.post(`/app/admin/payments/${fresh}/verify`);
  assert.deepEqual(await statusOf(fresh), ['active', null], 'within the quarter nothing is asked');

  await provedBefore(admin, 16);
  assert.equal((await browser.post(verify)).headers.get('Location'), '/app/confirm');
  assert.deepEqual(await statusOf(verified), ['pending', null]);
  const asked = await confirmForm(browser);
  assert.deepEqual([asked.action, asked.fields], [verify, {}]);

  const wrong = await browser.post(verify, { 'proof-password': 'a guess' });
  assert.equal(wrong.headers.get('Location'), '/app/confirm');
  assert.deepEqual(await statusOf(verified), ['pending', null]);
  assert.match(wordsOf((await confirmForm(browser)).page), /This is not your password/);
  await browser.post(verify, { 'proof-password': '' });
  assert.match(wordsOf((await confirmForm(browser)).page), /Please enter your password/);

  const right = await browser.post(verify, { 'proof-password': PASSWORD });
  assert.equal(right.headers.get('Location'), '/app/admin?tab=payments');
  assert.deepEqual(await statusOf(verified), ['active', null]);
  assert.equal((await browser.get('/app/confirm')).headers.get('Location'), '/app', 'nothing waits any more');

  await provedBefore(admin, 16);
  const reject = `/app/admin?reject=${rejected}`;
  assert.equal((await browser.post(reject, { reason: REASON })).headers.get('Location'), '/app/confirm');
  const kept = await confirmForm(browser);
  assert.deepEqual([kept.action, kept.fields], [reject, { reason: REASON }]);
  await browser.post(kept.action, { ...kept.fields, 'proof-password': PASSWORD });
  assert.deepEqual(await statusOf(rejected), ['rejected', REASON]);
});

test('35 what waits for the password is of the session that asked, and comes back with no password in it', async () => {
  const { db } = database;
  const admin = await makeUser(db, { isAdmin: true });
  const { browser } = await signedIn(admin);
  await provedBefore(admin, 16);
  const payment = await makePending();
  await browser.post(`/app/admin?reject=${payment}`, { reason: '', 'proof-password': 'a wrong one' });
  const { page, fields } = await confirmForm(browser);
  assert.ok(!page.includes('a wrong one'));
  assert.deepEqual(fields, { reason: '' });
  const refused = await browser.post(`/app/admin?reject=${payment}`, {
    reason: '',
    'proof-password': PASSWORD,
  });
  assert.equal(refused.status, 422);
  assert.ok(!(await refused.text()).includes(PASSWORD));

  const other = await browserOf(db, await makeUser(db, { isAdmin: true }), url);
  await provedBefore(admin, 16);
  await browser.post(`/app/admin?reject=${payment}`, { reason: REASON });
  other.cookies.set('confirm', browser.cookies.get('confirm')!);
  assert.equal((await other.get('/app/confirm')).headers.get('Location'), '/app');
  const foreign = { 'proof-password': PASSWORD, reason: 'x'.repeat(40_000) };
  assert.equal((await browser.post(`/app/admin?reject=${'9'.repeat(500)}`, foreign)).status < 500, true);
});

test('35 an admin without a password confirms with a code from a mail', async () => {
  const { db } = database;
  const admin = await makeUser(db, { isAdmin: true });
  await db.updateTable('users').set({ passwordHash: null }).where('id', '=', admin.userId).execute();
  const { browser } = await signedIn(admin);
  await provedBefore(admin, 16);
  const payment = await makePending();
  const verify = `/app/admin/payments/${payment}/verify`;
  await browser.post(verify);
  assert.match((await confirmForm(browser)).page, /Mail me a code/);
  assert.equal((await browser.post('/app/confirm/code')).headers.get('Location'), '/app/confirm');
  await browser.post(verify, { 'proof-secret-code': await codeFor(db, admin.email, 'proveOwner') });
  assert.deepEqual(await statusOf(payment), ['active', null]);
});

test('35 calls that verify and reject want the password of a quarter of an hour, and tokens with a name have none', async () => {
  const { db } = database;
  const admin = await makeUser(db, { isAdmin: true });
  const { token } = await signedIn(admin);
  const payment = await makePending();
  await provedBefore(admin, 16);
  const verify = (by: string) => call(url, 'POST', `/admin/verify-payment/${payment}`, {}, by);
  const reject = (by: string) => call(url, 'POST', `/admin/reject-payment/${payment}`, { reason: 'No' }, by);
  const { secret } = await createToken(db, await inSession(db, admin), { name: 'CI', scope: 'write' });
  for (const answer of [
    await verify(token),
    await reject(token),
    await verify(secret),
    await reject(secret),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [403, 'confirm_required']);
  }
  const wrong = await call(url, 'POST', '/account/confirm', { password: 'a guess' }, token);
  assert.deepEqual([wrong.status, wrong.body.code], [403, 'wrong_password']);
  assert.equal((await verify(token)).status, 403);
  assert.equal((await call(url, 'POST', '/account/confirm', { password: PASSWORD }, token)).status, 200);
  assert.equal((await verify(secret)).status, 403, 'the proof of another token');
  assert.equal((await verify(token)).status, 200);
});
