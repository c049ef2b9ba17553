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
import type { MoveInput, SlotKey, SwapInput } from '#app/domain/publishing/schema.ts';
import {
  alreadyPublished,
  beingPublished,
  lockOwnPost,
  requireReleased,
  unconfirmed,
} from '#app/domain/publishing/state/lock-own-post.ts';
import {
  markQueued,
  markScheduled,
  markUnsent,
  OUT_OF_QUEUE,
  type StoredPost,
} from '#app/domain/publishing/state/post-state.ts';
import { moveToFreeSlot } from '#app/domain/publishing/state/schedule.ts';
import { findFreeSlot } from './free-slots.ts';
import { isSlotTaken, requireUpcomingSlot, slotTaken } from './slot-key.ts';

/** Moves a waiting post to a slot, or out of the queue. A manual post follows the rules of the queue from then on. */
export async function setSlot(trx: Trx, postId: string, slot: Slot | null): Promise<void> {
  if (!slot) {
    await unplacePost(trx, postId);
    await trx.updateTable('postSchedules').set(OUT_OF_QUEUE).where('postId', '=', postId).execute();
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

export type Moved = { post: Post; was: string | null; is: string | null };

type WaitingPost = StoredPost & Pick<Post, 'isManual'>;

/** Locks the actor's post and returns it; throws unless it waits for its time. The caller holds the lock of the user. */
export async function lockWaitingPost(trx: Trx, actor: Actor, postId: string): Promise<WaitingPost> {
  const post = await lockOwnPost(trx, actor, postId);
  const { isManual, isPublishing } = await findPost(trx, actor, post.id);
  if (post.status === 'published') throw alreadyPublished();
  if (post.isUnconfirmed) throw unconfirmed();
  if (isPublishing) throw beingPublished();
  if (!POST_WAITS[post.status]) throw refuse('not_waiting', 'This post does not wait for its time');
  if (post.visibility !== 'PUBLIC') throw refuse('test_post', 'A test post has no time of its own');
  return { ...post, isManual };
}

/** Locks the user and returns the current time. Every change of slots starts with it. */
export async function lockForChange(trx: Trx, { userId }: Actor, at?: Date): Promise<Date> {
  await lockUser(trx, userId);
  await requireReleased(trx);
  return at ?? databaseTime(trx);
}

async function requirePlan(trx: Trx, { userId }: Actor, now: Date): Promise<void> {
  if (!(await findActivePlan(trx, userId, now))) throw planRequired();
}

function requireAfterPutOff(slot: Slot, { notBefore }: StoredPost, timeZone: string): void {
  if (!notBefore || notBefore <= slot.at) return;
  const from = formatInstant(notBefore, timeZone);
  throw refuse('put_off', `LinkedIn takes this post from ${from} on. Choose a later time`);
}

/** Moves a waiting post to a free slot. A pending post still waits for approval. */
export async function movePost(db: Db, actor: Actor, input: MoveInput, at?: Date): Promise<Moved> {
  return transact(db, async (trx) => {
    const now = await lockForChange(trx, actor, at);
    const post = await lockWaitingPost(trx, actor, input.postId);
    await requirePlan(trx, actor, now);
    const timetable = await readTimetable(trx, actor.userId, now);
    const slot = requireUpcomingSlot(input.slot, timetable, now);
    const [was, is] = [slotKeyOfPost(post), slotKey(slot)];
    if (was !== is && (await isSlotTaken(trx, actor.userId, slot))) throw slotTaken();
    requireAfterPutOff(slot, post, timetable.timeZone);
    await setSlot(trx, post.id, slot);
    return { post: await findPost(trx, actor, post.id), was, is };
  });
}

const outOfDate = () =>
  refuse('out_of_date', 'This page is out of date. Look at the two times again, then swap');

/**
 * Swaps the slots of two waiting posts. `slot` and `otherSlot` are as the page showed them, so that a repeated request
 * changes nothing. Returns both posts.
 */
export async function swapPosts(db: Db, actor: Actor, input: SwapInput, at?: Date): Promise<[Post, Post]> {
  return transact(db, async (trx) => {
    const now = await lockForChange(trx, actor, at);
    const [one, other] = await lockBoth(trx, actor, input.postId, input.otherId);
    const has = (post: WaitingPost, slot: SlotKey) => slotKeyOfPost(post) === slotKey(slot);
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
): Promise<[WaitingPost, WaitingPost]> {
  if (postId === otherId) throw refuse('same_post', 'Choose another post to swap with');
  const one = await lockWaitingPost(trx, actor, postId);
  const other = await lockWaitingPost(trx, actor, otherId);
  if (one.isManual || other.isManual) {
    throw refuse('sent_by_hand', 'A post that you sent by hand cannot be swapped. Move the other one');
  }
  return [one, other];
}

async function swap(
  trx: Trx,
  one: WaitingPost,
  other: WaitingPost,
  input: SwapInput,
  now: Date,
): Promise<void> {
  const timetable = await readTimetable(trx, one.userId, now);
  const slot = requireUpcomingSlot(input.slot, timetable, now);
  const otherSlot = requireUpcomingSlot(input.otherSlot, timetable, now);
  requireAfterPutOff(otherSlot, one, timetable.timeZone);
  requireAfterPutOff(slot, other, timetable.timeZone);
  // A unique index allows one post for each slot, also between two statements.
  await unplacePost(trx, one.id);
  await setSlot(trx, other.id, slot);
  await setSlot(trx, one.id, otherSlot);
}

/** Sets a waiting post aside and frees its slot. An unapproved post still needs approval. */
export async function skipPost(db: Db, actor: Actor, postId: string): Promise<Moved> {
  return transact(db, async (trx) => {
    await lockForChange(trx, actor);
    const post = await lockWaitingPost(trx, actor, postId);
    await unplacePost(trx, post.id);
    await markUnsent(trx, post, 'skipped');
    return { post: await findPost(trx, actor, post.id), was: slotKeyOfPost(post), is: null };
  });
}

/**
 * Moves a post that was set aside to the next free slot. An unapproved post waits for approval again and may again move
 * once before it is set aside.
 */
export async function scheduleAgain(db: Db, actor: Actor, postId: string, at?: Date): Promise<Post> {
  return transact(db, async (trx) => {
    const now = await lockForChange(trx, actor, at);
    const post = await lockOwnPost(trx, actor, postId);
    if (!isSetAside(post) || post.isUnconfirmed) {
      throw refuse('not_set_aside', 'Only a post that was set aside can be scheduled again');
    }
    await requirePlan(trx, actor, now);
    const slot = await findFreeSlot(trx, post, await readTimetable(trx, actor.userId, now), now);
    await requeue(trx, post.id, slot);
    await markMovedUnapproved(trx, post.id, null);
    return findPost(trx, actor, post.id);
  });
}

/** Puts a post that was set aside back into the queue, or lets it wait for the user without a slot. */
export async function requeue(trx: Trx, postId: string, slot: Slot | null): Promise<void> {
  await markScheduled(trx, postId);
  await setSlot(trx, postId, slot);
}
