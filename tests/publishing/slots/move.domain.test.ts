import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slotKey, slotKeyOfPost } from '#app/domain/automation/slots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { listPosts } from '#app/domain/posts/lists/list.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { presentPost } from '#app/domain/posts/present.ts';
import { setAsideUnapproved } from '#app/domain/publishing/approval/approve.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { MOVE_WITHIN_DAYS, RESTORE_WITHIN_DAYS } from '#app/domain/publishing/limits.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import { publishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { readIdentity } from '#app/domain/publishing/safety/epoch.ts';
import { MoveInput, SlotKey, SwapInput, UndoInput } from '#app/domain/publishing/schema.ts';
import { beginAttempt } from '#app/domain/publishing/send/attempt.ts';
import { claimPost } from '#app/domain/publishing/send/claim.ts';
import { publishPost } from '#app/domain/publishing/send/publish-post.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { movePost, scheduleAgain, skipPost, swapPosts } from '#app/domain/publishing/slots/move.ts';
import { listFreeSlots } from '#app/domain/publishing/slots/slot-key.ts';
import { undo } from '#app/domain/publishing/slots/undo.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { setConnection } from '#tests/fixtures/linkedin.ts';
import { findQueued, makePublisher, makeScheduledPost, readPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { goOnAfterEach } from '#tests/harness/reset-publishing.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const DAY = 86_400_000;
const HOUR = 3_600_000;
const later = (ms: number, at = new Date()) => new Date(at.getTime() + ms);

goOnAfterEach(() => db);

type Code = { code: string };
const refused = (code: string) => (error: unknown) => {
  assert.equal((error as Code).code, code, String(error));
  return true;
};

/** The owner of two posts a day, at 09:00 and 18:00 in UTC. */
async function owner(): Promise<Actor> {
  const actor = await makePublisher(db, outside.url, 2);
  await saveSettings(db, actor, { timeZone: 'UTC', publishTimes: ['09:00', '18:00'] });
  return { ...actor, timeZone: 'UTC' };
}

/** A time of a day that is so many days ahead. */
const slotIn = (days: number, number: 1 | 2) => ({
  date: later(days * DAY)
    .toISOString()
    .slice(0, 10),
  number,
});
const atOf = ({ date, number }: { date: string; number: number }) =>
  new Date(`${date}T${number === 1 ? '09' : '18'}:00:00Z`);

/** A post that waits for the slot. */
async function waiting(actor: Actor, slot: { date: string; number: number }): Promise<string> {
  const id = await makeScheduledPost(db, actor, { dueAt: atOf(slot) });
  await db.updateTable('posts').set({ slotNumber: slot.number }).where('id', '=', id).execute();
  return id;
}

const slotOfPost = async (postId: string) => slotKeyOfPost(await readPost(db, postId));

/** Where a post is, on both of its rows. */
async function assertAt(postId: string, slot: { date: string; number: number }) {
  const post = await readPost(db, postId);
  assert.deepEqual(
    [slotKeyOfPost(post), post.publishAt, post.dueAt],
    [slotKey(slot), atOf(slot), atOf(slot)],
  );
}

const move = (actor: Actor, postId: string, slot: { date: string; number: number }, at?: Date) =>
  movePost(db, actor, { postId, slot }, at);

test('a post that waits moves to a free slot, and its own is free again', async () => {
  const actor = await owner();
  const id = await waiting(actor, slotIn(2, 1));
  const [first] = await listFreeSlots(db, actor.userId, 1);
  const { was, is, post } = await move(actor, id, slotIn(5, 2));
  assert.deepEqual([was, is], [slotKey(slotIn(2, 1)), slotKey(slotIn(5, 2))]);
  assert.deepEqual(post.publishAt, atOf(slotIn(5, 2)));
  await assertAt(id, slotIn(5, 2));
  const free = (await listFreeSlots(db, actor.userId, 12)).map(({ key }) => key);
  assert.equal(free[0], first!.key);
  assert.ok(free.includes(slotKey(slotIn(2, 1))) && !free.includes(slotKey(slotIn(5, 2))));
});

test('a time that is taken, over, gone from the timetable or too far ahead is refused, and nothing changes', async () => {
  const actor = await owner();
  const id = await waiting(actor, slotIn(2, 1));
  await waiting(actor, slotIn(3, 1));
  const cases: [string, { date: string; number: number }][] = [
    ['slot_taken', slotIn(3, 1)],
    ['slot_past', slotIn(-1, 1)],
    ['no_such_slot', { ...slotIn(3, 1), number: 3 }],
    ['slot_too_far', slotIn(MOVE_WITHIN_DAYS + 2, 1)],
  ];
  for (const [code, slot] of cases) await assert.rejects(move(actor, id, slot), refused(code));
  // The page was open while its owner chose one time a day.
  await db
    .updateTable('automationSettings')
    .set({ publishTimes: ['09:00'] })
    .where('userId', '=', actor.userId)
    .execute();
  await assert.rejects(move(actor, id, slotIn(-1, 1)), refused('slot_past'));
  await assertAt(id, slotIn(2, 1));
});

test('what names no slot is refused with a sentence', () => {
  for (const slot of [
    '',
    'x',
    '2026-02-30 1',
    '0000-01-01 1',
    '2026-11-25 0',
    '2026-11-25 100',
    '2026-11-25',
    undefined,
  ]) {
    const { success, error } = SlotKey.safeParse(slot);
    assert.equal(success, false, String(slot));
    assert.equal(error!.issues[0]!.message, 'Please choose a time from the list');
  }
  assert.deepEqual(SlotKey.parse('2028-02-29 2'), { date: '2028-02-29', number: 2 });
  assert.equal(MoveInput.safeParse({ postId: 'x', slot: 'y' }).success, false);
  assert.equal(SwapInput.safeParse({ postId: 'x', slot: '2028-02-29 2' }).success, false);
  assert.equal(UndoInput.safeParse({ of: 'publish' }).success, false);
  assert.deepEqual(UndoInput.parse({ of: 'skip', was: '' }), { of: 'skip', was: null, is: null });
});

test('only a post that waits, and that nobody is sending, can be moved, swapped or skipped', async () => {
  const actor = await owner();
  const other = await waiting(actor, slotIn(9, 1));
  const standings: [string, Parameters<typeof standAs>[2]][] = [
    ['already_published', { status: 'published', postedAt: new Date() }],
    ['not_waiting', { status: 'failed', failure: 'refused' }],
    ['unconfirmed', { status: 'failed', isUnconfirmed: true }],
    ['unconfirmed', { isUnconfirmed: true }],
    // Sent by hand, a worker is about to be at it.
    ['being_published', { isManual: true, dueAt: new Date() }],
  ];
  for (const [code, standing] of standings) {
    const id = await waiting(actor, slotIn(2, 1));
    await standAs(db, id, standing);
    const before = await readPost(db, id);
    await assert.rejects(move(actor, id, slotIn(6, 1)), refused(code));
    await assert.rejects(skipPost(db, actor, id), refused(code));
    const both = { postId: other, otherId: id, slot: slotIn(9, 1), otherSlot: slotIn(2, 1) };
    await assert.rejects(swapPosts(db, actor, both), refused(code));
    assert.deepEqual(await readPost(db, id), before);
    await deletePost(db, actor, id, { isHereOnly: true }).catch(() => {});
    await db.updateTable('posts').set({ deletedAt: new Date() }).where('id', '=', id).execute();
  }
  const theirs = await waiting(await owner(), slotIn(2, 1));
  await assert.rejects(move(actor, theirs, slotIn(6, 1)), refused('not_found'));
  await assert.rejects(skipPost(db, actor, theirs), refused('not_found'));
  await assert.rejects(move(actor, 'nothing', slotIn(6, 1)), refused('not_found'));
});

test('without a plan no time is chosen, and a post without a time gets one with a plan', async () => {
  const free = await makeUser(db, {});
  const id = await makeScheduledPost(db, free);
  await assert.rejects(move(free, id, slotIn(3, 1)), refused('subscription_required'));
  const actor = await owner();
  const none = { slotDate: null, slotNumber: null, publishAt: null };
  const written = await waiting(actor, slotIn(2, 1));
  await db.updateTable('posts').set(none).where('id', '=', written).execute();
  await standAs(db, written, { dueAt: null });
  const { was } = await move(actor, written, slotIn(4, 1));
  assert.equal(was, null);
  await assertAt(written, slotIn(4, 1));
  const { isSame } = await undo(db, actor, { postId: written, of: 'move', was: null, is: slotIn(4, 1) });
  assert.ok(isSame);
  assert.equal(await findQueued(db, written), undefined);
  assert.equal(await slotOfPost(written), null);
});

test('a move by its owner does not use up the one by itself of a post that waits for approval', async () => {
  const actor = await owner();
  const id = await waiting(actor, slotIn(2, 1));
  await standAs(db, id, { status: 'pending' });
  await move(actor, id, slotIn(3, 1));
  const moved = await readPost(db, id);
  assert.deepEqual([moved.status, moved.approvalMovedAt], ['pending', null]);
  const after = later(HOUR, atOf(slotIn(3, 1)));
  await standAs(db, id, { heldAt: after });
  await setConnection(db, actor, { expiresAt: later(400 * DAY) });
  await setAsideUnapproved(db, after);
  const again = await readPost(db, id);
  assert.deepEqual([again.status, again.approvalMovedAt], ['pending', after]);
  assert.ok(again.dueAt! > after);
});

test('a post sent by hand that cannot go yet goes back to the queue with its new time', async () => {
  const actor = await owner();
  const id = await waiting(actor, slotIn(2, 1));
  await standAs(db, id, { status: 'pending' });
  await publishNow(db, actor, id);
  await setConnection(db, actor, { status: 'expired' });
  await move(actor, id, slotIn(3, 1));
  const { status, isManual, needsApproval } = await readPost(db, id);
  assert.deepEqual([status, isManual, needsApproval], ['pending', false, false]);
  await assertAt(id, slotIn(3, 1));
});

test('a post that LinkedIn has put off moves to no time before that', async () => {
  const actor = await owner();
  const id = await waiting(actor, slotIn(2, 1));
  await standAs(db, id, { notBefore: atOf(slotIn(4, 2)) });
  await assert.rejects(move(actor, id, slotIn(3, 1)), /LinkedIn takes this post from \w{3}, .* 18:00 on/);
  await move(actor, id, slotIn(5, 1));
  await assertAt(id, slotIn(5, 1));
});

test('a worker that has taken a post does not send it once it has moved, and is not disturbed once it sends', async () => {
  const actor = await owner();
  const known = await readIdentity(db);
  const { memberId } = await db
    .selectFrom('linkedinConnections')
    .select('memberId')
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const urn = `urn:li:person:${memberId}`;
  const due = later(-1_000);
  const moved = await makeScheduledPost(db, actor, { dueAt: due });
  const claim = await claimPost(db, moved);
  assert.ok(claim);
  await move(actor, moved, slotIn(3, 1));
  assert.equal(await beginAttempt(db, claim, urn, known), undefined);
  await assertAt(moved, slotIn(3, 1));

  const sent = await makeScheduledPost(db, actor, { dueAt: due });
  assert.ok(await beginAttempt(db, (await claimPost(db, sent))!, urn, known));
  await assert.rejects(move(actor, sent, slotIn(4, 1)), refused('being_published'));
  await assert.rejects(skipPost(db, actor, sent), refused('being_published'));
});

test('two that want one time at the same moment: one has it, the other hears so', async () => {
  const actor = await owner();
  const ids = [await waiting(actor, slotIn(2, 1)), await waiting(actor, slotIn(2, 2))];
  const answers = await Promise.allSettled(ids.map((id) => move(actor, id, slotIn(5, 1))));
  const told = answers.map((answer) => (answer.status === 'rejected' ? answer.reason.code : 'moved'));
  assert.deepEqual(told.toSorted(), ['moved', 'slot_taken']);
});

test('two posts swap their slots, and a second press changes nothing', async () => {
  const actor = await owner();
  const [one, other] = [await waiting(actor, slotIn(2, 1)), await waiting(actor, slotIn(4, 2))];
  await standAs(db, other, { status: 'pending' });
  const input = { postId: one, otherId: other, slot: slotIn(2, 1), otherSlot: slotIn(4, 2) };
  for (let press = 0; press < 2; press++) {
    const [post] = await swapPosts(db, actor, input);
    assert.deepEqual(post.publishAt, atOf(slotIn(4, 2)));
    await assertAt(one, slotIn(4, 2));
    await assertAt(other, slotIn(2, 1));
  }
  assert.equal((await readPost(db, other)).status, 'pending');
  await move(actor, one, slotIn(7, 1));
  await assert.rejects(swapPosts(db, actor, input), refused('out_of_date'));
  await assert.rejects(swapPosts(db, actor, { ...input, otherId: one }), refused('same_post'));
});

test('no two posts swap when one of their times has passed, or one was sent by hand', async () => {
  const actor = await owner();
  const [one, other] = [await waiting(actor, slotIn(2, 1)), await waiting(actor, slotIn(4, 2))];
  const input = { postId: one, otherId: other, slot: slotIn(2, 1), otherSlot: slotIn(4, 2) };
  const after = later(1, atOf(slotIn(2, 1)));
  await assert.rejects(swapPosts(db, actor, input, after), refused('slot_past'));
  await standAs(db, other, { isManual: true, heldAt: new Date(), dueAt: new Date() });
  await assert.rejects(swapPosts(db, actor, input), refused('sent_by_hand'));
  await assertAt(one, slotIn(2, 1));
});

test('a skipped post is set aside in words of its own, and its slot is open', async () => {
  const actor = await owner();
  const id = await waiting(actor, slotIn(2, 1));
  assert.equal((await skipPost(db, actor, id)).was, slotKey(slotIn(2, 1)));
  const { badge, failure, canRetry } = presentPost(await findPost(db, actor, id), 'UTC');
  assert.deepEqual(
    [badge, failure!.reason, failure!.isOnLinkedIn, failure!.cure.label, canRetry],
    ['set_aside', 'You skipped it.', 'It is not on LinkedIn.', 'Publish now', true],
  );
  const { rows } = await listPosts(db, actor, { ...PageQuery.parse({}), status: 'failed', isSetAside: true });
  assert.deepEqual(
    rows.map((row) => row.id),
    [id],
  );
  assert.ok((await listFreeSlots(db, actor.userId, 9)).some(({ key }) => key === slotKey(slotIn(2, 1))));
  await assert.rejects(skipPost(db, actor, id), refused('not_waiting'));
});

test('what was set aside is scheduled again at the next free slot, for approval when it had none', async () => {
  const actor = await owner();
  const [skipped, unapproved, failed] = [
    await waiting(actor, slotIn(2, 1)),
    await waiting(actor, slotIn(3, 1)),
    await waiting(actor, slotIn(4, 1)),
  ];
  await skipPost(db, actor, skipped);
  assert.equal((await scheduleAgain(db, actor, skipped)).status, 'generated');
  await assert.rejects(scheduleAgain(db, actor, skipped), refused('not_set_aside'));

  await standAs(db, unapproved, { status: 'pending' });
  await db.updateTable('posts').set({ approvalMovedAt: new Date() }).where('id', '=', unapproved).execute();
  await skipPost(db, actor, unapproved);
  const [next] = await listFreeSlots(db, actor.userId, 1);
  const again = await scheduleAgain(db, actor, unapproved);
  assert.equal(again.status, 'pending');
  const stored = await readPost(db, unapproved);
  assert.deepEqual([slotKeyOfPost(stored), stored.approvalMovedAt, stored.failure], [next!.key, null, null]);

  await standAs(db, failed, { status: 'failed', failure: 'refused', dueAt: null });
  await assert.rejects(scheduleAgain(db, actor, failed), refused('not_set_aside'));
  await standAs(db, failed, { failure: 'not_approved' });
  assert.equal((await scheduleAgain(db, actor, failed)).status, 'pending');
});

test('a move is undone to the slot it came from, or to the next free one when that is taken', async () => {
  const actor = await owner();
  const id = await waiting(actor, slotIn(2, 1));
  await move(actor, id, slotIn(5, 1));
  const back = { postId: id, of: 'move' as const, was: slotIn(2, 1), is: slotIn(5, 1) };
  for (let press = 0; press < 2; press++) {
    assert.ok((await undo(db, actor, back)).isSame);
    await assertAt(id, slotIn(2, 1));
  }
  await move(actor, id, slotIn(5, 1));
  await waiting(actor, slotIn(2, 1));
  const [next] = await listFreeSlots(db, actor.userId, 1);
  const { isSame, post } = await undo(db, actor, back);
  assert.ok(!isSame);
  assert.equal(post.publishAt!.toISOString(), next!.iso);
  await move(actor, id, slotIn(6, 1));
  await assert.rejects(undo(db, actor, back), refused('changed_since'));
  await assertAt(id, slotIn(6, 1));
});

test('a swap is undone, unless one of the two has changed since or its time has passed', async () => {
  const actor = await owner();
  const [one, other] = [await waiting(actor, slotIn(2, 1)), await waiting(actor, slotIn(4, 2))];
  const input = { postId: one, otherId: other, slot: slotIn(2, 1), otherSlot: slotIn(4, 2) };
  await swapPosts(db, actor, input);
  const back = { postId: one, otherId: other, of: 'swap' as const, was: slotIn(2, 1), is: slotIn(4, 2) };
  await assert.rejects(undo(db, actor, back, later(1, atOf(slotIn(2, 1)))), /times has passed, so nothing/);
  assert.ok((await undo(db, actor, back)).isSame);
  await assertAt(one, slotIn(2, 1));
  await assertAt(other, slotIn(4, 2));
  await swapPosts(db, actor, input);
  await move(actor, other, slotIn(8, 1));
  await assert.rejects(undo(db, actor, back), refused('changed_since'));
  await assertAt(one, slotIn(4, 2));
});

test('a skip is undone with its slot and its approval, and not once the post is sent by hand or out', async () => {
  const actor = await owner();
  const id = await waiting(actor, slotIn(2, 1));
  const back = { postId: id, of: 'skip' as const, was: slotIn(2, 1), is: null };
  await standAs(db, id, { status: 'pending' });
  await skipPost(db, actor, id);
  for (let press = 0; press < 2; press++) {
    const { post, isSame } = await undo(db, actor, back);
    assert.deepEqual([post.status, post.failure, isSame], ['pending', null, true]);
    await assertAt(id, slotIn(2, 1));
  }
  await skipPost(db, actor, id);
  await waiting(actor, slotIn(2, 1));
  assert.ok(!(await undo(db, actor, back)).isSame);
  await skipPost(db, actor, id);
  await standAs(db, id, { failure: 'not_wanted' });
  await assert.rejects(undo(db, actor, back), refused('changed_since'));
  await standAs(db, id, { status: 'published', failure: null, postedAt: new Date() });
  await assert.rejects(undo(db, actor, back), refused('already_published'));
});

test('a deleted post comes back as it was: its slot, its text, its approval', async () => {
  const actor = await owner();
  const id = await waiting(actor, slotIn(2, 1));
  await standAs(db, id, { status: 'pending' });
  await editPost(db, actor, { postId: id, content: 'Changed by hand.', hashtags: ['One'] });
  const before = await readPost(db, id);
  const back = { postId: id, of: 'delete' as const, was: null, is: null };
  await deletePost(db, actor, id);
  for (let press = 0; press < 2; press++) {
    assert.ok((await undo(db, actor, back)).isSame);
    // When it was due before it left the queue is overwritten the next time it leaves.
    assert.deepEqual(await readPost(db, id), { ...before, wasDueAt: before.dueAt });
  }
});

test('a deleted post whose slot was taken meanwhile gets the next free one, a failed one comes back without', async () => {
  const actor = await owner();
  const [id, failed] = [await waiting(actor, slotIn(2, 1)), await waiting(actor, slotIn(3, 1))];
  await standAs(db, failed, { status: 'failed', failure: 'refused', dueAt: null });
  for (const postId of [id, failed]) await deletePost(db, actor, postId);
  for (const slot of [slotIn(2, 1), slotIn(3, 1)]) await waiting(actor, slot);
  const [next] = await listFreeSlots(db, actor.userId, 1);
  const { isSame, post } = await undo(db, actor, { postId: id, of: 'delete', was: null, is: null });
  assert.equal(post.publishAt!.toISOString(), next!.iso);
  assert.equal(isSame, false);
  await undo(db, actor, { postId: failed, of: 'delete', was: null, is: null });
  const { status, failure, slotDate, deletedAt } = await readPost(db, failed);
  assert.deepEqual([status, failure, slotDate, deletedAt], ['failed', 'refused', null, null]);
});

test('a deleted post that was sent by hand comes back and waits for its time, unsent', async () => {
  const actor = await owner();
  const id = await waiting(actor, slotIn(2, 1));
  await standAs(db, id, { status: 'pending' });
  await publishNow(db, actor, id);
  await setConnection(db, actor, { status: 'expired' });
  await deletePost(db, actor, id);
  await undo(db, actor, { postId: id, of: 'delete', was: null, is: null });
  const { isManual, status } = await readPost(db, id);
  assert.deepEqual([isManual, status], [false, 'pending']);
  await assertAt(id, slotIn(2, 1));
});

test('what was published, is another person’s or was deleted long ago does not come back', async () => {
  const actor = await owner();
  const id = await waiting(actor, slotIn(2, 1));
  const back = { postId: id, of: 'delete' as const, was: null, is: null };
  await deletePost(db, actor, id);
  await assert.rejects(undo(db, await owner(), back), refused('not_found'));
  const long = later((RESTORE_WITHIN_DAYS + 1) * DAY);
  await assert.rejects(undo(db, actor, back, long), refused('not_restorable'));
  await standAs(db, id, { status: 'published', postedAt: new Date() });
  await assert.rejects(undo(db, actor, back), refused('not_restorable'));
  assert.ok((await readPost(db, id)).deletedAt);
});

test('a post that LinkedIn did not confirm comes back with its question, also when it waited to be posted again', async () => {
  const actor = await owner();
  for (const standing of [
    { status: 'failed' as const, isUnconfirmed: true, failure: 'unconfirmed' as const, dueAt: null },
    { isUnconfirmed: true, isManual: true, heldAt: new Date() },
  ]) {
    const id = await waiting(actor, slotIn(2, 1));
    await standAs(db, id, standing);
    await deletePost(db, actor, id);
    await undo(db, actor, { postId: id, of: 'delete', was: null, is: null });
    const { status, isUnconfirmed, failure } = await readPost(db, id);
    assert.deepEqual([status, isUnconfirmed, failure], ['failed', true, 'unconfirmed']);
    await deletePost(db, actor, id);
  }
});

test('in a database that publishing is not released for, posts keep their places', async () => {
  const actor = await owner();
  const [one, other, gone] = [
    await waiting(actor, slotIn(2, 1)),
    await waiting(actor, slotIn(4, 2)),
    await waiting(actor, slotIn(5, 1)),
  ];
  await deletePost(db, actor, gone);
  await db.updateTable('publishingEpoch').set({ server: '' }).execute();
  const checked = refused('publishing_checked');
  const both = { postId: one, otherId: other, slot: slotIn(2, 1), otherSlot: slotIn(4, 2) };
  await assert.rejects(move(actor, one, slotIn(6, 1)), checked);
  await assert.rejects(swapPosts(db, actor, both), checked);
  await assert.rejects(skipPost(db, actor, one), checked);
  await assert.rejects(undo(db, actor, { postId: gone, of: 'delete', was: null, is: null }), checked);
  await assertAt(one, slotIn(2, 1));
});

test('a post that was moved goes out at its new time, once, and not at its old one', async () => {
  const actor = await owner();
  const id = await waiting(actor, slotIn(2, 1));
  await move(actor, id, slotIn(3, 1));
  await publishPost(db, id);
  assert.equal((await readPost(db, id)).status, 'generated');
  await standAs(db, id, { dueAt: later(-1_000) });
  await publishPost(db, id);
  await publishPost(db, id);
  const { attempts } = (await outside.ledger()) as { attempts: { text: string }[] };
  const { content, status } = await readPost(db, id);
  assert.equal(status, 'published');
  assert.equal(attempts.filter(({ text }) => text.includes(content.split('. ')[1]!)).length, 1);
});
