import type { Db, Trx } from '#app/db/client.ts';
import { findActivePlan } from '#app/domain/payments/subscription.ts';
import { DEFAULT_CREATION_TIME, fitPublishTimes } from './schema.ts';
import { type Slot, slotOf, slotsAfter, type Timetable } from './slots.ts';

export type FullTimetable = Timetable & {
  contentCreationTime: string;
  isEnabled: boolean;
  requiresApproval: boolean;
};

/** When a user's posts are written and published; the defaults for a user who has chosen nothing yet. */
export async function readTimetable(db: Db, userId: string, now: Date): Promise<FullTimetable> {
  const row = await db
    .selectFrom('users')
    .leftJoin('automationSettings', 'automationSettings.userId', 'users.id')
    .select(['users.timeZone', 'contentCreationTime', 'publishTimes', 'isEnabled', 'requiresApproval'])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  const plan = await findActivePlan(db, userId, now);
  const times = row.publishTimes ?? [];
  return {
    timeZone: row.timeZone,
    contentCreationTime: row.contentCreationTime ?? DEFAULT_CREATION_TIME,
    publishTimes: fitPublishTimes(times, plan?.postsPerDay ?? Math.max(times.length, 1)).sort(),
    isEnabled: row.isEnabled ?? true,
    requiresApproval: row.requiresApproval ?? false,
  };
}

/**
 * Everything that gives the posts of a user their slots takes this lock first, before any post: otherwise
 * two look for a free slot at once and find the same. It does not stop rows that only refer to the user.
 */
export const lockUser = (trx: Trx, userId: string) =>
  trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();

/** The `count` soonest slots after `after` that no post holds. */
export async function findFreeSlots(
  db: Db,
  userId: string,
  timetable: Timetable,
  after: Date,
  count: number,
): Promise<Slot[]> {
  const taken = await db
    .selectFrom('posts')
    .select(['slotDate', 'slotNumber'])
    .where('userId', '=', userId)
    .where('slotDate', 'is not', null)
    .where('deletedAt', 'is', null)
    .where('publishAt', '>', new Date(after.getTime() - 2 * 86_400_000))
    .execute();
  const keys = new Set(taken.map((row) => `${row.slotDate} ${row.slotNumber}`));
  return slotsAfter(after, timetable)
    .filter((slot) => !keys.has(`${slot.date} ${slot.number}`))
    .take(count)
    .toArray();
}

/** Gives a waiting post a slot: on the post, and as the instant its delivery is due. */
export async function moveToSlot(trx: Trx, postId: string, slot: Slot): Promise<void> {
  await trx
    .updateTable('posts')
    .set({ slotDate: slot.date, slotNumber: slot.number, publishAt: slot.at })
    .where('id', '=', postId)
    .execute();
  await trx
    .updateTable('deliveries')
    .set({ dueAt: slot.at, heldAt: null, notBefore: null, enqueuedAt: null })
    .set({ leaseToken: null, leaseUntil: null })
    .where('postId', '=', postId)
    .execute();
}

/** Posts that wait for their slot and whose publication has not started, in order of time. */
export function waitingPosts(trx: Trx, userId: string) {
  return trx
    .selectFrom('deliveries')
    .innerJoin('posts', 'posts.id', 'deliveries.postId')
    .select(['posts.id', 'posts.userId', 'posts.content', 'posts.status'])
    .select(['posts.slotDate', 'posts.slotNumber', 'deliveries.dueAt', 'deliveries.heldAt'])
    .where('deliveries.userId', '=', userId)
    .where('posts.slotDate', 'is not', null)
    .where('deliveries.isByHand', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('publications')
            .select('publications.id')
            .whereRef('publications.postId', '=', 'posts.id')
            .where('publications.resolvedAt', 'is', null),
        ),
      ),
    )
    .orderBy('deliveries.dueAt')
    .orderBy('posts.id')
    .forUpdate(['posts', 'deliveries'])
    .execute();
}

/**
 * Re-times every waiting post to the same slot number of its day, or, where that is past or gone, to the
 * next free slot, in order.
 */
export async function retimePosts(trx: Trx, userId: string, timetable: Timetable, now: Date): Promise<void> {
  for (const post of await waitingPosts(trx, userId)) {
    const same = slotOf(post.slotDate!, post.slotNumber!, timetable);
    const isAhead = same !== undefined && same.at > now;
    const [slot] = isAhead ? [same] : await findFreeSlots(trx, userId, timetable, now, 1);
    await moveToSlot(trx, post.id, slot!);
  }
}

/** What has passed while posts were held moves, in order, into the next free slots; the rest keeps its place. */
export async function releaseHeldPosts(trx: Trx, userId: string, now: Date): Promise<void> {
  const timetable = await readTimetable(trx, userId, now);
  for (const post of await waitingPosts(trx, userId)) {
    if (post.dueAt > now) continue;
    const [slot] = await findFreeSlots(trx, userId, timetable, now, 1);
    await moveToSlot(trx, post.id, slot!);
  }
}
