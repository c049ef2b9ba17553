import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PostFailure } from '#app/db/tables.ts';
import { mailText } from '#app/domain/email/templates/templates.ts';
import { disconnect } from '#app/domain/linkedin/connect/disconnect.ts';
import { listHistoryPosts, POSTS_PER_PAGE } from '#app/domain/pages/posts.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { open } from '#app/domain/platform/secrets.ts';
import { presentDeletion } from '#app/domain/posts/deletion.ts';
import { isSetAside, presenceOf, presentFailure } from '#app/domain/posts/failures.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { presentPost } from '#app/domain/posts/present.ts';
import { PostChange } from '#app/domain/posts/schema.ts';
import { setAsideUnapproved } from '#app/domain/publishing/approval/approve.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import { acknowledgePost, postAgain, retryPost } from '#app/domain/publishing/manual/publish-now.ts';
import { settle } from '#app/domain/publishing/outcome/settle.ts';
import type { Attempt } from '#app/domain/publishing/send/attempt.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { moveLatePosts } from '#app/domain/publishing/slots/too-late.ts';
import { sweepAttempts } from '#app/domain/publishing/sweep.ts';
import { presentTimeline } from '#app/domain/publishing/timeline.ts';
import { mailsTo } from '#tests/fixtures/accounts.ts';
import { makeAttempt } from '#tests/fixtures/attempts.ts';
import { connectLinkedIn, setConnection } from '#tests/fixtures/linkedin.ts';
import { makePublisher, makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { atTheDoor, problem } from '#tests/harness/outside/linkedin-responses.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

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
  const { presence, isOnLinkedIn, cure } = presentFailure(await findPost(db, actor, postId));
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

const firstAttemptAt = async (postId: string) =>
  (await db
    .selectFrom('publishAttempts')
    .selectAll()
    .where('postId', '=', postId)
    .where('attempt', '=', 1)
    .executeTakeFirstOrThrow()) as Attempt;

async function steps(actor: Actor, postId: string) {
  const { rows } = await listHistoryPosts(db, actor, { limit: POSTS_PER_PAGE });
  const post = rows.find(({ id }) => id === postId)!;
  return presentTimeline(post, post.timeline, actor.timeZone);
}

test('the last attempt says what a post waits for that LinkedIn did not take: its turn, or approval', async () => {
  const { actor, postId } = await sent('linkedin.429');
  const nextStep = async () => (await steps(actor, postId)).at(-1)!.next!;
  assert.match(await nextStep(), /^We try again at /);
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await standAs(db, postId, { dueAt: minutesAgo(10), notBefore: minutesAgo(1) });
  await makeScheduledPost(db, actor, { dueAt: minutesAgo(20) });
  assert.equal(await nextStep(), 'It waits its turn, so that late posts do not come all at once.');
  await standAs(db, postId, { status: 'pending' });
  assert.equal(await nextStep(), 'It waits for your approval.');
});

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

test('an attempt that LinkedIn has taken says so, also one that had been given up on', async () => {
  const { actor, postId } = await duePost();
  await publishPost(db, postId);
  assert.equal((await steps(actor, postId))[0]!.answer, 'LinkedIn accepted it.');
  const late = await sent('linkedin.500-before');
  await sweepAttempts(db, later(600));
  assert.notEqual((await steps(late.actor, late.postId))[0]!.answer, 'LinkedIn accepted it.');
  const urn = `urn:li:share:${Date.now()}`;
  await settle(db, await firstAttemptAt(late.postId), { kind: 'published', urn, status: 201 });
  assert.equal((await steps(late.actor, late.postId))[0]!.answer, 'LinkedIn accepted it.');
});

test('of many attempts at a post the latest are shown, numbered as they were made', async () => {
  const { actor, postId } = await duePost();
  const done = { state: 'refused' as const, finishedAt: later(0), resolvedAt: later(0) };
  for (let attempt = 1; attempt <= 25; attempt++) await makeAttempt(db, actor, postId, { ...done, attempt });
  const shown = (await steps(actor, postId)).map(({ number }) => number);
  assert.deepEqual([shown.length, shown[0], shown.at(-1)], [20, 6, 25]);
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
  await setConnection(db, actor, { connectedAt: later(1) });
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
  await sweepAttempts(db, later(600));
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

test('what is put off for so long that it misses its time is told the same by its card and its attempts', async () => {
  const { actor, postId } = await sent('linkedin.429');
  const until = later(9 * 3_600);
  await standAs(db, postId, { notBefore: until });
  const { putOff } = presentPost(await findPost(db, actor, postId), actor.timeZone);
  assert.equal(putOff!.isLateThen, true);
  const [attempt] = await steps(actor, postId);
  assert.equal(attempt!.next, `It takes your next free time after ${putOff!.at}.`);
});

const DUPLICATE = problem(422, 'DUPLICATE_POST', 'Content is a duplicate of urn:li:share:123');
const UNREADABLE = problem(400, 'MEDIA_ASSET_PROCESSING_FAILED');
const TOO_LONG = problem(422, 'FIELD_LENGTH_TOO_LONG');

for (const [what, refusal, change, cure] of [
  ['the hashtags of a duplicate', DUPLICATE, { hashtags: ['Other'] }, 'edit'],
  ['the picture of a duplicate', DUPLICATE, { imageUrl: 'https://example.com/other.png' }, 'edit'],
  [
    'a picture that LinkedIn could not read',
    UNREADABLE,
    { imageUrl: 'https://example.com/other.png' },
    'picture',
  ],
  ['the hashtags of what is too long', TOO_LONG, { hashtags: [] }, 'edit'],
] as const) {
  test(`changing ${what} mends it`, async () => {
    const { actor, postId } = await duePost();
    await atTheDoor({ create: [refusal] }, () => publishPost(db, postId));
    assert.equal((await said(actor, postId)).cure, cure);
    await editPost(db, actor, { postId, altText: 'Another description' });
    assert.equal((await said(actor, postId)).cure, cure);
    await editPost(db, actor, { postId, ...PostChange.parse(change) });
    const { cure: next, presence } = await said(actor, postId);
    assert.deepEqual([next, presence], ['retry', 'not_there']);
    assert.equal(presentPost(await findPost(db, actor, postId), 'UTC').canRetry, true);
    await retryPost(db, actor, postId);
  });
}

test('a picture that cannot be had is mended by another one or by none, not by another text', async () => {
  const { actor, postId } = await duePost(undefined, undefined, 'https://127.0.0.1/picture.png');
  await publishPost(db, postId);
  await editPost(db, actor, { postId, content: 'Another text.' });
  assert.equal((await said(actor, postId)).cure, 'picture');
  await editPost(db, actor, { postId, imageUrl: null });
  assert.equal((await said(actor, postId)).cure, 'retry');
});

test('what was mended once and refused again is to be mended again', async () => {
  const { actor, postId } = await duePost();
  for (const content of ['One text.', 'Another text.']) {
    await atTheDoor({ create: [DUPLICATE] }, () => publishPost(db, postId));
    await assert.rejects(retryPost(db, actor, postId), { code: 'duplicate' });
    await editPost(db, actor, { postId, content });
    await retryPost(db, actor, postId);
  }
});

test('a duplicate that is edited where the clock is behind is another post', async (t) => {
  const { actor, postId } = await duePost();
  await atTheDoor({ create: [DUPLICATE] }, () => publishPost(db, postId));
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 600_000 });
  await editPost(db, actor, { postId, content: 'Another text.' });
  t.mock.timers.reset();
  const { editedAt } = await findPost(db, actor, postId);
  assert.ok(Date.now() - editedAt!.getTime() < 60_000);
  assert.equal((await said(actor, postId)).presence, 'not_there');
});

const deletionOf = async (actor: Actor, postId: string) => presentDeletion(await findPost(db, actor, postId));

test('before a post is deleted its owner is told what that does on LinkedIn', async () => {
  const { actor, postId } = await duePost();
  assert.equal((await deletionOf(actor, postId)).kind, 'gone');
  await publishPost(db, postId);
  assert.equal((await deletionOf(actor, postId)).kind, 'takesDown');
});

test('what deleting cannot do is told before and after, with where to look', async () => {
  const { actor, postId } = await sent('linkedin.500-after');
  await sweepAttempts(db, later(600));
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
  await sweepAttempts(db, later(600));
  await postAgain(db, actor, postId);
  await outside.fault('linkedin.422', { match: actor.userId });
  await publishPost(db, postId, later(1));
  assert.equal((await deletePost(db, actor, postId)).isGoneThere, false);
});

/** What another release would have said of the same failure. */
async function reword(postId: string) {
  const explanation = 'Words of another release';
  await standAs(db, postId, { reason: explanation });
  await db.updateTable('publishAttempts').set({ explanation }).where('postId', '=', postId).execute();
}

test('what is known of a failure does not hang on the words in which it was told', async () => {
  const { actor, text, postId: first } = await duePost();
  await publishPost(db, first);
  const { postId: double } = await duePost(text, actor);
  await publishPost(db, double);
  await reword(double);
  assert.deepEqual(
    [(await said(actor, double)).presence, (await said(actor, double)).cure],
    ['earlier', 'edit'],
  );
  await assert.rejects(retryPost(db, actor, double), { code: 'duplicate' });

  const { postId: unseen } = await duePost(undefined, actor, 'https://127.0.0.1/picture.png');
  await publishPost(db, unseen);
  await reword(unseen);
  assert.equal((await said(actor, unseen)).cure, 'picture');

  const { actor: other, postId: refused } = await sent('linkedin.422');
  await reword(refused);
  assert.equal((await said(other, refused)).cure, 'edit');
});

test('a post that was set aside stays so when its words change', async () => {
  const { actor, postId } = await duePost();
  await db
    .updateTable('posts')
    .set({ approvalMovedAt: later(-1) })
    .where('id', '=', postId)
    .execute();
  await standAs(db, postId, { status: 'pending', heldAt: later(-1) });
  await setAsideUnapproved(db);
  await reword(postId);
  const post = await findPost(db, actor, postId);
  assert.equal(isSetAside(post), true);
  assert.equal(presentFailure(post).cure.name, 'publish');
});

test('while an attempt is open nobody claims that its post is not on LinkedIn', async () => {
  const { actor, postId } = await duePost();
  const presence = async () => presenceOf(await findPost(db, actor, postId));
  assert.equal(await presence(), 'not_there');
  await makeAttempt(db, actor, postId);
  assert.equal(await presence(), 'unknown');
  await db.updateTable('publishAttempts').set({ state: 'unknown' }).where('postId', '=', postId).execute();
  assert.equal(await presence(), 'unknown');
});

test("a post that its first attempt published late is nobody else's word", async () => {
  const { actor, postId } = await sent('linkedin.500-before');
  const { id: confirmsId, ...first } = await db
    .selectFrom('publishAttempts')
    .select(['id', 'authorUrn', 'body'])
    .where('postId', '=', postId)
    .executeTakeFirstOrThrow();
  const resolved = { state: 'not_accepted' as const, finishedAt: later(31), resolvedAt: later(31) };
  await makeAttempt(db, actor, postId, { ...first, ...resolved, attempt: 2, confirmsId });
  await settle(db, await firstAttemptAt(postId), {
    kind: 'published',
    urn: `urn:li:share:${Date.now()}`,
    status: 201,
  });
  assert.equal((await findPost(db, actor, postId)).status, 'published');
  assert.deepEqual(
    (await steps(actor, postId)).map(({ next }) => next),
    [null, null],
  );
});

test('the mail about a post that moves says what is known of it', async () => {
  const [clean, uncertain] = [await duePost(), await duePost()];
  await makeAttempt(db, uncertain.actor, uncertain.postId, { state: 'held', resolvedAt: later(-1) });
  for (const due of [clean, uncertain]) {
    await db
      .updateTable('postSchedules')
      .set({ dueAt: later(-86_400) })
      .where('postId', '=', due.postId)
      .execute();
    await moveLatePosts(db, due.actor.userId, new Date());
  }
  const told = async ({ actor }: { actor: Actor }) =>
    mailText('postMoved', (await mailsTo(db, actor.email, 'postMoved'))[0]!).lines.join(' ');
  assert.match(await told(clean), /It is not on LinkedIn\./);
  assert.match(await told(uncertain), /never confirmed, so it may be on LinkedIn\./);
  assert.doesNotMatch(await told(uncertain), /not on LinkedIn/);
});

test('a failure that a newer release has written is listed with its reason, and can be retried', async () => {
  const { actor, postId } = await duePost();
  const failure = 'of_tomorrow' as PostFailure;
  await standAs(db, postId, { status: 'failed', failure, reason: 'LinkedIn wants something new' });
  const { badge, failure: told } = presentPost(await findPost(db, actor, postId), actor.timeZone);
  assert.deepEqual(
    [badge, told!.reason, told!.cure.name],
    ['failed', 'LinkedIn wants something new.', 'retry'],
  );
});
