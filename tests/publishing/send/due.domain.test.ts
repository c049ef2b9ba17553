import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { releaseHeldEligible } from '#app/domain/publishing/sweep.ts';
import { setConnection } from '#tests/fixtures/linkedin.ts';
import { makePublisher, makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const later = (ms: number) => new Date(Date.now() + ms);
const publisher = () => makePublisher(db, outside.url);

const isHeld = async (postId: string) => {
  const { heldAt } = await db
    .selectFrom('postSchedules')
    .select('heldAt')
    .where('postId', '=', postId)
    .executeTakeFirstOrThrow();
  return heldAt !== null;
};

async function countJobs(): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from graphile_worker.jobs where task_identifier = 'publish-post'`.execute(db);
  return Number(rows[0]!.count);
}

/** What keeps a post of its owner from going out, and whether that is so one hour from now too. */
const OBSTACLES: Record<string, (actor: Actor, postId: string) => Promise<unknown>> = {
  'automation is switched off': (actor) => saveSettings(db, actor, { enabled: false }),
  'LinkedIn is not connected': (actor) => disconnect(db, actor),
  'the permission has run out': (actor) =>
    setConnection(db, actor, { expiresAt: later(-MINUTE), refreshTokenSealed: null }),
  'the plan is over': ({ userId }) =>
    db
      .updateTable('payments')
      .set({ startsAt: later(-2 * DAY), endsAt: later(-MINUTE) })
      .where('userId', '=', userId)
      .execute(),
  'it was missed, and its owner has not chosen yet': (actor) =>
    setConnection(db, actor, { resumedAt: later(MINUTE), resumeChoice: null }),
  'it waits for approval': (_, postId) => standAs(db, postId, { status: 'pending' }),
};

for (const [obstacle, put] of Object.entries(OBSTACLES)) {
  test(`tick, claim and sweep agree that a post may not go out: ${obstacle}`, async () => {
    const actor = await publisher();
    const postId = await makeScheduledPost(db, actor, { dueAt: later(-MINUTE) });
    await put(actor, postId);
    assert.equal(await claimPost(db, postId, new Date()), undefined);
    await enqueueDuePosts(db);
    assert.equal(await isHeld(postId), true);
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    await releaseHeldEligible(db, later(5 * MINUTE));
    const { rows } =
      await sql`select from graphile_worker.jobs where key = ${`refit:${actor.userId}`}`.execute(db);
    assert.equal(rows.length, 0);
  });
}

test('while publishing is stopped for everybody nothing is enqueued, held or taken', async (t) => {
  const actor = await publisher();
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-MINUTE) });
  await db
    .updateTable('publishingPause')
    .set({ pausedUntil: later(MINUTE) })
    .execute();
  t.after(() => db.updateTable('publishingPause').set({ pausedUntil: null }).execute());
  assert.equal(await enqueueDuePosts(db), 0);
  assert.equal(await claimPost(db, postId, new Date()), undefined);
  assert.equal(await isHeld(postId), false);
  assert.ok(await claimPost(db, postId, later(2 * MINUTE)));
});

/** So many posts that are due, of one owner, without a picture or with one. */
async function flood(count: number, imageUrl: string | null): Promise<void> {
  const actor = await publisher();
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  await sql`with made as (
    insert into posts (user_id, content, image_url, publish_at)
    select ${actor.userId}, 'Post ' || n, ${imageUrl}, now() - interval '1 second'
    from generate_series(1, ${count}::int) n
    returning id, user_id, publish_at
  )
  insert into post_schedules (post_id, user_id, due_at) select id, user_id, publish_at from made`.execute(db);
}

test('one tick gives a job to every due post that needs one, however many they are', async (t) => {
  await flood(12_000, 'https://images.example/one.png');
  t.after(() => sql`delete from post_schedules`.execute(db));
  assert.equal(await enqueueDuePosts(db), 12_000);
  assert.equal(await countJobs(), 12_000);
  assert.equal(await enqueueDuePosts(db), 0);
});

test('texts that are due are handed to a few jobs, and nothing is written for each', async () => {
  await flood(2_000, null);
  assert.equal(await enqueueDuePosts(db), 4);
  assert.equal(await countJobs(), 0);
  const { rows } = await sql`select from post_schedules where enqueued_at is not null`.execute(db);
  assert.equal(rows.length, 0);
  await sql`delete from post_schedules where post_id not in (select post_id from post_schedules limit 51)`.execute(
    db,
  );
  assert.equal(await enqueueDuePosts(db), 2);
});
