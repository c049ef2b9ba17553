import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disconnect } from '#app/domain/linkedin/connection.ts';
import { describePost } from '#app/domain/posts/describe.ts';
import { listOpenings } from '#app/domain/posts/memory.ts';
import { findPost } from '#app/domain/posts/posts.ts';
import { getStats, getTotals } from '#app/domain/posts/stats.ts';
import { confirmPublication, publishPost } from '#app/domain/publishing/publish.ts';
import { findTestPost, sendTestPost } from '#app/domain/publishing/test-post.ts';
import { editPost } from '#app/domain/queue/change.ts';
import { enqueueDuePosts } from '#app/domain/queue/due.ts';
import { findMissed } from '#app/domain/queue/missed.ts';
import { refitQueue } from '#app/domain/queue/refit.ts';
import { getShellState } from '#app/domain/shell-state.ts';
import { countFreePosts } from '#app/domain/writing/start-run.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { connectLinkedIn } from '#tests/make/linkedin.ts';
import { startOutside } from '#tests/make/outside.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const later = (ms: number) => new Date(Date.now() + ms);
const MINUTE = 60_000;
const DAY = 86_400_000;

/** What LinkedIn was sent as a member: text and visibility of each attempt. */
async function sentBy(sub: string): Promise<string[]> {
  const { posts } = (await outside.ledger()) as { posts: { author: string; visibility: string }[] };
  return posts.filter(({ author }) => author.endsWith(sub)).map(({ visibility }) => visibility);
}

async function member() {
  const actor = await makeUser(db);
  return { actor, ...(await connectLinkedIn(db, actor, outside.url)) };
}

test('a test post goes to connections only, without a plan, and counts for nothing', async () => {
  const { actor, memberSub } = await member();
  const free = await countFreePosts(db, actor);
  await sendTestPost(db, actor);
  const { post, canSend } = await findTestPost(db, actor);
  assert.equal(canSend, false);
  assert.equal(post!.isPublishing, true);
  await publishPost(db, post!.id);
  assert.equal((await findTestPost(db, actor)).post!.status, 'published');
  assert.deepEqual(await sentBy(memberSub), ['CONNECTIONS']);
  assert.equal(await countFreePosts(db, actor), free);
  const { totalPosts, generatedToday, publishedToday } = await getStats(db, actor);
  assert.deepEqual([totalPosts, generatedToday, publishedToday], [0, 0, 0]);
  assert.equal((await getTotals(db, actor)).posts, 0);
  assert.deepEqual(await listOpenings(db, actor.userId), []);
});

test('there is one a day, also for two tabs at once and after it was deleted', async () => {
  const { actor } = await member();
  const both = await Promise.allSettled([sendTestPost(db, actor), sendTestPost(db, actor)]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  await db.updateTable('posts').set({ deletedAt: new Date() }).where('userId', '=', actor.userId).execute();
  assert.equal((await findTestPost(db, actor)).post, null);
  await assert.rejects(sendTestPost(db, actor), { code: 'rate_limited' });
  await sendTestPost(db, actor, later(DAY));
});

test('the resend of a test post whose answer was lost goes to connections only, too', async () => {
  const { actor, memberSub } = await member();
  await sendTestPost(db, actor);
  const { post } = await findTestPost(db, actor);
  await outside.fault('linkedin.drop-before', { match: 'A short test' });
  await publishPost(db, post!.id);
  assert.deepEqual(await sentBy(memberSub), []);
  const { id } = await db
    .selectFrom('publications')
    .select('id')
    .where('postId', '=', post!.id)
    .executeTakeFirstOrThrow();
  await confirmPublication(db, id, later(MINUTE));
  assert.equal((await findTestPost(db, actor)).post!.status, 'published');
  assert.deepEqual(await sentBy(memberSub), ['CONNECTIONS']);
});

test('one that was held while LinkedIn was gone is no missed post: it takes no slot and goes out when asked', async () => {
  const { actor } = await member();
  await sendTestPost(db, actor);
  const { id } = (await findTestPost(db, actor)).post!;
  await disconnect(db, actor);
  await enqueueDuePosts(db, later(3 * MINUTE));
  assert.notEqual((await findPost(db, actor, id)).heldAt, null);
  const { memberSub } = await connectLinkedIn(db, actor, outside.url);
  assert.equal(await findMissed(db, actor), null);
  assert.equal((await getShellState(db, actor)).trouble, null);
  await refitQueue(db, actor.userId);
  await publishPost(db, id);
  assert.deepEqual(await sentBy(memberSub), ['CONNECTIONS']);
});

test('one that waits cannot be made into another post', async () => {
  const { actor } = await member();
  await sendTestPost(db, actor);
  const { id } = (await findTestPost(db, actor)).post!;
  await disconnect(db, actor);
  await enqueueDuePosts(db, later(3 * MINUTE));
  const post = await findPost(db, actor, id);
  const { canEdit, isTest } = describePost(post, actor.timeZone);
  assert.deepEqual([canEdit, isTest], [false, true]);
  await assert.rejects(editPost(db, actor, { postId: id, content: 'A post of mine.' }), {
    code: 'test_post',
  });
  assert.equal((await findPost(db, actor, id)).content, post.content);
});

test('without LinkedIn there is none', async () => {
  const { actor } = await member();
  await disconnect(db, actor);
  await assert.rejects(sendTestPost(db, actor), { code: 'linkedin_not_connected' });
  assert.equal((await findTestPost(db, actor)).post, null);
});
