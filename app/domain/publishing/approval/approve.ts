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
import {
  lockOwnPost,
  requireReleased,
  requireSameRevision,
} from '#app/domain/publishing/state/lock-own-post.ts';
import { notifyWebhooks, webhookColumns } from '#app/domain/publishing/state/notify-webhooks.ts';
import { lockPost, markApproved, markUnsent, type OwnPost } from '#app/domain/publishing/state/post-state.ts';
import { findDueAt, moveToSlot } from '#app/domain/publishing/state/schedule.ts';

/**
 * Approves a post for its slot, or for the next free one when that is past. `revision` is the one that the user has read:
 * only that text is approved.
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
    requireSameRevision(post, revision, 'approve it');
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
 * Makes waiting posts of the user wait for approval where it is now required: all posts, or those of a topic. A post that
 * is being sent may still be published, but is not tried again. The caller holds the lock of the user, so that no attempt
 * starts meanwhile.
 */
export async function requireApprovalOfWaiting(trx: Trx, userId: string, topicId?: string): Promise<void> {
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
  const changed = await trx
    .updateTable('postSchedules')
    .set({ status: 'pending' })
    .where('userId', '=', userId)
    .where('postId', 'in', ids)
    .returning(webhookColumns('post.needs_approval'))
    .execute();
  await notifyWebhooks(trx, 'post.needs_approval', changed);
}

/** Like `requireApprovalOfWaiting`, for a new post. */
export async function requireApprovalOfNew(trx: Trx, { id, userId }: OwnPost): Promise<void> {
  await trx
    .updateTable('postSchedules')
    .from('posts')
    .set({ status: 'pending' })
    .whereRef('posts.id', '=', 'postSchedules.postId')
    .where('postId', '=', id)
    .where('postSchedules.userId', '=', userId)
    .where(mustBeApproved)
    .execute();
  const added = await trx
    .selectFrom('postSchedules')
    .select(webhookColumns('post.needs_approval'))
    .where('postId', '=', id)
    .where('userId', '=', userId)
    .execute();
  await notifyWebhooks(trx, 'post.needs_approval', added);
}

/** A new text of the post needs approval: the old one was approved, waits for that, or approval is required. */
const needsApprovalAfterRewrite = sql<boolean>`(post_schedules.status = 'pending' or post_schedules.needs_approval
  or post_schedules.approved_at is not null or ${mustBeApproved})`;

/** How a new text of a post would need approval: it is pending already, again, or for the first time; null when not. */
export type ApprovalAfterRewrite = 'pending' | 'again' | 'first' | null;

export async function findApprovalAfterRewrite(db: Db, { id }: Post): Promise<ApprovalAfterRewrite> {
  const found = await db
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select(['postSchedules.status', 'postSchedules.approvedAt'])
    .where('posts.id', '=', id)
    .where(needsApprovalAfterRewrite)
    .executeTakeFirst();
  if (!found) return null;
  return found.status === 'pending' ? 'pending' : found.approvedAt ? 'again' : 'first';
}

/**
 * Makes a post with a new text, which the user has not read, wait for approval again, with a new mail. A failed or
 * skipped post needs approval when it is scheduled again.
 */
export async function requireApprovalOfRewritten(trx: Trx, postId: string): Promise<void> {
  const changed = await trx
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
    .where(needsApprovalAfterRewrite)
    .returning(webhookColumns('post.needs_approval'))
    .execute();
  await notifyWebhooks(trx, 'post.needs_approval', changed);
}

/**
 * Posts of the user in the column `userId` could be published if they were approved. Without LinkedIn or a plan, while
 * automation is paused or the account is inactive, the user is not asked for approval and nothing is set aside. In a
 * restored database a waiting post may have been approved and published already.
 */
export const lacksOnlyApproval = (userId: string, now: Date): RawBuilder<boolean> =>
  sql`(${isConnected(userId, now)} and ${isAutomationOn(userId)} and ${planCovers(userId, now)} and ${isReleasedHere}
    and not ${isInactive(userId)})`;

/**
 * Moves posts that were not approved by their slot to the next free slot once, then sets them aside, and mails the user.
 * An earlier post takes an earlier slot.
 */
export async function setAsideUnapproved(db: Db, now = new Date()): Promise<void> {
  const due = await db
    .selectFrom('postSchedules')
    .select(['postId', 'userId'])
    .where('postSchedules.status', '=', 'pending')
    .where('postSchedules.heldAt', 'is not', null)
    .where('postSchedules.dueAt', '<=', now)
    .where(lacksOnlyApproval('postSchedules.userId', now))
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
  // The mail about the move is also the request for approval.
  const { paidUntil } = await trx
    .updateTable('postSchedules')
    .set({ approvalRequestedAt: now, approvalRequestedFor: slot.at })
    .where('postId', '=', postId)
    .returning(coveredUntil('postSchedules.userId', now).as('paidUntil'))
    .executeTakeFirstOrThrow();
  const { timeZone } = timetable;
  await mailMovedUnapproved(trx, post, { from: dueAt, dueAt: slot.at, paidUntil, timeZone, now });
}
