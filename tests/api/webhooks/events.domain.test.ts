import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '#app/db/client.ts';
import { endExpiredConnections } from '#app/domain/linkedin/sweep.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import {
  markBatchPublished,
  markFailed,
  markPublished,
  markQueued,
} from '#app/domain/publishing/state/post-state.ts';
import { listDeliveries } from '#app/domain/webhooks/deliveries.ts';
import { createWebhook } from '#app/domain/webhooks/endpoints.ts';
import { WEBHOOK_EVENT_NAMES } from '#app/domain/webhooks/limits.ts';
import { UNSENT_FAULT } from '#app/domain/webhooks/send-events.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { setConnection } from '#tests/fixtures/linkedin.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { makePublisher, makeScheduledPost, readPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db, pool } = await testDatabase();
const HOUR = 3_600_000;

async function listening(actor: Actor) {
  const url = 'https://hooks.example.com/';
  const { webhook } = await createWebhook(db, actor, { url, events: [...WEBHOOK_EVENT_NAMES] });
  // biome-ignore lint/suspicious/noExplicitAny: what was told is looked at as it is.
  const told = async (): Promise<any[]> =>
    (await listDeliveries(db, actor, webhook.id, { limit: 50 })).rows
      .map(({ body }) => JSON.parse(body))
      .toReversed();
  return { told };
}

const author = async () => {
  const actor = await makePublisher(db, outside.url);
  return { actor, ...(await listening(actor)) };
};
const tomorrow = () => new Date(Date.now() + 24 * HOUR);

test('a post that goes out is told once, as the API shows it, also among others of others', async () => {
  const [one, deaf] = [await author(), await makePublisher(db, outside.url)];
  const posts = await Promise.all(
    [one.actor, one.actor, deaf].map((actor) => makeScheduledPost(db, actor, { dueAt: tomorrow() })),
  );
  const given = posts.map((postId, nth) => ({ postId, urn: `urn:li:share:${nth + 1}`, at: new Date() }));
  await transact(db, (trx) => markBatchPublished(trx, given));
  const told = await one.told();
  assert.deepEqual(told.map(({ data }) => data.post._id).toSorted(), posts.slice(0, 2).toSorted());
  for (const { type, data } of told) {
    assert.deepEqual([type, data.post.status], ['post.published', 'published']);
    assert.match(data.post.linkedInPostUrl, /urn:li:share:[12]/);
  }
  const own = { id: posts[0]!, userId: one.actor.userId };
  await transact(db, (trx) => markPublished(trx, own, 'urn:li:share:9', new Date()));
  assert.equal((await one.told()).length, 2, 'another address is no other publication');
});

test('a post that is out stays out when programs cannot be told of it, and the operator reads that', async (t) => {
  const { actor, told } = await author();
  const post = await makeScheduledPost(db, actor);
  await pool.query(`create function public.untold() returns trigger language plpgsql as
      $$ begin raise exception 'no room'; end $$;
    create trigger untold before insert on webhook_deliveries for each row execute function public.untold()`);
  t.after(() => pool.query('drop function if exists public.untold cascade'));
  await transact(db, (trx) =>
    markPublished(trx, { id: post, userId: actor.userId }, 'urn:li:share:78', new Date()),
  );
  await pool.query('drop function public.untold cascade');
  assert.equal((await readPost(db, post)).status, 'published');
  assert.deepEqual(await told(), []);
  const fault = await db
    .selectFrom('operatorAlerts')
    .select('message')
    .where('key', '=', UNSENT_FAULT)
    .executeTakeFirstOrThrow();
  assert.match(fault.message, /could not be told of post\.published: no room/);
});

test('a post that goes out by itself or fails is told, and one whose outcome is taken back is not', async () => {
  const { actor, told } = await author();
  const [first, second] = [await makeScheduledPost(db, actor), await makeScheduledPost(db, actor)];
  const { userId } = actor;
  await transact(db, (trx) => markPublished(trx, { id: first, userId }, 'urn:li:share:77', new Date()));
  await assert.rejects(
    transact(db, async (trx) => {
      await markFailed(trx, { id: second, userId }, 'forbidden');
      throw new Error('back');
    }),
    /back/,
  );
  await transact(db, (trx) => markFailed(trx, { id: second, userId }, 'forbidden'));
  const events = await told();
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.post._id]),
    [
      ['post.published', first],
      ['post.failed', second],
    ],
  );
  assert.ok(events[1].data.post.reason.length > 10);
});

test('posts that wait for approval are told as they begin to, and not as they move', async () => {
  const { actor, told } = await author();
  const id = await makeScheduledPost(db, actor, { dueAt: tomorrow() });
  await transact(db, (trx) => saveSettings(trx, actor, { requireApproval: true }, new Date()));
  const events = await told();
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.post._id, data.post.status]),
    [['post.needs_approval', id, 'pending']],
  );
  await transact(db, (trx) => markQueued(trx, id));
  assert.equal((await told()).length, 1);
  await approvePost(db, actor, id);
  const other = await makeScheduledPost(db, actor, { dueAt: tomorrow() });
  await standAs(db, other, { needsApproval: true });
  await transact(db, (trx) => markQueued(trx, other));
  assert.deepEqual(
    (await told()).map(({ data }) => data.post._id),
    [id, other],
  );
});

test('a verified payment and a connection that ended are told as the API answers for them', async () => {
  const { actor, told } = await author();
  const payer = await makeUser(db);
  const paid = await listening(payer);
  const { id } = await makePayment(db, payer, 2);
  await verifyPayment(db, await makeUser(db, { isAdmin: true }), id);
  const [verified] = await paid.told();
  assert.deepEqual(
    [verified.type, verified.data.payment._id, verified.data.payment.status],
    ['payment.verified', id, 'active'],
  );
  assert.equal(verified.data.payment.userId, undefined);
  await setConnection(db, actor, { expiresAt: new Date(Date.now() - HOUR), refreshTokenSealed: null });
  await endExpiredConnections(db);
  await endExpiredConnections(db);
  const events = await told();
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.connected]),
    [['linkedin.expired', false]],
  );
  assert.ok(events[0].data.account.profileData.name);
});

test('the statements of the hot path find the programs of a user by an index', async () => {
  await makeScheduledPost(db, await makePublisher(db, outside.url));
  await enqueueDuePosts(db);
  const client = await pool.connect();
  try {
    await client.query('begin; set local enable_seqscan = off');
    const explained = async (sql: string) =>
      (await client.query(`explain ${sql}`)).rows.map((row) => row['QUERY PLAN']).join('\n');
    const any = '00000000-0000-4000-8000-000000000000';
    assert.match(
      await explained(`select from webhook_endpoints where user_id = '${any}'`),
      /webhook_endpoints_user_id_idx/,
    );
    assert.match(
      await explained(`select * from webhook_deliveries where endpoint_id = '${any}'
        and (created_at, id) < (now(), '${any}') order by created_at desc, id desc limit 51`),
      /Index Scan using webhook_deliveries_newest_idx/,
    );
    assert.match(
      await explained(`select id from webhook_deliveries where endpoint_id = '${any}' and next_at <= now()
        order by next_at limit 4`),
      /webhook_deliveries_waiting_idx/,
    );
    await client.query('rollback');
  } finally {
    client.release();
  }
});
