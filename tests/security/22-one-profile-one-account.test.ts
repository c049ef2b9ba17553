import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, test } from 'node:test';
import { createPendingConnection } from '#app/domain/linkedin/connect/pending.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { agree, enterBy, follow, locationOf } from '#tests/fixtures/oauth.ts';
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

async function person() {
  const { email, userId } = await makeUser(database.db);
  const browser = new Browser(url);
  await browser.post('/login', { email, password: PASSWORD });
  return { browser, userId };
}

const connect = async (browser: Browser, email: string) =>
  follow(browser, await agree(locationOf(await browser.post('/app/linkedin/connect')), { email }));
const connections = (userId: string) =>
  database.db.selectFrom('linkedinConnections').selectAll().where('userId', '=', userId).execute();

test('22 a profile that is connected to one account is refused to another, whichever way it comes', async () => {
  const [one, two] = [await person(), await person()];
  const email = `${randomUUID()}@members.example`;
  await connect(one.browser, email);
  await connect(two.browser, email);
  assert.match(await two.browser.read('/app/linkedin'), /Not connected/);
  assert.equal((await connections(two.userId)).length, 0);
  assert.equal((await connections(one.userId)).length, 1, 'and stays where it is');

  const three = new Browser(url);
  const entered = await enterBy(three, 'linkedin', { email });
  assert.ok(entered.html.includes('url=/app/dashboard'), 'nobody is asked to publish with it');
  assert.match(await three.read('/app/linkedin'), /Not connected/);
});

test('22 disconnecting deletes the tokens and what LinkedIn gave besides', async () => {
  const { browser, userId } = await person();
  await connect(browser, `${randomUUID()}@members.example`);
  const { sub } = await outside.token(`${randomUUID()}@members.example`);
  const profile = { sub, name: 'Ada Marlow', email: null, picture: null, isEmailVerified: false };
  const hour = new Date(Date.now() + 3_600_000);
  const tokens = { accessToken: 'given', refreshToken: null, expiresAt: hour, refreshExpiresAt: null };
  await createPendingConnection(database.db, userId, { tokens: { ...tokens, scopes: undefined }, profile });
  await browser.post('/app/linkedin/disconnect');
  assert.deepEqual(await connections(userId), []);
  const offers = await database.db
    .selectFrom('pendingLinkedinConnections')
    .selectAll()
    .where('userId', '=', userId)
    .execute();
  assert.deepEqual(offers, []);
});

test('22 an identity that signs in to one account cannot be linked to another', async () => {
  const email = `${randomUUID()}@people.example`;
  await enterBy(new Browser(url), 'google', { email });
  const { browser, userId } = await person();
  const begun = await browser.post('/app/account/security/link', { provider: 'google', password: PASSWORD });
  const { at } = await follow(browser, await agree(locationOf(begun), { email }));
  assert.equal(at, '/app/account/security');
  const rows = await database.db.selectFrom('identities').selectAll().where('userId', '=', userId).execute();
  assert.deepEqual(rows, []);
});
