import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '#app/domain/actor.ts';
import { disconnect } from '#app/domain/linkedin/connection.ts';
import { describeDeletion } from '#app/domain/posts/deletion.ts';
import { describeFailure } from '#app/domain/posts/failures.ts';
import { findPost } from '#app/domain/posts/posts.ts';
import { acknowledgePost, postAgain } from '#app/domain/publishing/by-hand.ts';
import { publishPost } from '#app/domain/publishing/publish.ts';
import { sweepPublications } from '#app/domain/publishing/sweep.ts';
import { deletePost } from '#app/domain/publishing/take-down.ts';
import { listTimelines } from '#app/domain/publishing/timeline.ts';
import { editPost } from '#app/domain/queue/change.ts';
import { open } from '#app/domain/secrets.ts';
import { testDatabase } from '#tests/database.ts';
import { connectLinkedIn } from '#tests/make/linkedin.ts';
import { startOutside } from '#tests/make/outside.ts';
import { makePublisher, makeScheduledPost } from '#tests/make/posts.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000);

async function duePost(content?: string, author?: Actor, imageUrl?: string) {
  const actor = author ?? (await makePublisher(db, outside.url));
  const text = content ?? `A plan that fits on a postcard, ${actor.userId}.`;
  const postId = await makeScheduledPost(db, actor, { content: text, dueAt: later(-1), imageUrl });
  return { actor, text, postId };
}

/** A post that LinkedIn answers as the fault says. */
async function sent(fault: string) {
  const due = await duePost();
  await outside.fault(fault, { match: due.actor.userId });
  await publishPost(db, due.postId);
  return due;
}

async function said(actor: Actor, postId: string) {
  const { presence, isOnLinkedIn, cure } = describeFailure(await findPost(db, actor, postId));
  return { presence, isOnLinkedIn, cure: cure.name };
}

/** The mail about the last failure of a user. */
async function mailed(actor: Actor) {
  const mail = await db
    .selectFrom('mails')
    .select(['id', 'dataSealed'])
    .where('userId', '=', actor.userId)
    .where('kind', '=', 'postFailed')
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow();
  const { isOnLinkedIn, button, url } = JSON.parse(open(mail.dataSealed!, `mails.data:${mail.id}`));
  return { isOnLinkedIn, button, url } as Record<'isOnLinkedIn' | 'button' | 'url', string>;
}

async function steps(actor: Actor, postId: string) {
  const post = await findPost(db, actor, postId);
  return (await listTimelines(db, actor, [post])).get(postId)!;
}

test('a refused post is not on LinkedIn, and is edited, then tried again', async () => {
  const { actor, postId } = await sent('linkedin.422');
  const there = 'It is not on LinkedIn.';
  assert.deepEqual(await said(actor, postId), { presence: 'not_there', isOnLinkedIn: there, cure: 'edit' });
  const mail = await mailed(actor);
  assert.equal(mail.isOnLinkedIn, there);
  assert.equal(mail.button, 'Edit the post');
  assert.match(mail.url, new RegExp(`/app/posts\\?edit=${postId}$`));
  const [attempt, ...more] = await steps(actor, postId);
  assert.match(attempt!.answer!, /^LinkedIn refused this post/);
  assert.equal(attempt!.next, 'Change the text, then press Retry.');
  assert.deepEqual(more, []);
  await editPost(db, actor, { postId, content: 'Another text.' }, later(1));
  assert.equal((await said(actor, postId)).cure, 'retry');
});

test('after a duplicate an earlier post with this text is on LinkedIn, until the text is another', async () => {
  const { actor, text, postId: first } = await duePost();
  await publishPost(db, first);
  const { postId } = await duePost(text, actor);
  await publishPost(db, postId);
  const there = 'An earlier post with this text is on LinkedIn.';
  assert.deepEqual(await said(actor, postId), { presence: 'earlier', isOnLinkedIn: there, cure: 'edit' });
  assert.equal((await mailed(actor)).isOnLinkedIn, there);
  await editPost(db, actor, { postId, content: 'Another text.' }, later(1));
  assert.equal((await said(actor, postId)).presence, 'not_there');
});

test('a post that LinkedIn does not let us send is mended by connecting again', async () => {
  const { actor, postId } = await sent('linkedin.403-scope');
  assert.equal((await said(actor, postId)).cure, 'connect');
  assert.match((await mailed(actor)).url, /\/app\/linkedin$/);
  await connectLinkedIn(db, actor, outside.url);
  await db
    .updateTable('linkedinConnections')
    .set({ connectedAt: later(1) })
    .where('userId', '=', actor.userId)
    .execute();
  assert.equal((await said(actor, postId)).cure, 'retry');
  await disconnect(db, actor);
  assert.equal((await said(actor, postId)).cure, 'connect');
});

test('a picture that cannot be had is mended by another one', async () => {
  const { actor, postId } = await duePost(undefined, undefined, 'https://127.0.0.1/picture.png');
  await publishPost(db, postId);
  const { presence, cure } = await said(actor, postId);
  assert.deepEqual([presence, cure], ['not_there', 'picture']);
  assert.equal((await mailed(actor)).button, 'Choose another picture');
});

test('after an attempt that was never confirmed nobody claims that a post is not on LinkedIn', async () => {
  const { actor, postId } = await sent('linkedin.500-before');
  assert.match((await steps(actor, postId))[0]!.next!, /^We send the same text once more/);
  await sweepPublications(db, later(600));
  const { presence, cure } = await said(actor, postId);
  assert.deepEqual([presence, cure], ['unknown', 'decide']);
  await postAgain(db, actor, postId);
  await outside.fault('linkedin.422', { match: actor.userId });
  await publishPost(db, postId, later(1));
  assert.equal((await said(actor, postId)).presence, 'unsettled');
  assert.match((await mailed(actor)).isOnLinkedIn, /may be on LinkedIn/);
  assert.equal((await steps(actor, postId)).length, 2);
});

test('what LinkedIn did not take says when it is tried again', async () => {
  const { actor, postId } = await sent('linkedin.429');
  const [attempt] = await steps(actor, postId);
  assert.match(attempt!.next!, /^We try again at .*\d\d:\d\d\.$/);
});

const deletionOf = async (actor: Actor, postId: string) =>
  describeDeletion(await findPost(db, actor, postId));

test('before a post is deleted its owner is told what that does on LinkedIn', async () => {
  const { actor, postId } = await duePost();
  assert.equal((await deletionOf(actor, postId)).kind, 'gone');
  await publishPost(db, postId);
  assert.equal((await deletionOf(actor, postId)).kind, 'takesDown');
});

test('what deleting cannot do is told before and after, with where to look', async () => {
  const { actor, postId } = await sent('linkedin.500-after');
  await sweepPublications(db, later(600));
  const unconfirmed = await deletionOf(actor, postId);
  assert.equal(unconfirmed.kind, 'mayStay');
  assert.match(unconfirmed.before, /It may be on LinkedIn/);
  const urn = 'urn:li:activity:7401';
  await acknowledgePost(db, actor, { postId, link: `https://www.linkedin.com/feed/update/${urn}/` });
  const { kind, before, url } = await deletionOf(actor, postId);
  assert.equal(kind, 'stays');
  assert.match(before, /It is deleted here only/);
  assert.ok(url!.includes(urn));
  const { isGoneThere, why } = await deletePost(db, actor, postId);
  assert.equal(isGoneThere, false);
  assert.match(why!, /delete it there yourself/);
});

test('deleting a post whose first attempt was never confirmed says that it may be there', async () => {
  const { actor, postId } = await sent('linkedin.500-before');
  await sweepPublications(db, later(600));
  await postAgain(db, actor, postId);
  await outside.fault('linkedin.422', { match: actor.userId });
  await publishPost(db, postId, later(1));
  assert.equal((await deletePost(db, actor, postId)).isGoneThere, false);
});
