import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { type Mails, mailText } from '#app/domain/email/templates/templates.ts';
import { getHistory } from '#app/domain/pages/posts.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInMail, formatTime } from '#app/domain/platform/dates.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { listPosts, listScheduled } from '#app/domain/posts/lists/list.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { presentPost } from '#app/domain/posts/present.ts';
import { approvePost, setAsideUnapproved } from '#app/domain/publishing/approval/approve.ts';
import { openLink } from '#app/domain/publishing/approval/links.ts';
import { mailApprovalRequests } from '#app/domain/publishing/approval/request.ts';
import { postAgain, publishNow, retryPost } from '#app/domain/publishing/manual/publish-now.ts';
import { handToOwners } from '#app/domain/publishing/safety/after-restore.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { refitQueue, saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { chooseMissed, findMissed } from '#app/domain/publishing/slots/missed-while-disconnected.ts';
import { movePost, scheduleAgain, skipPost } from '#app/domain/publishing/slots/move.ts';
import { findNextMove, nextMovesOf } from '#app/domain/publishing/slots/upcoming-moves.ts';
import { markUnsent } from '#app/domain/publishing/state/post-state.ts';
import { findDueAt } from '#app/domain/publishing/state/schedule.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';
import { mailsTo } from '#tests/fixtures/accounts.ts';
import { connectLinkedIn, setConnection } from '#tests/fixtures/linkedin.ts';
import { endPlanAt } from '#tests/fixtures/payments.ts';
import { makePublisher, makeScheduledPost, makeTopic, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const MINUTE = 60_000;
const dateIn = (days: number) => new Date(Date.now() + days * 24 * 60 * MINUTE).toISOString().slice(0, 10);

/** Its time passes without LinkedIn, and once that is connected its owner has it take the next free one. */
async function missAndTakeSlots(actor: Actor, postId: string) {
  await setConnection(db, actor, { status: 'expired' });
  await standAs(db, postId, { dueAt: new Date(Date.now() - 60 * MINUTE) });
  await connectLinkedIn(db, actor, outside.url);
  const { asked } = (await findMissed(db, actor))!;
  await chooseMissed(db, actor, { choice: 'slots', asked: asked.toISOString() });
}

/** A post that waits for approval, and the instant just after its slot. */
async function pendingPost() {
  const actor = await makePublisher(db, outside.url);
  await saveSettings(db, actor, { requireApproval: true });
  await makeTopic(db, actor);
  const { id } = await generateNow(db, actor, { count: 1 });
  await writeRun(db, id);
  const [post] = (await listScheduled(db, actor, PageQuery.parse({}))).rows;
  assert.equal(post!.status, 'pending');
  return { actor, postId: post!.id, afterSlot: new Date(post!.publishAt!.getTime() + MINUTE) };
}

const look = async (now: Date) => {
  await enqueueDuePosts(db, now);
  await setAsideUnapproved(db, now);
};

test('a post nobody approved is not published: it moves once, then it is set aside', async () => {
  const { actor, postId, afterSlot } = await pendingPost();
  await look(afterSlot);
  await look(afterSlot);
  const moved = await findPost(db, actor, postId);
  assert.equal(moved.status, 'pending');
  assert.ok(moved.publishAt! > afterSlot);
  await look(new Date(moved.publishAt!.getTime() + MINUTE));
  const aside = await findPost(db, actor, postId);
  assert.equal(aside.status, 'failed');
  const { badge, failure } = presentPost(aside, actor.timeZone);
  assert.equal(badge, 'set_aside');
  assert.equal(failure!.reason, 'You did not approve this post by its time, so it was set aside.');
  const { rows } = await listPosts(db, actor, { ...PageQuery.parse({}), status: 'failed' });
  assert.deepEqual(
    rows.map(({ id }) => id),
    [postId],
  );
  assert.equal(((await outside.ledger()) as { attempts: unknown[] }).attempts.length, 0);
});

test('a post whose slot passes while its approval waits for another change takes the next free slot', async () => {
  const { actor, postId } = await pendingPost();
  const dueAt = new Date(Date.now() + 500);
  await db.updateTable('postSchedules').set({ dueAt }).where('postId', '=', postId).execute();
  const other = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const change = transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    locked.resolve();
    await other.promise;
  });
  await locked.promise;
  const approved = approvePost(db, actor, postId);
  await wait(1_000);
  other.resolve();
  await change;
  await approved;
  assert.ok((await findDueAt(db, { id: postId, userId: actor.userId }))! > dueAt);
});

test('an approved post goes out at its slot', async () => {
  const { actor, postId } = await pendingPost();
  await approvePost(db, actor, postId);
  const dueAt = new Date(Date.now() - MINUTE);
  await db.updateTable('postSchedules').set({ dueAt }).where('postId', '=', postId).execute();
  await look(new Date());
  await publishPost(db, postId);
  assert.equal((await findPost(db, actor, postId)).status, 'published');
});

test('a post sent by hand before it was approved takes no time of the queue without approval', async () => {
  const ways = [
    async () => {},
    // Set aside for want of approval, and sent after all.
    async (actor: Actor, postId: string) => {
      await transact(db, (trx) => markUnsent(trx, { id: postId, userId: actor.userId }, 'not_approved'));
      await retryPost(db, actor, postId);
    },
  ];
  for (const go of ways) {
    const { actor, postId } = await pendingPost();
    await standAs(db, postId, { dueAt: new Date(Date.now() + 40 * 60 * MINUTE) });
    await go(actor, postId);
    await publishNow(db, actor, postId);
    await missAndTakeSlots(actor, postId);
    assert.equal((await findPost(db, actor, postId)).status, 'pending');
  }
});

test('a post that waited for approval in a restored database and is posted again waits for it as before', async () => {
  const { actor, postId } = await pendingPost();
  await standAs(db, postId, { dueAt: new Date(Date.now() - 60 * MINUTE) });
  await handToOwners(db, new Date());
  await postAgain(db, actor, postId);
  await missAndTakeSlots(actor, postId);
  assert.equal((await findPost(db, actor, postId)).status, 'pending');
});

const rendered = <K extends 'approvalMoved' | 'approvalMissed' | 'approvalAsked'>(kind: K, data: Mails[K]) =>
  JSON.stringify(mailText(kind, data).lines);

test('its owner is told once that a post has moved, and once that it was set aside, and what comes of silence', async () => {
  const { actor, postId, afterSlot } = await pendingPost();
  await look(afterSlot);
  await look(afterSlot);
  const [moved, ...more] = await mailsTo(db, actor.email, 'approvalMoved');
  assert.equal(more.length, 0);
  const { publishAt, content } = await findPost(db, actor, postId);
  assert.ok(moved!.post.text.startsWith(content), 'in full');
  assert.equal(moved!.post.at, formatInMail(publishAt!, 'UTC'));
  assert.equal(moved!.from, formatInMail(new Date(afterSlot.getTime() - MINUTE), 'UTC'));
  assert.match(rendered('approvalMoved', moved!), /If you do nothing, it is not published, and is set aside/);
  assert.match(
    rendered('approvalMoved', moved!),
    /works without signing in, so please do not pass this mail on/,
  );
  await look(new Date(publishAt!.getTime() + MINUTE));
  await look(new Date(publishAt!.getTime() + MINUTE));
  const missed = await mailsTo(db, actor.email, 'approvalMissed');
  assert.equal(missed.length, 1);
  assert.equal(missed[0]!.at, formatInMail(publishAt!, 'UTC'));
  assert.match(rendered('approvalMissed', missed[0]!), /If you do nothing, it stays set aside/);
});

test('while automation is paused, or without a plan, nothing is set aside for want of an answer', async () => {
  const ways = [
    (actor: Actor) => saveSettings(db, actor, { enabled: false }),
    ({ userId }: Actor) =>
      db
        .updateTable('payments')
        .set({ startsAt: new Date(Date.now() - 50 * 60 * MINUTE), endsAt: new Date(Date.now() - MINUTE) })
        .where('userId', '=', userId)
        .execute(),
  ];
  for (const stop of ways) {
    const { actor, postId, afterSlot } = await pendingPost();
    await stop(actor);
    await look(afterSlot);
    const post = await findPost(db, actor, postId);
    assert.deepEqual([post.status, post.approvalMovedAt], ['pending', null]);
    assert.deepEqual(await mailsTo(db, actor.email, 'approvalMoved'), []);
  }
});

test('a post says until when it waits for approval, and what becomes of it otherwise', async () => {
  const { actor, postId, afterSlot } = await pendingPost();
  const post = await findPost(db, actor, postId);
  const hourBefore = new Date(post.publishAt!.getTime() - 60 * MINUTE);
  const movesTo = await findNextMove(db, actor, post, hourBefore);
  const { approval } = presentPost(post, 'UTC', hourBefore, { movesTo });
  const time = formatTime(post.publishAt!, 'UTC');
  assert.equal(approval!.words, `Needs your approval by ${time}, else it moves to tomorrow ${time}`);
  assert.equal(presentPost(post, 'UTC', hourBefore).approval!.then, 'it moves to your next free time');
  await look(afterSlot);
  const moved = await findPost(db, actor, postId);
  assert.deepEqual(moved.publishAt, movesTo);
  assert.match(
    presentPost(moved, 'UTC', afterSlot).approval!.words,
    /^Needs your approval by .*, else it is set aside$/,
  );
  assert.equal(await findNextMove(db, actor, moved, afterSlot), undefined);
  const approved = await approvePost(db, actor, postId);
  assert.equal(presentPost(approved, 'UTC', afterSlot).approval, null);
});

test('posts that nobody approves take the free times one after the other', async () => {
  const { actor, postId } = await pendingPost();
  const first = await findPost(db, actor, postId);
  const dueAt = new Date(first.publishAt!.getTime() + 24 * 60 * MINUTE);
  const secondId = await makeScheduledPost(db, actor, { dueAt });
  await saveSettings(db, actor, {});
  const posts = [await findPost(db, actor, secondId), first];
  const now = new Date();
  const moves = nextMovesOf(posts, await getHistory(db, actor, now), now);
  const days = (id: string) => (moves.get(id)!.getTime() - first.publishAt!.getTime()) / (24 * 60 * MINUTE);
  assert.deepEqual([days(postId), days(secondId)], [2, 3]);
  const alone = await findNextMove(db, actor, posts[0]!, now);
  assert.deepEqual(alone, moves.get(secondId), 'also where only the second one is shown');
});

test('after a run one mail has every post that waits for approval, in full, and no post is mailed twice', async () => {
  const { actor, postId } = await pendingPost();
  const dueAt = new Date(Date.now() + 72 * 60 * MINUTE);
  const secondId = await makeScheduledPost(db, actor, { dueAt, content: 'The second one, in two\nlines.' });
  await saveSettings(db, actor, {});
  const approvedId = await makeScheduledPost(db, actor, { dueAt: new Date(dueAt.getTime() + MINUTE) });
  const run = await generateNow(db, actor, { count: 1 });
  await mailApprovalRequests(db);
  assert.deepEqual(await mailsTo(db, actor.email, 'approvalAsked'), [], 'the run is not over');
  await db.updateTable('generationRuns').set({ status: 'complete' }).where('id', '=', run.id).execute();
  await Promise.all([mailApprovalRequests(db), mailApprovalRequests(db)]);
  await mailApprovalRequests(db);
  const [asked, ...more] = await mailsTo(db, actor.email, 'approvalAsked');
  assert.equal(more.length, 0);
  const posts = await Promise.all([postId, secondId].map((id) => findPost(db, actor, id)));
  assert.deepEqual(
    asked!.posts.map(({ at }) => at),
    posts.map(({ publishAt }) => formatInMail(publishAt!, 'UTC')),
  );
  assert.ok(posts.every(({ content }, index) => asked!.posts[index]!.text.startsWith(content)));
  assert.match(rendered('approvalAsked', asked!), /If you do nothing, it is not published then: it moves/);
  assert.match(
    rendered('approvalAsked', asked!),
    /works without signing in, so please do not pass this mail on/,
  );
  assert.equal((await findPost(db, actor, approvedId)).status, 'generated');
});

test('of a time after the plan no mail says that the post goes out, moves or lapses by itself', async () => {
  const { actor, postId, afterSlot } = await pendingPost();
  const { publishAt } = await findPost(db, actor, postId);
  const inVain =
    /Planned for [^"]*, if you renew your plan and approve it:.*If you do nothing, it is not published\. It waits for you: renew/;
  await endPlanAt(db, actor, publishAt!);
  await mailApprovalRequests(db);
  const [asked] = await mailsTo(db, actor.email, 'approvalAsked');
  assert.match(rendered('approvalAsked', asked!), inVain);
  assert.doesNotMatch(rendered('approvalAsked', asked!), /next free time|set aside|once you approve/);
  await endPlanAt(db, actor, new Date(afterSlot.getTime() + MINUTE));
  await look(afterSlot);
  const [moved] = await mailsTo(db, actor.email, 'approvalMoved');
  assert.match(rendered('approvalMoved', moved!), inVain);
});

test('who asks to approve is mailed what waits already; a post that moves unasked is mailed about once', async () => {
  const actor = await makePublisher(db, outside.url);
  await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 72 * 60 * MINUTE) });
  await saveSettings(db, actor, { requireApproval: true });
  await mailApprovalRequests(db);
  assert.equal((await mailsTo(db, actor.email, 'approvalAsked')).length, 1);
  const other = await pendingPost();
  await look(other.afterSlot);
  await mailApprovalRequests(db, other.afterSlot);
  assert.equal((await mailsTo(db, other.actor.email, 'approvalMoved')).length, 1);
  assert.equal((await mailsTo(db, other.actor.email, 'approvalAsked')).length, 0);
});

/** How often its owner was asked to approve, and at which time they read last that it is planned. */
async function asked({ email }: Actor) {
  const mails = await mailsTo(db, email, 'approvalAsked');
  return { times: mails.length, at: mails[0]?.posts.map(({ at }) => at) };
}

/** Some minutes pass since their last mail. */
const pass = ({ userId }: Actor, minutes = 10) =>
  db
    .updateTable('postSchedules')
    .set({ approvalRequestedAt: sql`approval_requested_at - ${minutes} * interval '1 minute'` })
    .where('userId', '=', userId)
    .execute();

test('a post that waits for approval and gets another time is mailed anew, and its link works for as long as it waits', async () => {
  const day = (days: number) => ({ date: dateIn(days), number: 1 });
  const ways: Record<string, (actor: Actor, postId: string, now: Date) => Promise<unknown>> = {
    'its owner moves it': (actor, postId, now) => movePost(db, actor, { postId, slot: day(5) }, now),
    'new publish times': (actor) => saveSettings(db, actor, { publishTimes: ['05:00'] }),
    'a queue that goes on': async ({ userId }, postId, now) => {
      const dueAt = new Date(now.getTime() - MINUTE);
      await standAs(db, postId, { dueAt, approvalRequestedFor: dueAt, heldAt: now });
      await refitQueue(db, userId, now);
    },
    'set aside, and scheduled again': async (actor, postId, now) => {
      await skipPost(db, actor, postId);
      await scheduleAgain(db, actor, postId, now);
    },
  };
  for (const [way, change] of Object.entries(ways)) {
    const { actor, postId } = await pendingPost();
    await mailApprovalRequests(db);
    await saveSettings(db, actor, {});
    await mailApprovalRequests(db);
    assert.equal((await asked(actor)).times, 1, `${way}: nothing has changed`);
    await change(actor, postId, new Date());
    await pass(actor);
    await mailApprovalRequests(db);
    const { publishAt, status } = await findPost(db, actor, postId);
    const at = formatInMail(publishAt!, 'UTC');
    assert.deepEqual([status, await asked(actor)], ['pending', { times: 2, at: [at] }], way);
    const [{ posts }] = (await mailsTo(db, actor.email, 'approvalAsked')) as [Mails['approvalAsked']];
    const key = new URL(posts[0]!.link).searchParams.get('key')!;
    const atItsTime = new Date(publishAt!.getTime() + MINUTE);
    assert.equal((await openLink(db, postId, key, atItsTime)).postId, postId, way);
  }
});

test('a time that a post gets back is mailed, too, when another one was mailed meanwhile', async () => {
  const { actor, postId } = await pendingPost();
  const { publishAt } = await findPost(db, actor, postId);
  const first = { date: publishAt!.toISOString().slice(0, 10), number: 1 };
  const at = [formatInMail(publishAt!, 'UTC')];
  const away = { ...first, date: dateIn(5) };
  await mailApprovalRequests(db);
  for (const slot of [away, first]) await movePost(db, actor, { postId, slot });
  await pass(actor);
  await mailApprovalRequests(db);
  assert.deepEqual(await asked(actor), { times: 1, at }, 'the mail says so already');
  for (const slot of [away, first]) {
    await movePost(db, actor, { postId, slot });
    await pass(actor);
    await mailApprovalRequests(db);
  }
  assert.deepEqual(await asked(actor), { times: 3, at });
});

/** Some posts that wait for approval, a day each from the third on, mailed about now or by a clock that is ahead. */
async function mailedWeek(posts = 2, aheadMs = 0) {
  const actor = await makePublisher(db, outside.url);
  await saveSettings(db, actor, { requireApproval: true });
  const start = new Date(Date.now() + aheadMs);
  const ids: string[] = [];
  for (let day = 3; day < 3 + posts; day += 1) {
    ids.push(
      await makeScheduledPost(db, actor, { dueAt: new Date(start.getTime() + day * 24 * 60 * MINUTE) }),
    );
  }
  await db
    .updateTable('postSchedules')
    .set({ status: 'pending' })
    .where('userId', '=', actor.userId)
    .execute();
  await mailApprovalRequests(db, start);
  assert.equal((await asked(actor)).times, 1);
  const after = (minutes: number) => new Date(start.getTime() + minutes * MINUTE);
  return { actor, ids, after };
}

test('who arranges a week for ten minutes is mailed once, with the times at which that ends', async () => {
  const { actor, ids, after } = await mailedWeek();
  for (let minute = 1; minute < 10; minute += 1) {
    const [postId, slot] = [ids[minute % 2]!, { date: dateIn(10 + minute), number: 1 }];
    await movePost(db, actor, { postId, slot }, after(minute));
    await mailApprovalRequests(db, after(minute));
    assert.equal((await asked(actor)).times, 1, `minute ${minute}`);
  }
  for (const minute of [10, 11, 25]) await mailApprovalRequests(db, after(minute));
  const posts = await Promise.all([ids[0]!, ids[1]!].map((id) => findPost(db, actor, id)));
  const at = posts.map(({ publishAt }) => formatInMail(publishAt!, 'UTC'));
  assert.deepEqual(await asked(actor), { times: 2, at });
});

test('what is due within the hour waits for no other mail, and is in no second one for ten minutes', async () => {
  const { actor, ids, after } = await mailedWeek();
  await standAs(db, ids[1]!, { dueAt: after(24 * 60) });
  const soonId = await makeScheduledPost(db, actor, { dueAt: after(50) });
  await standAs(db, soonId, { status: 'pending' });
  await mailApprovalRequests(db, after(1));
  const at = [after(50), after(24 * 60)].map((each) => formatInMail(each, 'UTC'));
  assert.deepEqual(await asked(actor), { times: 2, at }, 'and what was moved goes with it');
  for (let minute = 2; minute < 11; minute += 1) {
    await standAs(db, soonId, { dueAt: after(41 + minute) });
    await mailApprovalRequests(db, after(minute));
  }
  assert.equal((await asked(actor)).times, 2);
  await mailApprovalRequests(db, after(11));
  assert.deepEqual(await asked(actor), { times: 3, at: [formatInMail(after(51), 'UTC')] });
});

test('a mail that a clock wrote that was ahead keeps no other one back', async () => {
  const { actor, ids, after } = await mailedWeek(1, 60 * MINUTE);
  await standAs(db, ids[0]!, { dueAt: after(24 * 60) });
  await mailApprovalRequests(db);
  assert.equal((await asked(actor)).times, 2);
});

test('of two posts that nobody approved in time the earlier one takes the sooner slot', async () => {
  const { actor, postId, afterSlot } = await pendingPost();
  const dueAt = new Date(afterSlot.getTime() - 3 * MINUTE);
  const earlierId = await makeScheduledPost(db, actor, { dueAt });
  await saveSettings(db, actor, { requireApproval: true });
  await standAs(db, earlierId, { dueAt });
  await look(afterSlot);
  const [earlier, later] = await Promise.all(
    [earlierId, postId].map((id) => findDueAt(db, { id, userId: actor.userId })),
  );
  assert.ok(afterSlot < earlier! && earlier! < later!, `${earlier} ${later}`);
});

test('nobody is asked while nothing could go out, nor about what is past its time', async () => {
  const { actor, afterSlot } = await pendingPost();
  await mailApprovalRequests(db, afterSlot);
  await saveSettings(db, actor, { enabled: false });
  await mailApprovalRequests(db);
  assert.deepEqual(await mailsTo(db, actor.email, 'approvalAsked'), []);
  await saveSettings(db, actor, { enabled: true });
  await mailApprovalRequests(db);
  assert.equal((await mailsTo(db, actor.email, 'approvalAsked')).length, 1);
});
