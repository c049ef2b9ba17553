import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import { getShellState } from '#app/domain/pages/shell.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { getStats, getTotals } from '#app/domain/posts/counts/stats.ts';
import { saveEngagement } from '#app/domain/posts/engagement.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { listLastTexts } from '#app/domain/posts/memory/memory.ts';
import { presentPost } from '#app/domain/posts/present.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import { postAgain, publishNow, retryPost } from '#app/domain/publishing/manual/publish-now.ts';
import { findTestPost, sendTestPost } from '#app/domain/publishing/manual/test-post.ts';
import { confirmAttempt, publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { refitQueue } from '#app/domain/publishing/slots/apply-settings.ts';
import { findMissed } from '#app/domain/publishing/slots/missed-while-disconnected.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { findFreePosts } from '#app/domain/writing/quota.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { connectLinkedIn, setConnection } from '#tests/fixtures/linkedin.ts';
import { standAs, takeOut } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { atTheDoor, problem } from '#tests/harness/outside/linkedin-responses.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

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

/** LinkedIn has taken at an instant what waits. */
async function tookAt(actor: Actor, at: Date) {
  const { post } = await findTestPost(db, actor);
  if (post?.status !== 'generated') return;
  await takeOut(db, post.id);
  await standAs(db, post.id, { status: 'published', postedAt: at });
}

/** The newest test of a user is sent, and LinkedIn answers as the test says. */
async function answered(actor: Actor, ...answer: Parameters<typeof problem>) {
  const { id } = (await findTestPost(db, actor)).post!;
  await atTheDoor({ create: [problem(...answer)] }, () => publishPost(db, id));
  return id;
}

const REFUSED = [422, 'SOMETHING_ELSE'] as const;
const made = (id: string, ms: number) =>
  db
    .updateTable('posts')
    .set({ createdAt: later(ms), content: `A test. ${id}` })
    .where('id', '=', id)
    .execute();
const attempted = (id: string, ms: number) =>
  db
    .updateTable('publishAttempts')
    .set({ startedAt: later(ms) })
    .where('postId', '=', id)
    .execute();

test('a test post goes to connections only, without a plan, and counts for nothing', async () => {
  const { actor, memberSub } = await member();
  const free = await findFreePosts(db, actor);
  await sendTestPost(db, actor);
  const { post, nextAt } = await findTestPost(db, actor);
  assert.ok(nextAt! > new Date());
  assert.equal(post!.isPublishing, true);
  await publishPost(db, post!.id);
  assert.equal((await findTestPost(db, actor)).post!.status, 'published');
  assert.deepEqual(await sentBy(memberSub), ['CONNECTIONS']);
  assert.deepEqual(await findFreePosts(db, actor), free);
  const { totalPosts, generatedToday, publishedToday } = await getStats(db, actor);
  assert.deepEqual([totalPosts, generatedToday, publishedToday], [0, 0, 0]);
  assert.equal((await getTotals(db, actor)).posts, 0);
  assert.deepEqual(await listLastTexts(db, actor.userId), []);
});

test('it goes at once when the clock of the web process is ahead', async (t) => {
  const { actor } = await member();
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 10 * MINUTE });
  await sendTestPost(db, actor);
  t.mock.timers.reset();
  const { id } = (await findTestPost(db, actor)).post!;
  await publishPost(db, id);
  assert.equal((await findPost(db, actor, id)).status, 'published');
});

test('there is one a day, also for two tabs at once and after it was deleted', async () => {
  const { actor } = await member();
  const both = await Promise.allSettled([sendTestPost(db, actor), sendTestPost(db, actor)]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  await publishPost(db, (await findTestPost(db, actor)).post!.id);
  await db.updateTable('posts').set({ deletedAt: new Date() }).where('userId', '=', actor.userId).execute();
  assert.equal((await findTestPost(db, actor)).post, null);
  await assert.rejects(sendTestPost(db, actor), { code: 'rate_limited' });
  await sendTestPost(db, actor, later(DAY));
});

test('another zone makes no new day: the next one waits for most of a day', async () => {
  const { actor } = await member();
  await setConnection(db, actor, { expiresAt: new Date('2027-12-01') });
  let sent = 0;
  for (let hour = 0; hour < 24; hour += 1) {
    const now = new Date(Date.UTC(2026, 10, 10, hour, 0, 30));
    const timeZone = hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`;
    await sendTestPost(db, { ...actor, timeZone }, now).then(
      () => (sent += 1),
      () => {},
    );
    await tookAt(actor, now);
  }
  assert.equal(sent, 2);
});

test('who sent one late in the evening is told when the next one may go', async () => {
  const { actor } = await member();
  await sendTestPost(db, actor, new Date('2026-11-10T22:00:00Z'));
  await tookAt(actor, new Date('2026-11-10T22:00:00Z'));
  const morning = new Date('2026-11-11T09:00:00Z');
  await assert.rejects(sendTestPost(db, actor, morning), {
    code: 'rate_limited',
    message: /Wed, Nov 11, 18:00$/,
  });
  assert.deepEqual((await findTestPost(db, actor, morning)).nextAt, new Date('2026-11-11T18:00:00Z'));
  await sendTestPost(db, actor, new Date('2026-11-11T18:00:00Z'));
});

test('one that LinkedIn refused does not use up the day, one that may be there does', async () => {
  const { actor } = await member();
  await sendTestPost(db, actor);
  const send = async (answer: Parameters<typeof problem>) => {
    const { post } = await findTestPost(db, actor);
    await atTheDoor({ create: [problem(...answer)] }, () => publishPost(db, post!.id));
  };
  await send([403, 'ACCESS_DENIED']);
  assert.equal((await findTestPost(db, actor)).nextAt, null);
  await sendTestPost(db, actor, later(1));
  await send([500, 'X']);
  await sweepAttempts(db, later(10 * MINUTE));
  const { nextAt, post } = await findTestPost(db, actor);
  assert.deepEqual([nextAt! > new Date(), post!.isUnconfirmed], [true, true]);
  await assert.rejects(sendTestPost(db, actor), { code: 'rate_limited' });
});

test('five that LinkedIn refused are all that go within most of a day, also when they were deleted', async () => {
  const { actor } = await member();
  const begun = Date.now() - MINUTE;
  for (let nth = 0; nth < 5; nth += 1) {
    await sendTestPost(db, actor, new Date(begun + nth));
    const id = await answered(actor, 403, 'ACCESS_DENIED');
    await attempted(id, begun + nth - Date.now());
    await db.updateTable('posts').set({ deletedAt: new Date() }).where('id', '=', id).execute();
  }
  await assert.rejects(sendTestPost(db, actor), {
    code: 'rate_limited',
    message: /^Test posts have failed 5 times, the next one from /,
  });
  const { nextAt } = await findTestPost(db, actor);
  assert.ok(Math.abs(nextAt!.getTime() - begun - 20 * 60 * MINUTE) < 1_000);
  await sendTestPost(db, actor, nextAt!);
});

test('one that failed is not sent again beside one that went out since', async () => {
  const { actor } = await member();
  await sendTestPost(db, actor, later(-2 * MINUTE));
  const first = await answered(actor, ...REFUSED);
  await made(first, -2 * MINUTE);
  await sendTestPost(db, actor);
  await assert.rejects(retryPost(db, actor, first), { code: 'rate_limited' });
  await publishPost(db, (await findTestPost(db, actor)).post!.id);
  const message = /^You can send one test post a day, the next one from /;
  await assert.rejects(retryPost(db, actor, first), { code: 'rate_limited', message });
  assert.equal((await findPost(db, actor, first)).status, 'failed');
});

test('one that is sent again days later uses up the day on which it goes out', async () => {
  const { actor } = await member();
  await sendTestPost(db, actor);
  const id = await answered(actor, ...REFUSED);
  await made(id, -2 * DAY);
  await attempted(id, -2 * DAY);
  assert.equal((await findTestPost(db, actor)).nextAt, null);
  await retryPost(db, actor, id);
  await assert.rejects(sendTestPost(db, actor), { code: 'rate_limited' });
  await publishPost(db, id);
  assert.equal((await findPost(db, actor, id)).status, 'published');
  await assert.rejects(sendTestPost(db, actor), { code: 'rate_limited' });
  assert.ok((await findTestPost(db, actor)).nextAt! >= later(20 * 60 * MINUTE - 30_000));
});

test('five refusals are all that one and the same gets within most of a day, too', async () => {
  const { actor } = await member();
  await sendTestPost(db, actor);
  const id = await answered(actor, ...REFUSED);
  for (let nth = 1; nth < 5; nth += 1) {
    await retryPost(db, actor, id);
    await answered(actor, ...REFUSED);
  }
  const refused = { code: 'rate_limited', message: /^Test posts have failed 5 times, the next one from / };
  await assert.rejects(retryPost(db, actor, id), refused);
  await assert.rejects(sendTestPost(db, actor), refused);
  await attempted(id, -21 * 60 * MINUTE);
  await retryPost(db, actor, id);
});

test('one that nobody confirmed is not posted again beside one that went out since', async () => {
  const { actor } = await member();
  await sendTestPost(db, actor);
  const id = await answered(actor, 500, 'X');
  await sweepAttempts(db, later(10 * MINUTE));
  await made(id, -2 * DAY);
  await attempted(id, -2 * DAY);
  await sendTestPost(db, actor);
  await publishPost(db, (await findTestPost(db, actor)).post!.id);
  await assert.rejects(postAgain(db, actor, id), { code: 'rate_limited' });
});

test('one that still waits keeps the next one back, however long, and frees the day when it is deleted', async () => {
  const { actor } = await member();
  await sendTestPost(db, actor);
  const { id } = (await findTestPost(db, actor)).post!;
  await made(id, -3 * DAY);
  await standAs(db, id, { dueAt: later(-3 * DAY) });
  await assert.rejects(sendTestPost(db, actor), { code: 'rate_limited' });
  await publishNow(db, actor, id);
  await deletePost(db, actor, id);
  await sendTestPost(db, actor);
});

test('the resend of a test post whose answer was lost goes to connections only, too', async () => {
  const { actor, memberSub } = await member();
  await sendTestPost(db, actor);
  const { post } = await findTestPost(db, actor);
  await outside.fault('linkedin.drop-before', { match: 'trying out Tidepost' });
  await publishPost(db, post!.id);
  assert.deepEqual(await sentBy(memberSub), []);
  const { id } = await db
    .selectFrom('publishAttempts')
    .select('id')
    .where('postId', '=', post!.id)
    .executeTakeFirstOrThrow();
  await confirmAttempt(db, id, later(MINUTE));
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
  const { canEdit, isTest } = presentPost(post, actor.timeZone);
  assert.deepEqual([canEdit, isTest], [false, true]);
  await assert.rejects(editPost(db, actor, { postId: id, content: 'A post of mine.' }), {
    code: 'test_post',
  });
  assert.equal((await findPost(db, actor, id)).content, post.content);
});

test('nobody types in numbers about one, which no total would have', async () => {
  const { actor } = await member();
  await sendTestPost(db, actor);
  const { id } = (await findTestPost(db, actor)).post!;
  await publishPost(db, id);
  const numbers = { likes: 7, comments: null, shares: null, impressions: null };
  await assert.rejects(saveEngagement(db, actor, { postId: id, ...numbers }), { code: 'test_post' });
  assert.equal((await findPost(db, actor, id)).likes, null);
});

test('without LinkedIn there is none', async () => {
  const { actor } = await member();
  await disconnect(db, actor);
  await assert.rejects(sendTestPost(db, actor), { code: 'linkedin_not_connected' });
  assert.equal((await findTestPost(db, actor)).post, null);
});
