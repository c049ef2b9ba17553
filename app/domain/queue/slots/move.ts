import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { planRequired } from '#app/domain/automation/settings.ts';
import { type Slot, slotKey, slotKeyOfPost } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isSetAside } from '#app/domain/posts/failures.ts';
import { POST_WAITS } from '#app/domain/posts/limits.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { markMovedUnapproved, unplacePost } from '#app/domain/posts/rows.ts';
import {
  alreadyPublished,
  beingPublished,
  lockOwnPost,
  requireReleased,
  undecided,
} from '#app/domain/queue/lock-own-post.ts';
import {
  LEFT,
  markQueued,
  markScheduled,
  markUnsent,
  type StoredPost,
} from '#app/domain/queue/post-state.ts';
import { moveToFreeSlot } from '#app/domain/queue/schedule.ts';
import type { MoveInput, SlotKey, SwapInput } from '#app/domain/queue/schema.ts';
import { findFreeSlot } from './free-slots.ts';
import { isTaken, slotTaken, slotToCome } from './slot-key.ts';

/**
 * Gives a post that waits a slot, whether it had one or not, or takes it away. What was to go out by hand goes by the
 * rules of the queue from then on.
 */
export async function giveSlot(trx: Trx, postId: string, slot: Slot | null): Promise<void> {
  if (!slot) {
    await unplacePost(trx, postId);
    await trx.updateTable('postSchedules').set(LEFT).where('postId', '=', postId).execute();
    return markQueued(trx, postId);
  }
  await trx
    .updateTable('postSchedules')
    .set({ dueAt: slot.at, approvalRequestedFor: null })
    .where('postId', '=', postId)
    .where('dueAt', 'is', null)
    .execute();
  await moveToFreeSlot(trx, postId, slot);
}

const refuse = (code: string, message: string) => new Refusal(409, code, message);

/** What became of a post that was moved: the slots that it had and has, as pages name them. */
export type Moved = { post: Post; was: string | null; is: string | null };

type Waiting = StoredPost & Pick<Post, 'isManual'>;

/** The actor's post under lock, after the user's, when it waits and nobody is at it. */
export async function lockUnsentMail(trx: Trx, actor: Actor, postId: string): Promise<Waiting> {
  const post = await lockOwnPost(trx, actor, postId);
  const { isManual, isPublishing } = await findPost(trx, actor, post.id);
  if (post.status === 'published') throw alreadyPublished();
  if (post.isUnconfirmed) throw undecided();
  if (isPublishing) throw beingPublished();
  if (!POST_WAITS[post.status]) throw refuse('not_waiting', 'This post does not wait for its time');
  if (post.visibility !== 'PUBLIC') throw refuse('test_post', 'A test post has no time of its own');
  return { ...post, isManual };
}

/** The present, under the lock of the user: everything that gives or takes a slot begins here. */
export async function beginChange(trx: Trx, { userId }: Actor, at?: Date): Promise<Date> {
  await lockUser(trx, userId);
  await requireReleased(trx);
  return at ?? databaseTime(trx);
}

async function requirePlan(trx: Trx, { userId }: Actor, now: Date): Promise<void> {
  if (!(await findActivePlan(trx, userId, now))) throw planRequired();
}

function refuseBefore(slot: Slot, { notBefore }: StoredPost, timeZone: string): void {
  if (!notBefore || notBefore <= slot.at) return;
  const from = formatInstant(notBefore, timeZone);
  throw refuse('put_off', `LinkedIn takes this post from ${from} on. Choose a later time`);
}

/** Moves a post that waits to a free slot. One that waits for approval goes on waiting for it. */
export async function movePost(db: Db, actor: Actor, input: MoveInput, at?: Date): Promise<Moved> {
  return transact(db, async (trx) => {
    const now = await beginChange(trx, actor, at);
    const post = await lockUnsentMail(trx, actor, input.postId);
    await requirePlan(trx, actor, now);
    const timetable = await readTimetable(trx, actor.userId, now);
    const slot = slotToCome(input.slot, timetable, now);
    const [was, is] = [slotKeyOfPost(post), slotKey(slot)];
    if (was !== is && (await isTaken(trx, actor.userId, slot))) throw slotTaken();
    refuseBefore(slot, post, timetable.timeZone);
    await giveSlot(trx, post.id, slot);
    return { post: await findPost(trx, actor, post.id), was, is };
  });
}

const outOfDate = () =>
  refuse('out_of_date', 'This page is out of date. Look at the two times again, then swap');

/**
 * Gives two posts that wait each the slot of the other, `slot` and `otherSlot` as the page showed them: a second
 * press changes nothing. Answers both, the one it was asked of first.
 */
export async function swapPosts(db: Db, actor: Actor, input: SwapInput, at?: Date): Promise<[Post, Post]> {
  return transact(db, async (trx) => {
    const now = await beginChange(trx, actor, at);
    const [one, other] = await lockBoth(trx, actor, input.postId, input.otherId);
    const has = (post: Waiting, slot: SlotKey) => slotKeyOfPost(post) === slotKey(slot);
    const isDone = has(one, input.otherSlot) && has(other, input.slot);
    if (!isDone) {
      if (!has(one, input.slot) || !has(other, input.otherSlot)) throw outOfDate();
      await swap(trx, one, other, input, now);
    }
    return [await findPost(trx, actor, one.id), await findPost(trx, actor, other.id)];
  });
}

async function lockBoth(
  trx: Trx,
  actor: Actor,
  postId: string,
  otherId: string,
): Promise<[Waiting, Waiting]> {
  if (postId === otherId) throw refuse('same_post', 'Choose another post to swap with');
  const one = await lockUnsentMail(trx, actor, postId);
  const other = await lockUnsentMail(trx, actor, otherId);
  if (one.isManual || other.isManual) {
    throw refuse('sent_by_hand', 'A post that you sent by hand cannot be swapped. Move the other one');
  }
  return [one, other];
}

async function swap(trx: Trx, one: Waiting, other: Waiting, input: SwapInput, now: Date): Promise<void> {
  const timetable = await readTimetable(trx, one.userId, now);
  const slot = slotToCome(input.slot, timetable, now);
  const otherSlot = slotToCome(input.otherSlot, timetable, now);
  refuseBefore(otherSlot, one, timetable.timeZone);
  refuseBefore(slot, other, timetable.timeZone);
  // Each slot has one post at any moment, also between two statements.
  await unplacePost(trx, one.id);
  await giveSlot(trx, other.id, slot);
  await giveSlot(trx, one.id, otherSlot);
}

/** Sets a post aside that waits, and opens its slot. One that was not approved needs that as before. */
export async function skipPost(db: Db, actor: Actor, postId: string): Promise<Moved> {
  return transact(db, async (trx) => {
    await beginChange(trx, actor);
    const post = await lockUnsentMail(trx, actor, postId);
    await unplacePost(trx, post.id);
    await markUnsent(trx, post, 'skipped');
    return { post: await findPost(trx, actor, post.id), was: slotKeyOfPost(post), is: null };
  });
}

/**
 * Gives a post that was set aside the next free slot. One that was not approved waits for that again, and from the
 * beginning: it moves once more before it is set aside.
 */
export async function scheduleAgain(db: Db, actor: Actor, postId: string, at?: Date): Promise<Post> {
  return transact(db, async (trx) => {
    const now = await beginChange(trx, actor, at);
    const post = await lockOwnPost(trx, actor, postId);
    if (!isSetAside(post) || post.isUnconfirmed) {
      throw refuse('not_set_aside', 'Only a post that was set aside can be scheduled again');
    }
    await requirePlan(trx, actor, now);
    const slot = await findFreeSlot(trx, post, await readTimetable(trx, actor.userId, now), now);
    await queueAgain(trx, post.id, slot);
    await markMovedUnapproved(trx, post.id, null);
    return findPost(trx, actor, post.id);
  });
}

/** What was set aside waits for its slot again, or, without one, for its owner. */
export async function queueAgain(trx: Trx, postId: string, slot: Slot | null): Promise<void> {
  await markScheduled(trx, postId);
  await giveSlot(trx, postId, slot);
}
