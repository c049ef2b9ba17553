import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { eachAlone } from '#app/domain/each-alone.ts';
import { isConnected } from '#app/domain/linkedin/facts.ts';
import { findPost, type Post } from '#app/domain/posts/posts.ts';
import { markMovedUnapproved } from '#app/domain/posts/rows.ts';
import { isReleasedHere } from '#app/domain/publishing/facts.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { findDueAt, moveToSlot } from './deliveries.ts';
import { findFreeSlot } from './free-slots.ts';
import { lockOwnPost } from './own-post.ts';
import { lockPost, markApproved, markUnsent, type StoredPost } from './standing.ts';

/** Lets a post that waited for approval go out at its slot, or at the next free one when that is past. */
export async function approvePost(db: Db, actor: Actor, postId: string, at?: Date): Promise<Post> {
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const post = await lockOwnPost(trx, actor, postId);
    if (post.status !== 'pending') {
      throw new Refusal(409, 'not_pending', 'This post does not wait for approval');
    }
    await markApproved(trx, post.id);
    const now = at ?? (await databaseTime(trx));
    const dueAt = await findDueAt(trx, post.id);
    if (dueAt && dueAt <= now) await moveOn(trx, post, now);
    return findPost(trx, actor, post.id);
  });
}

async function moveOn(trx: Trx, post: StoredPost, now: Date): Promise<void> {
  const timetable = await readTimetable(trx, post.userId, now);
  await moveToSlot(trx, post.id, await findFreeSlot(trx, post, timetable, now));
}

/**
 * A post that was not approved by its slot is not published: it moves to the next free slot once, then it
 * is set aside.
 */
export async function setAsideUnapproved(db: Db, now = new Date()): Promise<void> {
  const due = await db
    .selectFrom('deliveries')
    .select(['postId', 'userId'])
    .where('deliveries.status', '=', 'pending')
    .where('deliveries.heldAt', 'is not', null)
    .where('deliveries.dueAt', '<=', now)
    // Without LinkedIn nothing could have gone out, so nothing is set aside for want of an answer.
    .where(isConnected('deliveries.userId', now))
    // In a restored database it may have been approved, and be out.
    .where(isReleasedHere)
    .execute();
  await eachAlone(due, ({ postId, userId }) => transact(db, (trx) => setAside(trx, userId, postId, now)));
}

async function setAside(trx: Trx, userId: string, postId: string, now: Date): Promise<void> {
  await lockUser(trx, userId);
  const post = await lockPost(trx, postId);
  const dueAt = await findDueAt(trx, postId);
  if (post?.status !== 'pending' || !dueAt || dueAt > now) return;
  if (post.approvalMovedAt) return markUnsent(trx, postId, 'not_approved');
  await moveOn(trx, post, now);
  await markMovedUnapproved(trx, postId, now);
}
