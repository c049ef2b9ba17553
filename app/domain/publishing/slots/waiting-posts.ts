import type { NotNull } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { type Slot, slotOf, type Timetable } from '#app/domain/automation/slots.ts';
import type { FullTimetable } from '#app/domain/automation/timetable.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { lateAfterMs } from '#app/domain/posts/lateness.ts';
import { mayNotMove } from '#app/domain/publishing/eligibility/eligibility.ts';
import { mailMoved } from '#app/domain/publishing/mails.ts';
import { hasOpenAttempt } from '#app/domain/publishing/predicates.ts';
import { moveToSlot } from '#app/domain/publishing/state/schedule.ts';
import { findFreeSlot } from './free-slots.ts';

export const isTooLate = ({ dueAt }: { dueAt: Date }, now: Date) =>
  now.getTime() - dueAt.getTime() > lateAfterMs();

export async function countWaiting(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('postSchedules')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('userId', '=', userId)
    .where('dueAt', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Posts that are not published yet, and those of them that wait for approval. */
export type WaitingCounts = { posts: number; unapproved: number };

export async function countWaitingByTopic(db: Db, { userId }: Actor): Promise<Map<string, WaitingCounts>> {
  const rows = await db
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select(({ fn }) => [
      'posts.topicId',
      fn.countAll<string>().as('posts'),
      fn.countAll<string>().filterWhere('postSchedules.status', '=', 'pending').as('unapproved'),
    ])
    .where('postSchedules.userId', '=', userId)
    .where('postSchedules.status', 'in', ['generated', 'pending'])
    .where('postSchedules.deletedAt', 'is', null)
    .where('posts.topicId', 'is not', null)
    .groupBy('posts.topicId')
    .execute();
  return new Map(
    rows.map(({ topicId, posts, unapproved }) => [
      topicId!,
      { posts: Number(posts), unapproved: Number(unapproved) },
    ]),
  );
}

/** Locks the posts of a user that wait for their slot, may move and have no open attempt, in order of time. */
export function lockWaitingPosts(trx: Trx, userId: string, now: Date) {
  return trx
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select(['posts.id', 'posts.userId', 'posts.content', 'postSchedules.status'])
    .select([
      'posts.slotDate',
      'posts.slotNumber',
      'postSchedules.dueAt',
      'postSchedules.heldAt',
      'postSchedules.notBefore',
    ])
    .$narrowType<{ dueAt: NotNull }>()
    .where('postSchedules.userId', '=', userId)
    .where('postSchedules.dueAt', 'is not', null)
    .where('posts.slotDate', 'is not', null)
    .where('postSchedules.isManual', '=', false)
    .where(({ not }) => not(hasOpenAttempt('posts.id')))
    .where(({ not }) => not(mayNotMove(now)))
    .orderBy('postSchedules.dueAt')
    .orderBy('posts.id')
    .forUpdate(['posts', 'postSchedules'])
    .execute();
}

type SlotHolder = {
  userId: string;
  slotDate: string | null;
  slotNumber: number | null;
  notBefore: Date | null;
};

/** Returns the slot of a post in the current timetable, or the next free one when that is past or removed. */
export async function findOwnSlot(
  trx: Trx,
  post: SlotHolder,
  timetable: Timetable,
  now: Date,
): Promise<Slot> {
  const same = slotOf(post.slotDate!, post.slotNumber!, timetable);
  return same && same.at > now ? same : findFreeSlot(trx, post, timetable, now);
}

/**
 * Moves every waiting post to the new time of its slot, or to the next free slot when that is past or removed. A post
 * that is about to be sent stays. The move of an overdue post is mailed, unless the user has paused automation.
 */
export async function retimePosts(
  trx: Trx,
  userId: string,
  timetable: FullTimetable,
  now: Date,
): Promise<void> {
  for (const post of await lockWaitingPosts(trx, userId, now)) {
    const same = slotOf(post.slotDate!, post.slotNumber!, timetable);
    // It is about to be sent, a little late.
    if (post.heldAt === null && same?.at.getTime() === post.dueAt.getTime() && !isTooLate(post, now))
      continue;
    const slot = await findOwnSlot(trx, post, timetable, now);
    await moveToSlot(trx, post.id, slot);
    const isOverdue = isTooLate(post, now) || (post.heldAt !== null && post.dueAt <= now);
    if (timetable.isEnabled && post.status === 'generated' && isOverdue) {
      await mailMoved(trx, post, post.dueAt, slot.at, timetable.timeZone);
    }
  }
}

/** Moves waiting posts whose time has passed, in order, to the next free slots. */
export async function releaseHeldPosts(
  trx: Trx,
  userId: string,
  timetable: Timetable,
  now: Date,
): Promise<void> {
  for (const post of await lockWaitingPosts(trx, userId, now)) {
    if (post.dueAt > now) continue;
    await moveToSlot(trx, post.id, await findFreeSlot(trx, post, timetable, now));
  }
}
