import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { acknowledgePost, publishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { beatEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { ROOT } from '#scripts/run.ts';
import { makeAttempt } from '#tests/fixtures/attempts.ts';
import { makePublisher, makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db, url, workerUrl } = await testDatabase();
const SCRIPT = path.join(ROOT, 'scripts/resume-publishing.ts');

async function resume(...wishes: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: url, DATABASE_WORKER_URL: workerUrl };
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, ...wishes], { env });
  return stdout;
}

async function restoredWithDuePost() {
  const actor = await makePublisher(db, outside.url);
  const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() - 60_000) });
  await db.updateTable('publishingEpoch').set({ server: 'another' }).execute();
  assert.equal(await beatEpoch(db), false);
  return { actor, postId };
}

test('it lists what would go out and changes nothing, then releases', async () => {
  const { actor, postId } = await restoredWithDuePost();
  const inAnHour = new Date(Date.now() + 3_600_000);
  const ahead = await makeScheduledPost(db, actor, { dueAt: inAnHour });
  await publishNow(db, actor, ahead, undefined, inAnHour);
  const listed = await resume();
  assert.match(listed, new RegExp(`post ${ahead} .*  by hand, by a clock that was ahead`));
  await db.deleteFrom('posts').where('id', '=', ahead).execute();
  assert.match(listed, /not the database that publishing was released for/);
  assert.match(listed, new RegExp(`post ${postId}`));
  assert.equal(await beatEpoch(db), false);
  assert.match(await resume('--yes'), /Publishing is released/);
  assert.equal(await beatEpoch(db), true);
  assert.match(await resume(), /is the database that publishing was released for/);
});

test('with --ask the owners of what is overdue are asked', async () => {
  const { actor, postId } = await restoredWithDuePost();
  assert.match(await resume('--ask'), /The owners? of \d+ posts? (?:is|are) asked/);
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.status, post.isUnconfirmed], ['failed', true]);
  const mails = await db
    .selectFrom('mails')
    .select('id')
    .where('dedupeKey', '=', `unconfirmed:restore:${postId}`)
    .execute();
  assert.equal(mails.length, 1);
  assert.equal(await beatEpoch(db), true);
});

test('with --ask an attempt that was under way is handed over too, once, and can be decided at once', async () => {
  const { actor, postId } = await restoredWithDuePost();
  const startedAt = new Date(Date.now() - 60_000);
  const { id: confirmsId } = await makeAttempt(db, actor, postId, { state: 'unknown', startedAt });
  await makeAttempt(db, actor, postId, { attempt: 2, state: 'sending', confirmsId });
  await resume('--ask');
  await sweepAttempts(db, new Date(Date.now() + 3_600_000));
  const mails = await db
    .selectFrom('mails')
    .select('id')
    .where('userId', '=', actor.userId)
    .where('kind', '=', 'postUnconfirmed')
    .execute();
  assert.equal(mails.length, 1);
  await acknowledgePost(db, actor, { postId, link: '' });
  assert.equal((await findPost(db, actor, postId)).status, 'published');
});

test('with --ask the owner of a post that waited for approval is asked too, and it is listed before', async () => {
  const { actor, postId } = await restoredWithDuePost();
  await standAs(db, postId, { status: 'pending', failure: null });
  await db.updateTable('postSchedules').set({ heldAt: new Date() }).where('postId', '=', postId).execute();
  assert.match(await resume(), new RegExp(`post ${postId} .*  waits for approval`));
  assert.match(await resume('--ask'), /The owner of 1 post is asked\./);
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.status, post.isUnconfirmed], ['failed', true]);
  await assert.rejects(approvePost(db, actor, postId), { code: 'not_pending' });
  const { count } = await db
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('dedupeKey', '=', `unconfirmed:restore:${postId}`)
    .executeTakeFirstOrThrow();
  assert.equal(count, '1');
});

test('with --ask exactly those posts are counted whose owners are asked, held ones among them', async () => {
  const [held] = [await restoredWithDuePost(), await restoredWithDuePost()];
  await db
    .updateTable('postSchedules')
    .set({ heldAt: new Date() })
    .where('postId', '=', held.postId)
    .execute();
  const listed = await resume();
  assert.match(listed, /^It is [\dT:.Z-]+ 2 posts should be out:$/m);
  assert.match(listed, new RegExp(`post ${held.postId} .*  held`));
  assert.match(await resume('--ask'), /The owners of 2 posts are asked\./);
  assert.match(await resume('--ask'), /The owners of 0 posts are asked\./);
});

test('a word it does not know changes nothing', async () => {
  await assert.rejects(resume('--now'), /Usage/);
});
