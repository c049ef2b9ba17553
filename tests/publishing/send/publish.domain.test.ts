import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { presentPost } from '#app/domain/posts/present.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import {
  acknowledgePost,
  postAgain,
  publishNow,
  retryPost,
} from '#app/domain/publishing/manual/publish-now.ts';
import { confirmAttempt, publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

type Attempt = { text: string; author: string; status: number | null; urn: string | null };

/** What the network received with this marker in its text, whatever it answered. */
async function received(marker: string): Promise<Attempt[]> {
  const { attempts } = (await outside.ledger()) as { attempts: Attempt[] };
  return attempts.filter(({ text }) => text.includes(marker));
}

const later = (ms: number) => new Date(Date.now() + ms);
const publisher = () => makePublisher(db, outside.url);
const jobsFor = async (id: string) => {
  const { rows } = await sql`select from graphile_worker.jobs where key like ${`%${id}`}`.execute(db);
  return rows.length;
};

let counter = 0;
const marker = () => `marker ${process.pid}-${++counter}`;

async function scheduled(actor: Actor, text: string, dueAt = later(-SECOND), imageUrl?: string) {
  return makeScheduledPost(db, actor, {
    content: `${text}. A plan that fits on a postcard.`,
    dueAt,
    imageUrl,
  });
}

/** A post of a new publisher that is due, with a text of its own. */
async function duePost(dueAt?: Date) {
  const actor = await publisher();
  const text = marker();
  return { actor, text, postId: await scheduled(actor, text, dueAt) };
}

const openPublication = (postId: string) =>
  db
    .selectFrom('publishAttempts')
    .select(['id', 'state'])
    .where('postId', '=', postId)
    .where('resolvedAt', 'is', null)
    .executeTakeFirst();

const mailsOf = async (kind: string, actor: Actor) => {
  const rows = await db
    .selectFrom('mails')
    .select('id')
    .where('kind', '=', kind)
    .where('userId', '=', actor.userId)
    .execute();
  return rows.length;
};

test('a due post is handed over, sent once and carries its link', async () => {
  const { actor, text, postId } = await duePost();
  assert.equal(await enqueueDuePosts(db), 1);
  assert.equal(await enqueueDuePosts(db), 1);
  assert.equal(await jobsFor('send-batch:0'), 1);
  await publishPost(db, postId);
  await publishPost(db, postId);
  const sent = await received(text);
  assert.equal(sent.length, 1);
  const post = await findPost(db, actor, postId);
  assert.equal(post.status, 'published');
  assert.equal(post.networkUrn, sent[0]!.urn);
  assert.match(sent[0]!.text, /#Planning #Focus #Teams$/);
});

test('twenty jobs for the same post at once send it once', async () => {
  const { text, postId } = await duePost();
  await Promise.all(Array.from({ length: 20 }, () => publishPost(db, postId)));
  assert.equal((await received(text)).length, 1);
});

test('a post whose time has not come is not sent', async () => {
  const { text, postId } = await duePost(later(MINUTE));
  await publishPost(db, postId);
  assert.equal((await received(text)).length, 0);
});

test('nothing goes out while paused, and resuming moves what has passed to free slots', async () => {
  const { actor, text, postId } = await duePost();
  await saveSettings(db, actor, { enabled: false });
  assert.equal(await enqueueDuePosts(db), 0);
  await publishPost(db, postId);
  assert.equal((await received(text)).length, 0);
  await saveSettings(db, actor, { enabled: true });
  const post = await findPost(db, actor, postId);
  assert.ok(post.publishAt! > new Date());
  await publishPost(db, postId);
  assert.equal((await received(text)).length, 0);
});

test('nothing goes out without a connection, and the post keeps its place', async () => {
  const { actor, text, postId } = await duePost();
  await disconnect(db, actor);
  assert.equal(await enqueueDuePosts(db), 0);
  await publishPost(db, postId);
  assert.equal((await received(text)).length, 0);
  assert.equal((await findPost(db, actor, postId)).status, 'generated');
});

test('an answer that never came is confirmed by one resend of the same text', async () => {
  const { actor, text, postId } = await duePost();
  await outside.fault('linkedin.drop-after', { match: text });
  await publishPost(db, postId);
  const open = (await openPublication(postId))!;
  assert.equal(open.state, 'unknown');
  await confirmAttempt(db, open.id, later(10 * SECOND));
  assert.equal((await received(text)).length, 1, 'not before 30 seconds');
  await Promise.all([1, 2, 3].map(() => confirmAttempt(db, open.id, later(40 * SECOND))));
  const sent = await received(text);
  assert.equal(sent.length, 2);
  assert.equal(sent[0]!.text, sent[1]!.text);
  const post = await findPost(db, actor, postId);
  assert.equal(post.status, 'published');
  assert.equal(post.networkUrn, sent[0]!.urn);
});

test('an unknown attempt that the network never saw is published by the resend', async () => {
  const { actor, text, postId } = await duePost();
  await outside.fault('linkedin.500-before', { match: text });
  await publishPost(db, postId);
  const open = (await openPublication(postId))!;
  await confirmAttempt(db, open.id, later(40 * SECOND));
  assert.equal((await findPost(db, actor, postId)).status, 'published');
});

test('an unknown attempt is held for the user once the window is over, with one mail', async () => {
  const { actor, text, postId } = await duePost();
  await outside.fault('linkedin.500-after', { match: text });
  await publishPost(db, postId);
  await sweepAttempts(db, later(10 * MINUTE));
  await sweepAttempts(db, later(11 * MINUTE));
  const post = await findPost(db, actor, postId);
  assert.equal(post.status, 'failed');
  assert.equal(post.isUnconfirmed, true);
  assert.equal((await received(text)).length, 1);
  assert.equal(await mailsOf('postUnconfirmed', actor), 1);
  await acknowledgePost(db, actor, { postId, link: '' });
  assert.equal((await findPost(db, actor, postId)).status, 'published');
  await assert.rejects(retryPost(db, actor, postId), { code: 'not_failed' });
});

test('posting an unconfirmed post again finds the earlier one instead of making a second', async () => {
  const { actor, text, postId } = await duePost();
  await outside.fault('linkedin.500-after', { match: text });
  await publishPost(db, postId);
  await sweepAttempts(db, later(10 * MINUTE));
  await postAgain(db, actor, postId);
  await publishPost(db, postId, later(SECOND));
  const post = await findPost(db, actor, postId);
  assert.equal(post.status, 'published');
  assert.equal(post.networkUrn, (await received(text))[0]!.urn);
});

test('a process that died between writing the attempt and its outcome is found by our own reaper', async () => {
  const { actor, text, postId } = await duePost();
  await outside.fault('linkedin.slow', { match: text, delayMs: 6_000 });
  const running = publishPost(db, postId);
  while ((await received(text)).length === 0) await new Promise((r) => setTimeout(r, 20));
  await sweepAttempts(db, later(30 * SECOND));
  assert.equal((await openPublication(postId))!.state, 'sending');
  await sweepAttempts(db, later(61 * SECOND));
  assert.equal((await openPublication(postId))!.state, 'unknown');
  await confirmAttempt(db, (await openPublication(postId))!.id, later(70 * SECOND));
  assert.equal((await findPost(db, actor, postId)).status, 'published');
  await running;
  assert.equal((await findPost(db, actor, postId)).status, 'published');
  assert.equal((await received(text)).length, 2);
});

test('a real duplicate is refused in words and nothing is tried again', async () => {
  const actor = await publisher();
  const text = marker();
  const first = await scheduled(actor, text);
  const second = await scheduled(actor, text);
  await publishPost(db, first);
  await publishPost(db, second);
  const post = await findPost(db, actor, second);
  assert.equal(post.status, 'failed');
  assert.match(post.reason!, /already posted this text/);
  assert.equal(await mailsOf('postFailed', actor), 1);
});

test('a refused post fails with a reason, and Retry sends it again', async () => {
  const { actor, text, postId } = await duePost();
  await outside.fault('linkedin.422', { match: text });
  await publishPost(db, postId);
  const post = await findPost(db, actor, postId);
  assert.deepEqual([post.status, presentPost(post, 'UTC').canRetry], ['failed', true]);
  await retryPost(db, actor, postId);
  await publishPost(db, postId, later(SECOND));
  assert.equal((await findPost(db, actor, postId)).status, 'published');
});

test('a post that LinkedIn has refused ten times within a day is tried again a day after the first', async () => {
  const { actor, postId } = await duePost();
  await db
    .updateTable('postSchedules')
    .set({ status: 'failed', failure: 'refused' })
    .where('postId', '=', postId)
    .execute();
  const refusal = (attempt: number) => ({
    postId,
    userId: actor.userId,
    authorUrn: 'urn:li:person:1',
    body: 'A text',
    leaseToken: '1',
    attempt,
    state: 'refused' as const,
    startedAt: later(-HOUR + attempt * SECOND),
    resolvedAt: later(0),
  });
  const refusals = Array.from({ length: 10 }, (_, at) => refusal(at + 1));
  await db.insertInto('publishAttempts').values(refusals.slice(0, 9)).execute();
  await db
    .insertInto('publishAttempts')
    .values({ ...refusals[9]!, startedAt: later(-25 * HOUR) })
    .execute();
  await retryPost(db, actor, postId);
  await db
    .updateTable('postSchedules')
    .set({ status: 'failed', failure: 'refused' })
    .where('postId', '=', postId)
    .execute();
  await db
    .insertInto('publishAttempts')
    .values({ ...refusals[9]!, attempt: 11 })
    .execute();
  const message = /refused this post 10 times within a day\. You can try again from/;
  await assert.rejects(retryPost(db, actor, postId), { code: 'rate_limited', message });
  await retryPost(db, actor, postId, undefined, later(23 * HOUR + 2 * SECOND));
});

test('a short 429 is tried again within 150 seconds, and not before', async () => {
  const { actor, text, postId } = await duePost();
  await outside.fault('linkedin.429', { match: text });
  await publishPost(db, postId);
  await publishPost(db, postId, later(5 * SECOND));
  assert.equal((await received(text)).length, 1);
  await publishPost(db, postId, later(150 * SECOND));
  assert.equal((await findPost(db, actor, postId)).status, 'published');
});

test('a 429 that keeps coming is tried again within 150 seconds each time', async () => {
  const { text, postId } = await duePost();
  await outside.fault('linkedin.429', { match: text, times: 6 });
  for (let attempt = 1; attempt <= 6; attempt++) {
    await publishPost(db, postId);
    assert.equal((await received(text)).length, attempt);
    const { notBefore } = await db
      .selectFrom('postSchedules')
      .select('notBefore')
      .where('postId', '=', postId)
      .executeTakeFirstOrThrow();
    assert.ok(notBefore! <= later(150 * SECOND), `attempt ${attempt}`);
    await db.updateTable('postSchedules').set({ notBefore: null }).where('postId', '=', postId).execute();
  }
});

test('a 401 holds the post, marks the connection and mails once', async () => {
  const { actor, text, postId } = await duePost();
  await outside.fault('linkedin.401-revoked', { match: text });
  await publishPost(db, postId);
  const post = await findPost(db, actor, postId);
  assert.equal(post.status, 'generated');
  assert.ok(post.heldAt);
  assert.equal(await mailsOf('linkedInExpired', actor), 1);
});

test('a post three hours late moves to the next free slot and its owner is told', async () => {
  const { actor, text, postId } = await duePost(later(-3 * HOUR - MINUTE));
  await publishPost(db, postId);
  assert.equal((await received(text)).length, 0);
  assert.ok((await findPost(db, actor, postId)).publishAt! > new Date());
  assert.equal(await mailsOf('postMoved', actor), 1);
});

test('a post less than three hours late still goes out', async () => {
  const { text, postId } = await duePost(later(-3 * HOUR + MINUTE));
  await publishPost(db, postId);
  assert.equal((await received(text)).length, 1);
});

test('a post that is being published can be neither edited nor deleted', async () => {
  const { actor, text, postId } = await duePost();
  await outside.fault('linkedin.drop-before', { match: text });
  await publishPost(db, postId);
  await assert.rejects(editPost(db, actor, { postId, content: 'changed' }), { code: 'being_published' });
  await assert.rejects(deletePost(db, actor, postId), { code: 'being_published' });
});

test('Publish now sends whatever the slot, once for two clicks', async () => {
  const { actor, text, postId } = await duePost(later(HOUR));
  await Promise.all([publishNow(db, actor, postId), publishNow(db, actor, postId)]);
  assert.equal((await findPost(db, actor, postId)).isPublishing, true);
  await Promise.all([publishPost(db, postId, later(SECOND)), publishPost(db, postId, later(SECOND))]);
  assert.equal((await received(text)).length, 1);
  await assert.rejects(publishNow(db, actor, postId), { code: 'already_published' });
});

test('deleting a published post deletes it on LinkedIn first', async () => {
  const { actor, text, postId } = await duePost();
  await publishPost(db, postId);
  await deletePost(db, actor, postId);
  const { posts } = (await outside.ledger()) as { posts: Attempt[] };
  assert.equal(posts.filter((post) => post.text.includes(text)).length, 0);
  await assert.rejects(findPost(db, actor, postId), { code: 'not_found' });
});

test("other people's posts can't be seen, published or deleted", async () => {
  const owner = await publisher();
  const stranger = await publisher();
  const postId = await scheduled(owner, marker());
  for (const act of [findPost, publishNow, deletePost, retryPost]) {
    await assert.rejects(act(db, stranger, postId), { code: 'not_found' });
  }
});
