import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Trx } from '#app/db/client.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import { acknowledgePost } from '#app/domain/publishing/manual/publish-now.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { makePublisher, makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const HOUR = 3_600_000;
const later = (ms: number) => new Date(Date.now() + ms);

/** Resolves when so many wait for a lock that `holder` has, or for another who waits for it. */
async function somebodyWaits(holder: Trx, howMany = 1): Promise<void> {
  const { rows: own } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(holder);
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const { rows } = await sql`with recursive waiting as (
        select ${own[0]!.pid}::int as pid
        union select a.pid from pg_stat_activity a join waiting w on w.pid = any(pg_blocking_pids(a.pid))
      ) select from waiting where pid <> ${own[0]!.pid}`.execute(db);
    if (rows.length >= howMany) return;
  }
  throw new Error('nobody waits');
}

const lockPost = (trx: Trx, postId: string) =>
  trx.selectFrom('posts').select('id').where('id', '=', postId).forUpdate().execute();

test('saving settings and writing an attempt at the same moment do not wait for each other', async () => {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-1_000) });
  const saved = await db.transaction().execute(async (trx) => {
    await lockPost(trx, postId);
    const saving = saveSettings(db, actor, { publishTimes: ['03:33'] }).catch((error: Error) => error);
    await somebodyWaits(trx);
    await trx
      .insertInto('publishAttempts')
      .values({ postId, userId: actor.userId, attempt: 1, authorUrn: 'urn', body: 'x', leaseToken: '1' })
      .execute();
    return { saving };
  });
  assert.deepEqual((await saved.saving) instanceof Error, false);
});

test('a post that was published while it was being deleted is not forgotten here alone', async () => {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-1_000) });
  const { deleting } = await db.transaction().execute(async (trx) => {
    await lockPost(trx, postId);
    const outcome = deletePost(db, actor, postId).catch((error: Error) => error);
    await somebodyWaits(trx);
    await standAs(trx, postId, {
      status: 'published',
      postedAt: new Date(),
      networkUrn: 'urn:li:share:7001',
    });
    return { deleting: outcome };
  });
  assert.match(String(await deleting), /published/);
  assert.equal((await findPost(db, actor, postId)).status, 'published');
});

test('two who delete a post side by side both hear that it is gone', async () => {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { dueAt: later(-1_000) });
  await publishPost(db, postId);
  const { deleting } = await db.transaction().execute(async (trx) => {
    await lockPost(trx, postId);
    const both = Promise.all([deletePost(db, actor, postId), deletePost(db, actor, postId)]);
    await somebodyWaits(trx, 2);
    return { deleting: both };
  });
  const gone = { isGoneThere: true, why: null };
  assert.deepEqual(await deleting, [gone, gone]);
});

test('posts that are late at the same time move in their order, each once', async () => {
  const actor = await makePublisher(db, outside.url, 3);
  const ids: string[] = [];
  for (const hours of [54, 53, 52]) {
    ids.push(await makeScheduledPost(db, actor, { dueAt: later(-hours * HOUR) }));
  }
  await Promise.all(ids.toReversed().map((id) => publishPost(db, id)));
  const times = await Promise.all(ids.map(async (id) => (await findPost(db, actor, id)).publishAt!));
  assert.ok(times.every((at) => at > new Date()));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a.getTime() - b.getTime()),
  );
  const moved = await db
    .selectFrom('mails')
    .select('id')
    .where('kind', '=', 'postMoved')
    .where('userId', '=', actor.userId)
    .execute();
  assert.equal(moved.length, 3);
});

test('one link that is pasted at six posts at the same time is kept at one of them', async () => {
  const actor = await makePublisher(db, outside.url);
  const ids: string[] = [];
  while (ids.length < 6) ids.push(await makeScheduledPost(db, actor));
  const held = await makeScheduledPost(db, actor);
  const failed = { status: 'failed' as const, isUnconfirmed: true };
  await db.updateTable('postSchedules').set(failed).where('userId', '=', actor.userId).execute();
  const link = 'urn:li:share:7002';
  const paste = (postId: string) =>
    acknowledgePost(db, actor, { postId, link }).then(
      () => 'kept',
      (error) => error.code,
    );
  const { pasting } = await db.transaction().execute(async (trx) => {
    await standAs(trx, held, { networkUrn: link });
    const said = Promise.all(ids.map(paste));
    await somebodyWaits(trx, ids.length);
    await standAs(trx, held, { networkUrn: null });
    return { pasting: said };
  });
  assert.deepEqual((await pasting).toSorted(), ['kept', ...Array(5).fill('link_taken')]);
});
