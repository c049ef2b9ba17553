import type { NotNull } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { type Slot, slotOf, type Timetable } from '#app/domain/automation/slots.ts';
import type { FullTimetable } from '#app/domain/automation/timetable.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { lateAfterMs } from '#app/domain/posts/lateness.ts';
import { hasOpenAttempt } from '#app/domain/publishing/predicates.ts';
import { keepsItsPlace } from '#app/domain/queue/eligibility.ts';
import { mailMoved } from '#app/domain/queue/mails.ts';
import { moveToSlot } from '#app/domain/queue/schedule.ts';
import { findFreeSlot } from './free-slots.ts';

export const isLate = ({ dueAt }: { dueAt: Date }, now: Date) =>
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

/** Posts that are written and not out, and those of them that wait for approval. */
export type Waiting = { posts: number; unapproved: number };

/** The posts of the actor that are written and not out, by topic. */
export async function countWaitingByTopic(db: Db, { userId }: Actor): Promise<Map<string, Waiting>> {
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

/** Posts that wait for their slot, may be given another one, and whose publication has not started; in order of time. */
export function waitingPosts(trx: Trx, userId: string, now: Date) {
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
    .where(({ not }) => not(keepsItsPlace(now)))
    .orderBy('postSchedules.dueAt')
    .orderBy('posts.id')
    .forUpdate(['posts', 'postSchedules'])
    .execute();
}

type Placed = { userId: string; slotDate: string | null; slotNumber: number | null; notBefore: Date | null };

/** The slot of a post as the timetable has it now, or, where that is past or gone, the next free one. */
export async function findOwnSlot(trx: Trx, post: Placed, timetable: Timetable, now: Date): Promise<Slot> {
  const same = slotOf(post.slotDate!, post.slotNumber!, timetable);
  return same && same.at > now ? same : findFreeSlot(trx, post, timetable, now);
}

/**
 * Re-times every waiting post to the same slot number of its day, or, where that is past or gone, to the
 * next free slot, in order. One whose time has just come keeps its place. What should have gone out moves with a
 * mail, unless its owner has paused automation.
 */
export async function retimePosts(
  trx: Trx,
  userId: string,
  timetable: FullTimetable,
  now: Date,
): Promise<void> {
  for (const post of await waitingPosts(trx, userId, now)) {
    const same = slotOf(post.slotDate!, post.slotNumber!, timetable);
    // It is on its way out, a little late.
    if (post.heldAt === null && same?.at.getTime() === post.dueAt.getTime() && !isLate(post, now)) continue;
    const slot = await findOwnSlot(trx, post, timetable, now);
    await moveToSlot(trx, post.id, slot);
    const isOverdue = isLate(post, now) || (post.heldAt !== null && post.dueAt <= now);
    if (timetable.isEnabled && post.status === 'generated' && isOverdue) {
      await mailMoved(trx, post, post.dueAt, slot.at, timetable.timeZone);
    }
  }
}

/** What has passed while posts were held moves, in order, into the next free slots; the rest keeps its place. */
export async function releaseHeldPosts(
  trx: Trx,
  userId: string,
  timetable: Timetable,
  now: Date,
): Promise<void> {
  for (const post of await waitingPosts(trx, userId, now)) {
    if (post.dueAt > now) continue;
    await moveToSlot(trx, post.id, await findFreeSlot(trx, post, timetable, now));
  }
}
