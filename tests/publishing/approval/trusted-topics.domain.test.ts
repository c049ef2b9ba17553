import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getQueue } from '#app/domain/pages/posts.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { answerTrust, saveTopic } from '#app/domain/publishing/approval/save-topic.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { skipPost } from '#app/domain/publishing/slots/move.ts';
import { findTopic } from '#app/domain/topics/topics.ts';
import { makePublisher, makeScheduledPost, makeTopic, readPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const HOUR = 3_600_000;
let nth = 0;

/** Somebody who is asked before each post, and a topic. */
async function somebody() {
  const actor = await makePublisher(db, outside.url);
  await saveSettings(db, actor, { requireApproval: true });
  const topic = await makeTopic(db, actor);
  return { actor, topicId: topic.id };
}

/** A post about the topic that waits for approval, younger than those before it. */
async function pending(actor: Actor, topicId: string): Promise<string> {
  nth += 1;
  const postId = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + (48 + nth) * HOUR) });
  const createdAt = new Date(Date.now() - 1_000 * HOUR + nth * 60_000);
  await db.updateTable('posts').set({ topicId, createdAt }).where('id', '=', postId).execute();
  await standAs(db, postId, { status: 'pending' });
  return postId;
}

async function approved(actor: Actor, topicId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const postId = await pending(actor, topicId);
    await approvePost(db, actor, postId);
    ids.push(postId);
  }
  return ids;
}

const offered = async (actor: Actor) => (await getQueue(db, actor, new Date())).trusted?.id;

test('after ten posts in a row about a topic were approved as they were written, and not before, it is offered', async () => {
  const { actor, topicId } = await somebody();
  const other = await makeTopic(db, actor, 'Something else');
  await approved(actor, other.id, 5);
  await approved(actor, topicId, 9);
  await pending(actor, topicId);
  assert.equal(await offered(actor), undefined);
  const [last] = await approved(actor, topicId, 1);
  assert.equal(await offered(actor), topicId);
  await standAs(db, last!, { status: 'published', dueAt: null, postedAt: new Date() });
  assert.equal(await offered(actor), topicId);
  assert.equal(await offered((await somebody()).actor), undefined);
});

test('an edit, a skipped, deleted or unasked post begins the row anew', async () => {
  type Way = (actor: Actor, topicId: string) => Promise<unknown>;
  const ways: Record<string, Way> = {
    edited: async (actor, topicId) => {
      const postId = await pending(actor, topicId);
      await editPost(db, actor, { postId, content: `Said otherwise, number ${nth}.` });
      await approvePost(db, actor, postId);
    },
    editedAfterwards: async (actor, topicId) => {
      const [postId] = await approved(actor, topicId, 1);
      await editPost(db, actor, { postId: postId!, hashtags: ['Other'] });
    },
    skipped: async (actor, topicId) => skipPost(db, actor, await pending(actor, topicId)),
    skippedAfterwards: async (actor, topicId) => {
      const [postId] = await approved(actor, topicId, 1);
      await skipPost(db, actor, postId!);
    },
    deleted: async (actor, topicId) => {
      await deletePost(db, actor, await pending(actor, topicId), { beforeCall: async () => {} });
    },
    deletedAfterwards: async (actor, topicId) => {
      const [postId] = await approved(actor, topicId, 1);
      await deletePost(db, actor, postId!, { beforeCall: async () => {} });
    },
    unasked: async (actor, topicId) => standAs(db, await pending(actor, topicId), { status: 'generated' }),
  };
  for (const [name, happen] of Object.entries(ways)) {
    const { actor, topicId } = await somebody();
    await approved(actor, topicId, 9);
    await happen(actor, topicId);
    await approved(actor, topicId, 9);
    assert.equal(await offered(actor), undefined, name);
    await approved(actor, topicId, 1);
    assert.equal(await offered(actor), topicId, name);
  }
});

test('nothing is offered about a topic whose posts go out without asking', async () => {
  const { actor, topicId } = await somebody();
  await approved(actor, topicId, 10);
  await saveTopic(db, actor, { topicId, approval: 'publish' });
  assert.equal(await offered(actor), undefined);
  await saveTopic(db, actor, { topicId, approval: 'settings' });
  await saveSettings(db, actor, { requireApproval: false });
  assert.equal(await offered(actor), undefined);
  await saveTopic(db, actor, { topicId, approval: 'approve' });
  assert.equal(await offered(actor), topicId);
});

test('who keeps being asked is not offered it again', async () => {
  const { actor, topicId } = await somebody();
  await approved(actor, topicId, 10);
  const { approval } = await answerTrust(db, actor, topicId, false);
  assert.equal(approval, 'settings');
  await approved(actor, topicId, 10);
  assert.equal(await offered(actor), undefined);
});

test('a topic that is trusted goes out by itself from then on; what waits for approval goes on waiting', async () => {
  const { actor, topicId } = await somebody();
  await approved(actor, topicId, 10);
  const waiting = await pending(actor, topicId);
  await answerTrust(db, actor, topicId, true);
  await answerTrust(db, actor, topicId, true);
  assert.equal((await findTopic(db, actor, topicId)).approval, 'publish');
  assert.equal((await readPost(db, waiting)).status, 'pending');
  await saveTopic(db, actor, { topicId, approval: 'approve' });
  await approved(actor, topicId, 10);
  assert.equal(await offered(actor), undefined);
});

test('nobody answers for the topic of somebody else', async () => {
  const { actor, topicId } = await somebody();
  const other = await somebody();
  await assert.rejects(answerTrust(db, other.actor, topicId, true), /This topic was not found/);
  assert.equal((await findTopic(db, actor, topicId)).approval, 'settings');
});
