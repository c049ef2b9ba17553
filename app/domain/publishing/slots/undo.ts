import { type Db, type Trx, transact } from '#app/db/client.ts';
import { type Slot, slotKey, slotKeyOfPost } from '#app/domain/automation/slots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { POST_WAITS } from '#app/domain/posts/limits.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { hidePost, unplacePost } from '#app/domain/posts/rows.ts';
import { RESTORE_WITHIN_DAYS } from '#app/domain/publishing/limits.ts';
import type { SlotKey, UndoInput } from '#app/domain/publishing/schema.ts';
import { alreadyPublished, lockOwnPost } from '#app/domain/publishing/state/lock-own-post.ts';
import { lockPost, markUnsent, type StoredPost } from '#app/domain/publishing/state/post-state.ts';
import { beginChange, giveSlot, lockWaiting, queueAgain, swapPosts } from './move.ts';
import { isTaken, slotBefore } from './slot-key.ts';

const RESTORE_WITHIN_MS = RESTORE_WITHIN_DAYS * 86_400_000;

const changedSince = () =>
  new Refusal(409, 'changed_since', 'The post has changed since, so nothing was undone');

type UndoRequest = UndoInput & { postId: string };

/** The post as it is again. `isSame`: it has what it had, and not the next free slot. */
export type Undone = { post: Post; isSame: boolean };

/**
 * Takes back what its owner did to a post, which must be as they left it. It gets the slot that it had, or the next
 * free one when that is past, taken or gone. What is undone already is left as it is.
 */
export async function undo(db: Db, actor: Actor, input: UndoRequest, at?: Date): Promise<Undone> {
  return transact(db, async (trx) => {
    const now = await beginChange(trx, actor, at);
    const isSame = await UNDO[input.of](trx, actor, input, now);
    return { post: await findPost(trx, actor, input.postId), isSame };
  });
}

const UNDO: Record<
  UndoInput['of'],
  (trx: Trx, actor: Actor, input: UndoRequest, now: Date) => Promise<boolean>
> = {
  move: undoMove,
  swap: undoSwap,
  skip: undoSkip,
  delete: undoDelete,
};

const has = (post: StoredPost, key: SlotKey | null) => slotKeyOfPost(post) === (key && slotKey(key));

const isSlot = (slot: Slot | null, key: SlotKey | null) => (slot && slotKey(slot)) === (key && slotKey(key));

const slotFor = async (trx: Trx, post: StoredPost, key: SlotKey | null, now: Date) =>
  key && slotBefore(trx, post, key, now);

async function undoMove(
  trx: Trx,
  actor: Actor,
  { postId, was, is }: UndoRequest,
  now: Date,
): Promise<boolean> {
  const post = await lockWaiting(trx, actor, postId);
  if (has(post, was)) return true;
  if (!has(post, is)) throw changedSince();
  const slot = await slotFor(trx, post, was, now);
  await giveSlot(trx, post.id, slot);
  return isSlot(slot, was);
}

async function undoSwap(trx: Trx, actor: Actor, input: UndoRequest, now: Date): Promise<boolean> {
  const { postId, otherId = '', was, is } = input;
  if (!was || !is) throw changedSince();
  try {
    await swapPosts(trx, actor, { postId, otherId, slot: is, otherSlot: was }, now);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'out_of_date') throw changedSince();
    if (error.field !== 'slot') throw error;
    throw new Refusal(409, error.code, 'One of the two times has passed, so nothing was undone');
  }
}

async function undoSkip(trx: Trx, actor: Actor, { postId, was }: UndoRequest, now: Date): Promise<boolean> {
  const post = await lockOwnPost(trx, actor, postId);
  if (POST_WAITS[post.status] && has(post, was)) return true;
  if (post.status === 'published') throw alreadyPublished();
  if (post.status !== 'failed' || post.failure !== 'skipped') throw changedSince();
  const slot = await slotFor(trx, post, was, now);
  await queueAgain(trx, post.id, slot);
  return isSlot(slot, was);
}

/** Brings a deleted post back to where it stood. One that was sent by hand waits for its time, or for its owner. */
async function undoDelete(trx: Trx, actor: Actor, { postId }: UndoRequest, now: Date): Promise<boolean> {
  if (!isId(postId)) throw notFound('This post');
  const post = await lockPost(trx, postId, actor.userId, true);
  if (!post) {
    await lockOwnPost(trx, actor, postId);
    return true;
  }
  if (!isRestored(post, now)) {
    const message = `This post cannot be brought back: only what was not published can, within ${RESTORE_WITHIN_DAYS} days`;
    throw new Refusal(409, 'not_restorable', message);
  }
  const key = post.slotDate ? { date: post.slotDate, number: post.slotNumber! } : null;
  const isWaiting = POST_WAITS[post.status] && !post.isUnconfirmed;
  const slot = key && isWaiting ? await slotBefore(trx, post, key, now) : null;
  if (key && (slot || (await isTaken(trx, post.userId, key)))) await unplacePost(trx, post.id);
  await markRestored(trx, post.id);
  if (isWaiting) await giveSlot(trx, post.id, slot);
  // It waited to be posted again, and is its owner's to decide about.
  else if (POST_WAITS[post.status]) await markUnsent(trx, post, 'unconfirmed');
  return !slot || isSlot(slot, key);
}

/** It is deleted no more, and stands where it stood, in no queue. */
async function markRestored(trx: Trx, postId: string): Promise<void> {
  await hidePost(trx, postId, null);
  await trx.updateTable('postSchedules').set({ deletedAt: null }).where('postId', '=', postId).execute();
}

const isRestored = ({ status, visibility, deletedAt }: StoredPost, now: Date) =>
  status !== 'published' &&
  visibility === 'PUBLIC' &&
  now.getTime() - deletedAt!.getTime() <= RESTORE_WITHIN_MS;

/** Whether a deleted post can be brought back. */
export async function canRestore(db: Db, { userId }: Actor, postId: string, now = new Date()) {
  const post = await transact(db, (trx) => lockPost(trx, postId, userId, true));
  return post !== undefined && isRestored(post, now);
}
