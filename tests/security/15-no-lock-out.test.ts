import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { aMinuteLater, cheapHash, mailsTo, makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser } from '#tests/harness/http/browser.ts';
import { startWeb } from '#tests/harness/web.ts';

const { db, url: databaseUrl } = await testDatabase();
let url: string;
before(async () => {
  ({ url } = await startWeb({ databaseUrl, env: { TRUST_PROXY: 'x-forwarded-for' } }));
});

const anHourAgo = new Date(Date.now() - 3_700_000);

/** What the API answers to a sign-in from an address. */
async function signIn(email: string, password: string, from: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': from };
  const body = JSON.stringify({ email, password });
  return (await fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers, body })).status;
}

/** The statuses of so many wrong sign-ins at once, which are within one minute on any machine. */
async function guess(email: string, calls: number, from: (nth: number) => string): Promise<number[]> {
  await db
    .updateTable('users')
    .set({ passwordHash: await cheapHash() })
    .where('email', '=', email)
    .execute();
  return Promise.all(Array.from({ length: calls }, (_, nth) => signIn(email, 'not the password', from(nth))));
}

/** A hundred wrong sign-ins, each from an address of its own. */
const flood = (email: string, net: string) => guess(email, 100, (nth) => `${net}.${nth}`);

test('15 a hundred wrong sign-ins from elsewhere lock the owner out of nothing at their usual address', async () => {
  const { email } = await makeUser(db);
  assert.equal(await signIn(email, PASSWORD, '10.3.0.1'), 200);
  const statuses = await flood(email, '10.3.1');
  assert.ok(statuses.includes(429), 'a hundred addresses share the limit of the account');
  assert.equal(await signIn(email, PASSWORD, '10.3.2.1'), 429);
  assert.equal(await signIn(email, PASSWORD, '10.3.0.1'), 200);
  assert.equal(await signIn(email, 'not the password', '10.3.0.1'), 401);
});

test('15 the owner signs in at any address, in the middle of a flood, in a browser that signed in before', async () => {
  const { email } = await makeUser(db);
  const at = (from: string, cookies = new Map<string, string>()) => {
    const browser = new Browser(url, { 'X-Forwarded-For': from });
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    return browser;
  };
  const signInWith = async (browser: Browser, password = PASSWORD) =>
    (await browser.post('/login', { email, password })).status;
  const own = at('10.6.0.1');
  assert.equal(await signInWith(own), 302);
  await own.post('/logout');
  assert.ok((await flood(email, '10.6.1')).includes(429));
  assert.equal(await signInWith(at('10.6.2.1')), 429, 'a browser that nobody knows');
  assert.equal(await signInWith(at('10.6.2.2', own.cookies)), 302);

  const other = at('10.6.0.2');
  await other.post('/login', { email: (await makeUser(db)).email, password: PASSWORD });
  await other.post('/logout');
  assert.equal(await signInWith(at('10.6.2.3', other.cookies)), 429, 'one that another account knows');
  const taken = await Promise.all(
    Array.from({ length: 40 }, (_, nth) => signInWith(at(`10.6.3.${nth}`, own.cookies), 'not the password')),
  );
  assert.ok(taken.includes(429), 'and whoever has taken its cookie guesses no more than others');
});

test('15 a hundred wrong sign-ins from one address lock out nobody at another', async () => {
  const { email } = await makeUser(db);
  await guess(email, 100, () => '10.4.0.1');
  assert.equal(await signIn(email, PASSWORD, '10.4.0.1'), 429);
  assert.equal(await signIn(email, PASSWORD, '10.4.0.2'), 200);
});

test('15 no flood ends a session, and the owner who stays signed in goes on', async () => {
  const { email } = await makeUser(db);
  const browser = new Browser(url);
  await browser.post('/login', { email, password: PASSWORD });
  await flood(email, '10.5.1');
  assert.equal((await browser.get('/app/topics')).status, 200);
});

test('15 a stranger who asks for all the codes of a day keeps no owner from a new password', async () => {
  const { email } = await makeUser(db);
  const own = new Browser(url, { 'X-Forwarded-For': '10.7.0.1' });
  await own.post('/login', { email, password: PASSWORD });
  await own.post('/logout');
  const ask = (from: string) => {
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': from };
    const init = { method: 'POST', headers, body: JSON.stringify({ email }) };
    return fetch(`${url}/api/v1/auth/forgot-password`, init).then(({ status }) => status);
  };
  const statuses: number[] = [];
  for (let nth = 0; nth < 11; nth += 1) {
    statuses.push(await ask(`10.7.1.${nth}`));
    await db.updateTable('codeRequests').set({ requestedAt: anHourAgo }).where('email', '=', email).execute();
  }
  assert.deepEqual(statuses, [...Array(10).fill(200), 429]);
  const mailed = async () => (await mailsTo(db, email, 'resetPassword')).length;
  assert.equal(await mailed(), 10);
  const elsewhere = new Browser(url, { 'X-Forwarded-For': '10.7.2.1' });
  for (const [name, value] of own.cookies) elsewhere.cookies.set(name, value);
  assert.equal((await elsewhere.post('/forgot-password', { email })).status, 302, 'a browser that it knows');
  assert.equal((await elsewhere.post('/reset-password/resend')).status, 302);
  assert.equal(await mailed(), 11, 'a minute apart, like everybody');
  await aMinuteLater(db, email);
  await elsewhere.post('/reset-password/resend');
  assert.equal(await mailed(), 12);
  await aMinuteLater(db, email);
  assert.equal(await ask('10.7.0.1'), 200, 'an address that it knows');
  assert.equal(await ask('10.7.0.1'), 429);
  for (let nth = 0; nth < 12; nth += 1) {
    await db.updateTable('codeRequests').set({ requestedAt: anHourAgo }).where('email', '=', email).execute();
    await ask('10.7.0.1');
  }
  assert.equal(await mailed(), 20, 'and whoever has taken them has ten more mailed, and no others');
});
