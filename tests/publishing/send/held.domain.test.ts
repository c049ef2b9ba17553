import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { getConnection, withAccessToken } from '#app/domain/linkedin/connection.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { acknowledgePost } from '#app/domain/publishing/manual/publish-now.ts';
import { claimPost, holdForConnection } from '#app/domain/publishing/send/claim.ts';
import { confirmAttempt, publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { refitQueue, saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { releaseHeldEligible, sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { connectLinkedIn } from '#tests/fixtures/linkedin.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const MINUTE = 60_000;
const later = (ms: number) => new Date(Date.now() + ms);
const publisher = () => makePublisher(db, outside.url);

const hold = (postId: string) =>
  db
    .updateTable('postSchedules')
    .set({ heldAt: later(-3 * MINUTE) })
    .where('postId', '=', postId)
    .execute();

async function isRefitted(userId: string): Promise<boolean> {
  const { rows } = await sql`select from graphile_worker.jobs where key = ${`refit:${userId}`}`.execute(db);
  return rows.length > 0;
}

test('a held post that nothing holds any more goes on, and one of a paused user stays', async () => {
  const [actor, paused] = [await publisher(), await publisher()];
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-50 * 60 * MINUTE) });
  await hold(postId);
  await saveSettings(db, paused, { enabled: false });
  await hold(await makeScheduledPost(db, paused, { dueAt: later(-50 * 60 * MINUTE) }));
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  await releaseHeldEligible(db);
  assert.equal(await isRefitted(actor.userId), true);
  assert.equal(await isRefitted(paused.userId), false);
  await refitQueue(db, actor.userId);
  const post = await findPost(db, actor, postId);
  assert.equal(post.heldAt, null);
  assert.ok(post.publishAt! > new Date());
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  await releaseHeldEligible(db);
  assert.equal(await isRefitted(actor.userId), false);
});

test('a token that was refused does not end the connection that replaced it', async () => {
  const actor = await publisher();
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-1_000) });
  const claim = (await claimPost(db, postId))!;
  const { tokenSealed } = (await withAccessToken(db, actor.userId))!;
  await connectLinkedIn(db, actor, outside.url);
  await holdForConnection(db, claim, later(2_000), tokenSealed);
  assert.equal((await getConnection(db, actor))?.isAlive, true);
});

test('an unknown attempt is not resent after its owner has paused, and is handed to them', async () => {
  const actor = await publisher();
  const content = `A plan that fits on a postcard. ${actor.userId}`;
  const postId = await makeScheduledPost(db, actor, { content, dueAt: later(-1_000) });
  await outside.fault('linkedin.drop-before', { match: actor.userId });
  await publishPost(db, postId);
  await saveSettings(db, actor, { enabled: false });
  const { id } = await db
    .selectFrom('publishAttempts')
    .select('id')
    .where('postId', '=', postId)
    .executeTakeFirstOrThrow();
  await confirmAttempt(db, id, later(MINUTE));
  const { posts } = (await outside.ledger()) as { posts: { text: string }[] };
  assert.equal(posts.filter((post) => JSON.stringify(post).includes(actor.userId)).length, 0);
  await sweepAttempts(db, later(10 * MINUTE));
  assert.equal((await findPost(db, actor, postId)).isUnconfirmed, true);
});

test('a link that another post has is refused in words', async () => {
  const actor = await publisher();
  const [first, second] = [await makeScheduledPost(db, actor), await makeScheduledPost(db, actor)];
  const failed = { status: 'failed' as const, isUnconfirmed: true };
  await db.updateTable('postSchedules').set(failed).where('userId', '=', actor.userId).execute();
  const link = 'https://www.linkedin.com/feed/update/urn:li:share:7312345/';
  await acknowledgePost(db, actor, { postId: first, link });
  await assert.rejects(acknowledgePost(db, actor, { postId: second, link }), { code: 'link_taken' });
});
