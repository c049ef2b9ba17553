import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '#app/domain/platform/actor.ts';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { removeTopic, saveTopic } from '#app/domain/publishing/approval/save-topic.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import type { TopicApproval } from '#app/domain/topics/limits.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { makePublisher, makeScheduledPost, makeTopic, readPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const DAY = 86_400_000;

const asks = (actor: Actor, requireApproval: boolean) => saveSettings(db, actor, { requireApproval });
const statusOf = async (postId: string) => (await readPost(db, postId)).status;

async function somebody() {
  const actor = await makePublisher(db, outside.url);
  const topic = await makeTopic(db, actor);
  const says = (approval: TopicApproval) => saveTopic(db, actor, { topicId: topic.id, approval });
  return { actor, topicId: topic.id, says };
}

/** A post about the topic that waits, so many days ahead. */
async function about(actor: Actor, topicId: string | null, days: number) {
  const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + days * DAY) });
  await db.updateTable('posts').set({ topicId }).where('id', '=', postId).execute();
  return postId;
}

test('a post is written to wait for approval as its topic says, and else as the settings do', async () => {
  const expected = [
    ['settings', false, 'generated'],
    ['settings', true, 'pending'],
    ['approve', false, 'pending'],
    ['approve', true, 'pending'],
    ['publish', false, 'generated'],
    ['publish', true, 'generated'],
  ] as const;
  for (const [approval, isAsking, status] of expected) {
    const { actor, says } = await somebody();
    await says(approval);
    await asks(actor, isAsking);
    await writeRun(db, (await generateNow(db, actor, { count: 1 })).id);
    const posts = await db
      .selectFrom('postSchedules')
      .select('status')
      .where('userId', '=', actor.userId)
      .execute();
    assert.deepEqual(posts, [{ status }], `${approval}, ${isAsking}`);
  }
});

test('a topic that asks from now on covers its own posts that wait and were not approved', async () => {
  const { actor, topicId, says } = await somebody();
  const other = await makeTopic(db, actor, 'Something else');
  const own = await about(actor, topicId, 1);
  const approved = await about(actor, topicId, 2);
  await standAs(db, approved, { approvedAt: new Date() });
  const others = [await about(actor, other.id, 3), await about(actor, null, 4)];
  await says('approve');
  assert.equal(await statusOf(own), 'pending');
  for (const id of [approved, ...others]) assert.equal(await statusOf(id), 'generated');
  await says('publish');
  assert.equal(await statusOf(own), 'pending', 'it asks for what it asked for');
  assert.equal((await approvePost(db, actor, own)).status, 'generated');
});

test('a topic that publishes by itself does so when the account asks, until it goes by the settings or is deleted', async () => {
  for (const end of ['settings', 'deleted']) {
    const { actor, topicId, says } = await somebody();
    await says('publish');
    const ids = [await about(actor, topicId, 0), await about(actor, topicId, 1)];
    const plain = await about(actor, null, 2);
    await asks(actor, true);
    await publishPost(db, ids[0]!);
    const statuses = await Promise.all([...ids, plain].map(statusOf));
    assert.deepEqual(statuses, ['published', 'generated', 'pending']);
    if (end === 'settings') await says('settings');
    else await removeTopic(db, actor, topicId);
    assert.equal(await statusOf(ids[1]!), 'pending', end);
  }
});
