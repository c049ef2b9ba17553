import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { clearMissingKey, reportMissingKey } from '#app/domain/linkedin/access/missing-key.ts';
import { sealTokens } from '#app/domain/linkedin/access/sealed-tokens.ts';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import { getConnection, markConnectionExpired, withAccessToken } from '#app/domain/linkedin/connection.ts';
import { endExpiredConnections } from '#app/domain/linkedin/sweep.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listFaultKeys } from '#app/domain/platform/operator-alerts.ts';
import { SecretUnreadable } from '#app/domain/platform/secrets.ts';
import { fetchProfile } from '#app/integrations/linkedin/oauth.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { connectLinkedIn } from '#tests/fixtures/linkedin.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { nobody, serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const outside = await startOutside();
// The sandbox gives refresh tokens to applications whose client id says "refresh".
process.env.LINKEDIN_CLIENT_ID = 'tidepost-refresh';
process.env.LINKEDIN_CLIENT_SECRET = 'tidepost-refresh-secret';
const { db, pool } = await testDatabase();
const DAY_MS = 86_400_000;

async function connected(): Promise<{ actor: Actor; memberSub: string; userId: string }> {
  const actor = await makeUser(db);
  return { actor, userId: actor.userId, ...(await connectLinkedIn(db, actor, outside.url)) };
}

const row = (userId: string) =>
  db.selectFrom('linkedinConnections').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow();
const change = (userId: string, set: object) =>
  db.updateTable('linkedinConnections').set(set).where('userId', '=', userId).execute();
const mailsOf = (userId: string) =>
  db.selectFrom('mails').select('kind').where('userId', '=', userId).execute();
/** An hour after the access token of a fresh connection ended. */
const afterTheEnd = () => new Date(Date.now() + 60 * DAY_MS + 3_600_000);

/** Runs `act` with LinkedIn's website at another address. */
const withWebsite = <T>(LINKEDIN_AUTH_URL: string, act: () => Promise<T>) =>
  withEnv({ LINKEDIN_AUTH_URL }, act);

test('a living connection gives the token and the author', async () => {
  const { userId, memberSub } = await connected();
  const access = (await withAccessToken(db, userId))!;
  assert.equal(access.authorUrn, `urn:li:person:${memberSub}`);
  assert.equal((await fetchProfile(access.token)).sub, memberSub);
  assert.equal(await withAccessToken(db, randomUUID()), undefined);
});

test('25 no token stands in any column of any table', async () => {
  const { userId } = await connected();
  const { token } = (await withAccessToken(db, userId))!;
  const { rows: tables } = await pool.query(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  for (const { name } of tables) {
    const { rows } = await pool.query(`select t::text as line from "${name}" t`);
    const dump = rows.map(({ line }) => line).join('\n');
    for (const part of [token.slice(0, 16), token.slice(-16)]) assert.ok(!dump.includes(part), name);
  }
});

test('25 sealed tokens open for their own user and column only', async () => {
  const [one, two] = [await connected(), await connected()];
  const [first, second] = [await row(one.userId), await row(two.userId)];
  await change(one.userId, { accessTokenSealed: second.accessTokenSealed });
  await assert.rejects(withAccessToken(db, one.userId));
  await change(two.userId, { accessTokenSealed: second.refreshTokenSealed! });
  await assert.rejects(withAccessToken(db, two.userId));
  await change(one.userId, { accessTokenSealed: first.accessTokenSealed });
  assert.ok(await withAccessToken(db, one.userId));
});

test('a token that ends within five minutes is renewed, and both tokens are stored', async () => {
  const { userId } = await connected();
  const before = await row(userId);
  const { token } = (await withAccessToken(db, userId))!;
  const soon = new Date(before.expiresAt.getTime() - 4 * 60_000);
  const renewed = (await withAccessToken(db, userId, soon))!;
  assert.notEqual(renewed.token, token);
  const after = await row(userId);
  assert.notEqual(after.accessTokenSealed, before.accessTokenSealed);
  assert.deepEqual(after.connectedAt, before.connectedAt);
  assert.equal((await withAccessToken(db, userId))!.token, renewed.token);
  assert.ok(await withAccessToken(db, userId, afterTheEnd()));
});

test('the end of the refresh token is kept as LinkedIn says it, and renewing does not put it off', async () => {
  const { userId } = await connected();
  const { refreshExpiresAt } = await row(userId);
  const days = (refreshExpiresAt!.getTime() - Date.now()) / DAY_MS;
  assert.ok(days > 364.9 && days <= 365, `${days}`);
  await withAccessToken(db, userId, afterTheEnd());
  const renewed = (await row(userId)).refreshExpiresAt!;
  assert.ok(Math.abs(renewed.getTime() - refreshExpiresAt!.getTime()) < 5_000, renewed.toISOString());
});

test('a connection whose refresh token ends first ends with its access token', async () => {
  const { userId, actor } = await connected();
  const { expiresAt } = await row(userId);
  assert.equal((await getConnection(db, actor))!.renewsItself, true);
  await change(userId, { refreshExpiresAt: new Date(expiresAt.getTime() - DAY_MS) });
  assert.equal((await getConnection(db, actor))!.renewsItself, false);
  assert.equal((await getConnection(db, actor, afterTheEnd()))!.isAlive, false);
  await endExpiredConnections(db, afterTheEnd());
  assert.equal((await row(userId)).status, 'expired');
});

test('two that renew at once both get a token that works', async () => {
  const { userId } = await connected();
  const both = await Promise.all([1, 2].map(() => withAccessToken(db, userId, afterTheEnd())));
  for (const access of both) assert.ok(await fetchProfile(access!.token));
});

test('a permission that has run out is ended by the sweep, and its owner is mailed once', async () => {
  const [ended, renewable] = [await connected(), await connected()];
  await change(ended.userId, { refreshTokenSealed: null });
  assert.equal((await getConnection(db, ended.actor, afterTheEnd()))!.isAlive, false);
  await endExpiredConnections(db, new Date());
  assert.equal((await row(ended.userId)).status, 'alive');
  await endExpiredConnections(db, afterTheEnd());
  await endExpiredConnections(db, afterTheEnd());
  assert.equal((await row(ended.userId)).status, 'expired');
  assert.deepEqual(await mailsOf(ended.userId), [{ kind: 'linkedInExpired' }]);
  assert.equal((await row(renewable.userId)).status, 'alive');
});

test('the sweep never ends a connection that is made while it looks', async () => {
  const { userId } = await connected();
  const now = new Date();
  const begun = new Date(now.getTime() - 1_000);
  await change(userId, { refreshTokenSealed: null, connectedAt: new Date(0), expiresAt: begun });
  const { promise: isMade, resolve: make } = Promise.withResolvers<void>();
  const { promise: isLocked, resolve: lock } = Promise.withResolvers<void>();
  const connecting = transact(db, async (trx) => {
    const expiresAt = new Date(now.getTime() + 60 * DAY_MS);
    const sealed = sealTokens(userId, { accessToken: 'a new one', refreshToken: null });
    const fresh = { connectedAt: begun, expiresAt, ...sealed };
    await trx.updateTable('linkedinConnections').set(fresh).where('userId', '=', userId).execute();
    lock();
    await isMade;
  });
  await isLocked;
  const sweeping = endExpiredConnections(db, now);
  for (const waits = "select from pg_locks where not granted and locktype = 'transactionid'"; ; )
    if ((await pool.query(waits)).rowCount) break;
  make();
  await Promise.all([connecting, sweeping]);
  assert.equal((await row(userId)).status, 'alive');
  assert.deepEqual(await mailsOf(userId), []);
});

test('25 a missing key is reported until every stored token can be opened', async () => {
  const { userId } = await connected();
  const { accessTokenSealed } = await row(userId);
  await change(userId, { accessTokenSealed: accessTokenSealed.replace(/^[^.]+/, 'gone') });
  await reportMissingKey(db, new SecretUnreadable('A stored secret names the key "gone".'));
  await clearMissingKey(db);
  assert.deepEqual(await listFaultKeys(db), ['secret-keys']);
  await change(userId, { accessTokenSealed });
  await clearMissingKey(db);
  assert.deepEqual(await listFaultKeys(db), []);
});

test('an ended token without a refresh token ends the connection, with one mail', async () => {
  const { userId, actor } = await connected();
  await change(userId, { refreshTokenSealed: null });
  const shortly = new Date((await row(userId)).expiresAt.getTime() - 60_000);
  assert.ok(await withAccessToken(db, userId, shortly));
  assert.equal(await withAccessToken(db, userId, afterTheEnd()), undefined);
  assert.equal(await withAccessToken(db, userId, afterTheEnd()), undefined);
  assert.equal((await row(userId)).status, 'expired');
  assert.equal((await getConnection(db, actor))!.isAlive, false);
  assert.deepEqual(
    (await mailsOf(userId)).map(({ kind }) => kind),
    ['linkedInExpired'],
  );
});

test('a refresh token that LinkedIn refuses ends the connection', async () => {
  const { userId, memberSub } = await connected();
  await outside.revoke(memberSub);
  assert.equal(await withAccessToken(db, userId, afterTheEnd()), undefined);
  assert.equal((await row(userId)).status, 'expired');
});

test('a LinkedIn that is away ends nothing', async () => {
  const { userId } = await connected();
  const before = await row(userId);
  const soon = new Date(before.expiresAt.getTime() - 60_000);
  const failing = await serve((_, res) => res.writeHead(503).end());
  for (const url of [failing, await nobody()]) {
    await withWebsite(url, async () => {
      assert.ok(await withAccessToken(db, userId, soon));
      await assert.rejects(withAccessToken(db, userId, afterTheEnd()));
    });
  }
  assert.deepEqual(await row(userId), before);
});

test('a refused token ends the connection once, and never one that was made after it was read', async () => {
  const { userId } = await connected();
  const { accessTokenSealed } = await row(userId);
  await transact(db, (trx) => markConnectionExpired(trx, userId, 'an older one'));
  assert.equal((await row(userId)).status, 'alive');
  for (const _ of [1, 2]) await transact(db, (trx) => markConnectionExpired(trx, userId, accessTokenSealed));
  assert.equal((await row(userId)).status, 'expired');
  await change(userId, { status: 'alive' });
  await transact(db, (trx) => markConnectionExpired(trx, userId, accessTokenSealed));
  assert.equal((await mailsOf(userId)).length, 1);
});

test('disconnecting forgets the tokens here and ends them at LinkedIn', async () => {
  const { userId, actor } = await connected();
  const { token } = (await withAccessToken(db, userId))!;
  await disconnect(db, actor);
  assert.equal(await getConnection(db, actor), null);
  assert.equal(await withAccessToken(db, userId), undefined);
  await assert.rejects(fetchProfile(token), { name: 'LinkedInRefused', code: 'REVOKED_ACCESS_TOKEN' });
  await disconnect(db, actor);
});

test('disconnecting works when LinkedIn is away or the key is gone', async () => {
  const [one, two] = [await connected(), await connected()];
  await withWebsite(await nobody(), () => disconnect(db, one.actor));
  assert.equal(await getConnection(db, one.actor), null);
  await change(two.userId, { accessTokenSealed: 'retired.a.b.c' });
  await disconnect(db, two.actor);
  assert.equal(await getConnection(db, two.actor), null);
});
