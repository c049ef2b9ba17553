import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { eraseDue } from '#app/domain/account-deletion/erase.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { startErasing } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { addPasskey, beginPasskey } from '#app/domain/accounts/two-step/register-passkey.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { agree, enterBy, follow, locationOf, sentBack } from '#tests/fixtures/oauth.ts';
import { TestPasskey } from '#tests/fixtures/passkeys.ts';
import { makePublisher } from '#tests/fixtures/posts.ts';
import { browserOf, inSession, tokenOf } from '#tests/fixtures/sessions.ts';
import { makeApp } from '#tests/fixtures/two-step.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { Browser, boxes, call } from '#tests/harness/http/browser.ts';
import { nobody, startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWeb } from '#tests/harness/web.ts';
import { withEnv } from '#tests/harness/with-env.ts';
import { until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const { db, pool, url: databaseUrl } = await testDatabase();
/** Seven days are over since a quarter of an hour. */
const LONG_AGO = new Date(Date.now() - 7 * 86_400_000 - 15 * 60_000);
const OVER = 'This account is being deleted, and nobody can sign in to it any more.';
let url: string;
before(async () => {
  ({ url } = await startWeb({ databaseUrl }));
});

const sessionsOf = ({ userId }: Pick<Actor, 'userId'>) =>
  db.selectFrom('sessions').select('id').where('userId', '=', userId).execute();

/** The erasing of the account has begun, and waits for LinkedIn, which is away. */
async function beginToErase(actor: Actor): Promise<void> {
  await withEnv({ LINKEDIN_AUTH_URL: await nobody() }, () => eraseDue(db));
  const row = db.selectFrom('accountDeletions').select('erasingAt').where('userId', '=', actor.userId);
  assert.ok((await row.executeTakeFirstOrThrow()).erasingAt, 'it waits');
}

async function makeLeaver(): Promise<Actor> {
  const actor = await makePublisher(db, outside.url);
  await requestDeletion(db, actor, null, LONG_AGO);
  return actor;
}

async function makePasskey(actor: Actor): Promise<TestPasskey> {
  const passkey = new TestPasskey(url);
  const rp = { id: new URL(url).hostname, origin: url };
  const { options, challengeId } = await beginPasskey(db, actor, rp);
  const added = { name: 'Key', challengeId, response: passkey.make(options) };
  await addPasskey(db, await inSession(db, actor), added, rp);
  return passkey;
}

async function signWith(passkey: TestPasskey): Promise<Response> {
  const browser = new Browser(url);
  const { options } = await (await browser.post('/login/passkey', { step: 'alone' })).json();
  const answer = { step: 'alone', response: JSON.stringify(passkey.sign(options)) };
  const done = await browser.post('/login/passkey', answer);
  assert.match(await browser.read('/login'), new RegExp(OVER));
  assert.ok(!browser.cookies.has('tidepost'));
  return done;
}

test('66 from the moment an account is erased a password, a page and a token open it no more', async () => {
  const leaver = await makeLeaver();
  const [open, token] = [await browserOf(db, leaver, url), await tokenOf(db, leaver)];
  assert.equal((await open.get('/app/account')).status, 200, 'until then its owner may keep it');
  await beginToErase(leaver);
  assert.equal(locationOf(await open.get('/app/account')), '/login');
  assert.equal((await call(url, 'GET', '/auth/me', undefined, token)).status, 401);

  const browser = new Browser(url);
  const page = await browser.post('/login', { email: leaver.email, password: PASSWORD });
  assert.equal(page.status, 403);
  assert.match(await page.text(), new RegExp(OVER));
  assert.ok(!browser.cookies.has('tidepost'));
  const api = await call(url, 'POST', '/auth/login', { email: leaver.email, password: PASSWORD });
  assert.deepEqual([api.status, api.body.code, api.body.message], [403, 'account_erased', OVER]);
  assert.deepEqual(await sessionsOf(leaver), []);
  const wrong = await call(url, 'POST', '/auth/login', { email: leaver.email, password: 'not the password' });
  assert.equal(wrong.status, 401, 'who does not know the password learns nothing');
});

test('66 nor a provider, also for who was on the way back', async () => {
  const leaver = await makeLeaver();
  const subject = `${randomUUID()}@people.example`;
  const linked = await browserOf(db, leaver, url);
  const begun = await linked.post('/app/account/security/link', { provider: 'google' });
  assert.equal(begun.status, 302);
  await follow(linked, await agree(locationOf(begun), { email: subject }));
  const identities = db.selectFrom('identities').select('provider').where('userId', '=', leaver.userId);
  assert.equal((await identities.execute()).length, 1);
  const onTheWay = new Browser(url);
  const back = await onTheWay.get(await sentBack(onTheWay, 'google', { email: subject }));
  assert.match(locationOf(back), /token=/);
  await beginToErase(leaver);
  const late = await onTheWay.get(locationOf(back));
  assert.equal(late.status, 400);
  const again = new Browser(url);
  const { html } = await enterBy(again, 'google', { email: subject });
  assert.match(html, new RegExp(OVER));
  for (const browser of [onTheWay, again]) assert.ok(!browser.cookies.has('tidepost'));
  assert.deepEqual(await sessionsOf(leaver), []);
});

test('66 nor a passkey, nor the second step that was begun before', async () => {
  const [leaver, other] = [await makeLeaver(), await makeLeaver()];
  const passkey = await makePasskey(leaver);
  const { codeAt } = await makeApp(db, other);
  const half = new Browser(url);
  const step = await half.post('/login', { email: other.email, password: PASSWORD });
  assert.equal(locationOf(step), '/login/second-step');
  await beginToErase(leaver);
  await beginToErase(other);
  assert.equal(locationOf(await signWith(passkey)), '/login');
  const answer = await half.post('/login/second-step', boxes(codeAt(new Date())));
  assert.equal(answer.status, 403);
  const typed = { otp: codeAt(new Date(Date.now() + 30_000)), email: other.email, password: PASSWORD };
  assert.equal((await call(url, 'POST', '/auth/login', typed)).body.code, 'account_erased');
  assert.deepEqual([...(await sessionsOf(leaver)), ...(await sessionsOf(other))], []);
});

test('66 a sign-in of the same moment waits for the erasing, and is refused', async () => {
  const leaver = await makeUser(db);
  await requestDeletion(db, leaver, null, LONG_AGO);
  let signedIn: Promise<unknown> = Promise.resolve();
  await transact(db, async (trx) => {
    await startErasing(trx, leaver.userId, new Date());
    signedIn = createSession(db, leaver.userId, 'web', 'test').catch((error) => error.code);
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await until('it waits', async () => (await pool.query(waiting)).rowCount === 1);
  });
  assert.equal(await signedIn, 'account_erased');
  assert.deepEqual(await sessionsOf(leaver), []);
});
