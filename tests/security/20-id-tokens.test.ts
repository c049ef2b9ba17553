import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, test } from 'node:test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { enterBy, follow, locationOf, sentBack } from '#tests/fixtures/oauth.ts';
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

const FORGED = [
  'wrong-issuer',
  'wrong-audience',
  'wrong-party',
  'wrong-signature',
  'unknown-key',
  'alg-none',
  'hs256',
  'expired',
  'old',
  'future',
  'no-subject',
  'replayed',
  'missing',
  'wrong-nonce',
  'no-nonce',
];

for (const kind of FORGED) {
  test(`20 an id token is refused: ${kind}`, async () => {
    const email = `${randomUUID()}@people.example`;
    await enterBy(new Browser(url), 'google', { email });
    await outside.fault(`google.id-token-${kind}`, { match: email });
    const browser = new Browser(url);
    const { html } = await enterBy(browser, 'google', { email });
    assert.match(html, /Authentication failed: provider_failed/);
    assert.equal(locationOf(await browser.get('/app/dashboard')), '/login');
  });
}

/** Changes the verifier that a browser has kept for the one journey it has begun. */
function keep(browser: Browser, verifier: string) {
  const [name, value] = [...browser.cookies].find(([each]) => each.startsWith('tidepost-oauth'))!;
  const kept = new URLSearchParams(value);
  kept.set(kept.get('state')!, verifier);
  browser.cookies.set(name, kept.toString());
}

test('20 a way back without PKCE, or with another verifier, signs nobody in', async () => {
  for (const [verifier, error] of [
    ['', 'state_invalid'],
    ['A'.repeat(43), 'provider_failed'],
  ] as const) {
    const browser = new Browser(url);
    const back = await sentBack(browser, 'google', { email: `${randomUUID()}@people.example` });
    keep(browser, verifier);
    const { html } = await follow(browser, back);
    assert.ok(html.includes(`Authentication failed: ${error}`), error);
    assert.equal(locationOf(await browser.get('/app/dashboard')), '/login');
  }
});

test('20 a code that was given to another browser signs nobody in', async () => {
  const [browser, other] = [new Browser(url), new Browser(url)];
  const mine = new URL(await sentBack(browser, 'google', { email: `${randomUUID()}@people.example` }), url);
  const theirs = new URL(await sentBack(other, 'google', { email: `${randomUUID()}@people.example` }), url);
  mine.searchParams.set('code', theirs.searchParams.get('code')!);
  const { html } = await follow(browser, mine.pathname + mine.search);
  assert.match(html, /Authentication failed: provider_failed/);
  assert.equal(locationOf(await browser.get('/app/dashboard')), '/login');
});

test('20 a key that Google has changed is fetched anew', async () => {
  const email = `${randomUUID()}@people.example`;
  await outside.fault('google.id-token-new-key', { match: email });
  const browser = new Browser(url);
  await enterBy(browser, 'google', { email });
  assert.equal((await browser.get('/app/dashboard')).status, 200);
});

test('20 an answer that names another issuer is refused before a token is asked for', async () => {
  const email = `${randomUUID()}@people.example`;
  await outside.fault('google.callback-other-issuer', { match: email });
  const { html } = await enterBy(new Browser(url), 'google', { email });
  assert.match(html, /Authentication failed: provider_failed/);
});

test('20 a sign-in goes by the subject, and never by the address', async () => {
  const owner = await makeUser(database.db);
  const email = `${randomUUID()}@people.example`;
  const browser = new Browser(url);
  await enterBy(browser, 'google', { email });
  await database.db
    .updateTable('identities')
    .set({ userId: owner.userId })
    .where('email', '=', email)
    .execute();
  const again = new Browser(url);
  await enterBy(again, 'google', { email });
  assert.ok((await again.read('/app/account/security')).includes(owner.email));
});

test('20 what LinkedIn knows as a subject is nobody at Google', async () => {
  const email = `${randomUUID()}@people.example`;
  await enterBy(new Browser(url), 'google', { email });
  const rows = await database.db.selectFrom('identities').selectAll().where('email', '=', email).execute();
  const subject = rows[0]!.subject;
  await database.db
    .updateTable('identities')
    .set({ provider: 'linkedin' })
    .where('subject', '=', subject)
    .execute();
  const browser = new Browser(url);
  const back = await browser.get(await sentBack(browser, 'google', { email }));
  assert.equal(locationOf(back), '/auth/link', 'it is asked for the account of the address');
});
