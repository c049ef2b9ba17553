import { type RawBuilder, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import type { PostStatus } from '#app/db/tables.ts';
import { isInactive } from '#app/domain/accounts/predicates.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { isAutomationOn } from '#app/domain/automation/predicates.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { isConnected } from '#app/domain/linkedin/predicates.ts';
import { coveredUntil, planCovers } from '#app/domain/payments/predicates.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { markMovedUnapproved } from '#app/domain/posts/rows.ts';
import { mailMissedApproval, mailMovedUnapproved } from '#app/domain/publishing/mails.ts';
import { isReleasedHere, mustBeApproved } from '#app/domain/publishing/predicates.ts';
import { findFreeSlot } from '#app/domain/publishing/slots/free-slots.ts';
import { lockOwnPost, requireRead, requireReleased } from '#app/domain/publishing/state/lock-own-post.ts';
import { eventsOf, notifyWebhooks } from '#app/domain/publishing/state/notify-webhooks.ts';
import { lockPost, markApproved, markUnsent, type OwnPost } from '#app/domain/publishing/state/post-state.ts';
import { findDueAt, moveToSlot } from '#app/domain/publishing/state/schedule.ts';

/**
 * Lets a post that waited for approval go out at its slot, or at the next free one when that is past. `revision` is
 * what its owner has read: they approve that text and no other.
 */
export async function approvePost(
  db: Db,
  actor: Actor,
  postId: string,
  revision?: number,
  at?: Date,
): Promise<Post> {
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const post = await lockOwnPost(trx, actor, postId);
    if (post.status !== 'pending') {
      throw new Refusal(409, 'not_pending', 'This post does not wait for approval');
    }
    requireRead(post, revision, 'approve it');
    const now = at ?? (await databaseTime(trx));
    await markApproved(trx, post, now);
    const dueAt = await findDueAt(trx, post);
    if (dueAt && dueAt <= now) {
      await requireReleased(trx);
      const timetable = await readTimetable(trx, post.userId, now);
      await moveToSlot(trx, post.id, await findFreeSlot(trx, post, timetable, now));
    }
    return findPost(trx, actor, post.id);
  });
}

/**
 * What waits for its time and its owner has not approved waits for that too, from now on, where they ask for it: all
 * their posts, or those of a topic. Also one that is being sent: nothing takes that back, but it is not tried again.
 * Under the lock of the user, so that no attempt begins meanwhile.
 */
export async function requestForWaiting(trx: Trx, userId: string, topicId?: string): Promise<void> {
  const waiting = await trx
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select('posts.id')
    .where('postSchedules.userId', '=', userId)
    .where('postSchedules.dueAt', 'is not', null)
    .where('postSchedules.status', '=', 'generated')
    .where('postSchedules.isManual', '=', false)
    .where('postSchedules.approvedAt', 'is', null)
    .where(mustBeApproved)
    .$if(topicId !== undefined, (query) => query.where('posts.topicId', '=', topicId!))
    .orderBy('postSchedules.dueAt')
    .orderBy('posts.id')
    .forUpdate(['posts', 'postSchedules'])
    .execute();
  const ids = waiting.map(({ id }) => id);
  if (ids.length === 0) return;
  const asked = trx
    .updateTable('postSchedules')
    .set({ status: 'pending' })
    .where('userId', '=', userId)
    .where('postId', 'in', ids);
  await notifyWebhooks(
    trx,
    'post.needs_approval',
    await asked.returning(eventsOf('post.needs_approval')).execute(),
  );
}

/** The same for a post that was just written. */
export async function requestForWritten(trx: Trx, { id, userId }: OwnPost): Promise<void> {
  await trx
    .updateTable('postSchedules')
    .from('posts')
    .set({ status: 'pending' })
    .whereRef('posts.id', '=', 'postSchedules.postId')
    .where('postId', '=', id)
    .where('postSchedules.userId', '=', userId)
    .where(mustBeApproved)
    .execute();
  const written = await trx
    .selectFrom('postSchedules')
    .select(eventsOf('post.needs_approval'))
    .where('postId', '=', id)
    .where('userId', '=', userId)
    .execute();
  await notifyWebhooks(trx, 'post.needs_approval', written);
}

/** What waits for approval with a text that nobody has read: what was approved, or has to be. */
const isRequestedAgain = sql<boolean>`(post_schedules.status = 'pending' or post_schedules.needs_approval
  or post_schedules.approved_at is not null or ${mustBeApproved})`;

/** How a new text of a post would wait for approval: as this one does, anew, or for the first time; null when it would not. */
export async function findRequestedAgain(db: Db, { id }: Post): Promise<'asked' | 'anew' | 'first' | null> {
  const found = await db
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select(['postSchedules.status', 'postSchedules.approvedAt'])
    .where('posts.id', '=', id)
    .where(isRequestedAgain)
    .executeTakeFirst();
  if (!found) return null;
  return found.status === 'pending' ? 'asked' : found.approvedAt ? 'anew' : 'first';
}

/**
 * A text that nobody has read yet took the place of another one. What was approved, or has to be, waits for that anew, with
 * a mail of its own; also what failed or was skipped, once it is planned again.
 */
export async function requestForRewritten(trx: Trx, postId: string): Promise<void> {
  const asked = await trx
    .updateTable('postSchedules')
    .from('posts')
    .set({
      status: sql<PostStatus>`case when post_schedules.status = 'generated' then 'pending' else post_schedules.status end`,
      needsApproval: sql<boolean>`post_schedules.needs_approval or post_schedules.status = 'failed'`,
      approvedAt: null,
      approvalRequestedAt: null,
      approvalRequestedFor: null,
      decidedByEmailAt: null,
    })
    .whereRef('posts.id', '=', 'postSchedules.postId')
    .where('postId', '=', postId)
    .where(isRequestedAgain)
    .returning(eventsOf('post.needs_approval'))
    .execute();
  await notifyWebhooks(trx, 'post.needs_approval', asked);
}

/**
 * Approval is all that the posts of the user in the column `userId` lack. Without LinkedIn or a plan, while automation is
 * paused, and while the account does nothing by itself, nothing could go out, so nobody is asked and nothing is set aside for
 * want of an answer. In a restored database what waits may have been approved already, and be out.
 */
export const onlyApprovalLacks = (userId: string, now: Date): RawBuilder<boolean> =>
  sql`(${isConnected(userId, now)} and ${isAutomationOn(userId)} and ${planCovers(userId, now)} and ${isReleasedHere}
    and not ${isInactive(userId)})`;

/**
 * A post that was not approved by its slot is not published: it moves to the next free slot once, then it
 * is set aside. Its owner is mailed of both. The earlier of two takes the sooner slot.
 */
export async function setAsideUnapproved(db: Db, now = new Date()): Promise<void> {
  const due = await db
    .selectFrom('postSchedules')
    .select(['postId', 'userId'])
    .where('postSchedules.status', '=', 'pending')
    .where('postSchedules.heldAt', 'is not', null)
    .where('postSchedules.dueAt', '<=', now)
    .where(onlyApprovalLacks('postSchedules.userId', now))
    .orderBy('postSchedules.dueAt')
    .orderBy('postSchedules.postId')
    .execute();
  await forEachSettled(due, ({ postId, userId }) =>
    transact(db, (trx) => setAside(trx, userId, postId, now)),
  );
}

async function setAside(trx: Trx, userId: string, postId: string, now: Date): Promise<void> {
  await lockUser(trx, userId);
  const post = await lockPost(trx, postId, userId);
  const dueAt = post && (await findDueAt(trx, post));
  if (post?.status !== 'pending' || !dueAt || dueAt > now) return;
  const timetable = await readTimetable(trx, userId, now);
  if (post.approvalMovedAt) {
    await markUnsent(trx, post, 'not_approved');
    return mailMissedApproval(trx, post, dueAt, timetable.timeZone);
  }
  const slot = await findFreeSlot(trx, post, timetable, now);
  await moveToSlot(trx, postId, slot);
  await markMovedUnapproved(trx, postId, now);
  // The mail about it is all that is asked.
  const { paidUntil } = await trx
    .updateTable('postSchedules')
    .set({ approvalRequestedAt: now, approvalRequestedFor: slot.at })
    .where('postId', '=', postId)
    .returning(coveredUntil('postSchedules.userId', now).as('paidUntil'))
    .executeTakeFirstOrThrow();
  const { timeZone } = timetable;
  await mailMovedUnapproved(trx, post, { from: dueAt, dueAt: slot.at, paidUntil, timeZone, now });
}
