import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { withAccessToken } from '#app/domain/linkedin/connection.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listFaultKeys, listOperatorFaults } from '#app/domain/platform/operator-alerts.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { connectLinkedIn, setConnection } from '#tests/fixtures/linkedin.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { serve, startOutside } from '#tests/harness/outside/sandbox.ts';
import { withEnv } from '#tests/harness/with-env.ts';

const outside = await startOutside();
// The sandbox gives refresh tokens to applications whose client id says "refresh".
process.env.LINKEDIN_CLIENT_ID = 'tidepost-refresh';
process.env.LINKEDIN_CLIENT_SECRET = 'tidepost-refresh-secret';
const { db } = await testDatabase();
const MINUTE = 60_000;
const later = (ms: number) => new Date(Date.now() + ms);

const connectionOf = ({ userId }: Actor) =>
  db.selectFrom('linkedinConnections').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow();
const expiryMails = async ({ userId }: Actor) => {
  const mails = db.selectFrom('mails').select('id').where('userId', '=', userId);
  return (await mails.where('kind', '=', 'linkedInExpired').execute()).length;
};
const deliveryOf = (postId: string) =>
  db.selectFrom('postSchedules').selectAll().where('postId', '=', postId).executeTakeFirstOrThrow();

/** A publisher whose access token has ended, and a post of theirs that is due. */
async function endedPublisher() {
  const actor = await makePublisher(db, outside.url);
  const ended = { expiresAt: later(-MINUTE) };
  await setConnection(db, actor, ended);
  return { actor, postId: await makeScheduledPost(db, actor, { dueAt: later(-1_000) }) };
}

const answering = async <T>(listener: RequestListener, act: () => Promise<T>) =>
  withEnv({ LINKEDIN_AUTH_URL: await serve(listener) }, act);
const refusing =
  (status: number, body: object | string, headers = {}): RequestListener =>
  (req, res) => {
    req.resume();
    res.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Nothing has ended, nobody is mailed, and the post waits to be tried again without a lease. */
async function assertPostponed(actor: Actor, postId: string, seconds: [number, number]) {
  const { status } = await connectionOf(actor);
  const { heldAt, leaseToken, notBefore } = await deliveryOf(postId);
  assert.deepEqual([status, heldAt, leaseToken], ['alive', null, null]);
  assert.equal(await expiryMails(actor), 0);
  const wait = (notBefore!.getTime() - Date.now()) / 1_000;
  assert.ok(wait > seconds[0] && wait <= seconds[1], `${wait} s`);
}

test('a wrong client secret is for the operator: no connection ends, the post waits, and it is taken back', async () => {
  const { actor, postId } = await endedPublisher();
  await withEnv({ LINKEDIN_CLIENT_SECRET: 'wrong' }, () => publishPost(db, postId));
  await assertPostponed(actor, postId, [30, 60]);
  const [fault] = await listOperatorFaults(db);
  assert.equal(fault!.key, 'linkedin-client');
  assert.match(fault!.message, /invalid_client: Client authentication failed.*LINKEDIN_CLIENT_SECRET/);
  await publishPost(db, postId, later(2 * MINUTE));
  assert.deepEqual(await listFaultKeys(db), []);
  assert.equal((await deliveryOf(postId)).status, 'published');
});

test('every fault of the application itself is for the operator', async () => {
  for (const [status, error, error_description] of [
    [400, 'invalid_client_id', 'The passed in client_id is invalid "x"'],
    [400, 'unauthorized_client', 'This application is not allowed'],
    [400, 'invalid_redirect_uri', 'The redirect_uri is not registered'],
    [400, 'invalid_request', 'A required parameter "client_id" is missing'],
    [401, 'invalid_client', 'The grant of this client was revoked\0'],
  ] as const) {
    const { actor, postId } = await endedPublisher();
    await answering(refusing(status, { error, error_description }), () => publishPost(db, postId));
    await assertPostponed(actor, postId, [30, 60]);
    const [fault] = await listOperatorFaults(db);
    assert.ok(fault!.message.includes(error), fault!.message);
  }
});

test('a permission that is over ends the connection with one mail, and is no fault of the operator', async () => {
  await db.deleteFrom('operatorAlerts').execute();
  for (const [error, error_description] of [
    ['invalid_grant', ''],
    ['invalid_request', 'The provided authorization grant or refresh token is invalid, expired or revoked'],
  ] as const) {
    const { actor, postId } = await endedPublisher();
    await answering(refusing(400, { error, error_description }), () => publishPost(db, postId));
    assert.equal((await connectionOf(actor)).status, 'expired', error);
    assert.equal(await expiryMails(actor), 1);
    assert.ok((await deliveryOf(postId)).heldAt);
  }
  assert.deepEqual(await listFaultKeys(db), []);
});

test('a token endpoint that does not deal with us now is asked again when it says', async () => {
  for (const status of [400, 403, 404, 429, 500, 503]) {
    const { actor, postId } = await endedPublisher();
    await answering(refusing(status, '<html>No</html>'), () => publishPost(db, postId));
    await assertPostponed(actor, postId, [30, 60]);
  }
  for (const status of [429, 503]) {
    const { actor, postId } = await endedPublisher();
    await answering(refusing(status, '', { 'Retry-After': '900' }), () => publishPost(db, postId));
    await assertPostponed(actor, postId, [800, 900]);
  }
  assert.deepEqual(await listFaultKeys(db), []);
});

test('a wrong client secret is reported when somebody connects, and a connection takes that back', async () => {
  const actor = await makeUser(db);
  await withEnv({ LINKEDIN_CLIENT_SECRET: 'wrong' }, async () => {
    await assert.rejects(connectLinkedIn(db, actor, outside.url), { code: 'connect_failed' });
  });
  assert.deepEqual(await listFaultKeys(db), ['linkedin-client']);
  await connectLinkedIn(db, actor, outside.url);
  assert.deepEqual(await listFaultKeys(db), []);
  assert.ok((await withAccessToken(db, actor.userId))!.isFresh);
});
