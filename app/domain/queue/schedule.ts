import { type NotNull, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { after, type Instant } from '#app/db/clock.ts';
import type { Slot } from '#app/domain/automation/slots.ts';
import { enqueue, enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { lateness } from '#app/domain/posts/lateness.ts';
import { placePost, storeImage } from '#app/domain/posts/rows.ts';
import { isPublishingPaused } from '#app/domain/publishing/predicates.ts';
import { keepsItsPlace } from './eligibility.ts';
import { lockPost, markQueued, type OwnPost } from './post-state.ts';
import { waitsItsTurn } from './predicates.ts';
import { LEASE_MS, LONGEST_WAIT_MS } from './timings.ts';

const NO_LEASE = { leaseToken: null, leaseUntil: null };

/** What waits. Nothing else has a time, a lease or somebody who holds it. */
const inQueue = (db: Db) => db.updateTable('postSchedules').where('dueAt', 'is not', null);

/** Gives posts a job each: something is to be done for them before they can be sent. */
export async function enqueueSingly(db: Db, postIds: string[], now: Date): Promise<void> {
  if (postIds.length === 0) return;
  const payloads = postIds.map((postId) => ({ postId }));
  await transact(db, async (trx) => {
    await inQueue(trx).set({ enqueuedAt: now }).where('postId', 'in', postIds).execute();
    await enqueueAll(trx, jobs.publishPost, payloads);
  });
}

export async function findDueAt(db: Db, { id, userId }: OwnPost): Promise<Date | undefined> {
  const delivery = await db
    .selectFrom('postSchedules')
    .select('dueAt')
    .where('postId', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return delivery?.dueAt ?? undefined;
}

/** It is put off until an instant that LinkedIn may have asked for. */
const isPutOff = (now: Date) =>
  sql<boolean>`(not_before is not null and not_before <= ${after(now, LONGEST_WAIT_MS)})`;

/**
 * What should be out by now, also what is held or not approved, in order of time, with what an operator can tell it
 * by. With what was sent by hand by a clock that was ahead, and seems to be due later.
 */
export const listOverdue = (db: Db, now: Date) =>
  db
    .selectFrom('postSchedules')
    .select(['postId', 'userId', 'dueAt', 'isManual', 'heldAt', 'status'])
    .$narrowType<{ dueAt: NotNull }>()
    .where('dueAt', 'is not', null)
    .where(sql<boolean>`(due_at <= ${now} or (is_manual and not ${isPutOff(now)}))`)
    .orderBy('dueAt')
    .execute();

/**
 * Gives a waiting post a slot: on the post, and as the instant its delivery is due. One that is put off for longer
 * stays so until then: another slot lifts no limit that LinkedIn has named.
 */
export async function moveToSlot(trx: Trx, postId: string, slot: Slot): Promise<void> {
  await placePost(trx, postId, slot);
  const notBefore = sql<Date | null>`case when post_schedules.not_before > ${slot.at} then post_schedules.not_before end`;
  await inQueue(trx)
    .set({ dueAt: slot.at, heldAt: null, notBefore, enqueuedAt: null, ...NO_LEASE })
    .where('postId', '=', postId)
    .execute();
}

/** Gives a post that was missed, or whose owner takes its hour back, a slot. What was to go out by hand goes by the rules of the queue from then on. */
export async function moveToFreeSlot(trx: Trx, postId: string, slot: Slot): Promise<void> {
  await moveToSlot(trx, postId, slot);
  await markQueued(trx, postId);
}

/**
 * Sends a post as soon as a worker takes it, whatever its slot, also one that waits for none. One that is put off
 * stays so until then, and a worker that has it goes on with it.
 */
export async function sendByHand(trx: Trx, postId: string, now: Date): Promise<void> {
  const at = sql<Date>`greatest(${now}::timestamptz, post_schedules.not_before)`;
  const { dueAt } = await trx
    .updateTable('postSchedules')
    .set({
      dueAt: at,
      isManual: true,
      heldAt: null,
      enqueuedAt: at,
      notBefore: sql`case when post_schedules.not_before > ${now} then post_schedules.not_before end`,
      leaseToken: sql`case when post_schedules.lease_until > ${now} then post_schedules.lease_token end`,
      leaseUntil: sql`case when post_schedules.lease_until > ${now} then post_schedules.lease_until end`,
    })
    .where('postId', '=', postId)
    .returning('dueAt')
    .executeTakeFirstOrThrow();
  await enqueue(trx, jobs.publishPost, { postId }, dueAt!);
}

/** A job that begins during a stop, or before its post's turn, comes to nothing: the post is offered anew then. */
export async function offerAgain(trx: Trx, postId: string, now: Instant): Promise<void> {
  await inQueue(trx)
    .set({ enqueuedAt: null })
    .where('postId', '=', postId)
    .where('enqueuedAt', 'is not', null)
    .where(sql<boolean>`(${isPublishingPaused(now)} or ${waitsItsTurn(now, lateness())})`)
    .execute();
}

/** Holds a post until its owner has mended what keeps it. With a lease only whoever has it may. */
export async function holdDelivery(trx: Trx, postId: string, now: Date, leaseToken?: string): Promise<void> {
  await inQueue(trx)
    .set({ heldAt: now, enqueuedAt: null, ...NO_LEASE })
    .where('postId', '=', postId)
    .$if(leaseToken !== undefined, (query) => query.where('leaseToken', '=', leaseToken!))
    .execute();
}

/** Gives a post back to the queue, to be tried at `at`. With a lease only whoever has it may. */
export async function tryLater(trx: Trx, postId: string, at: Date, leaseToken?: string): Promise<void> {
  const { numUpdatedRows } = await inQueue(trx)
    .set({ notBefore: at, enqueuedAt: at, ...NO_LEASE })
    .where('postId', '=', postId)
    .$if(leaseToken !== undefined, (query) => query.where('leaseToken', '=', leaseToken!))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await enqueue(trx, jobs.publishPost, { postId }, at);
}

/**
 * As `tryLater`, at an instant that LinkedIn has named: what was sent by hand, and was due before `dueBefore`, is due
 * then, so it is not late before.
 */
export async function waitUntil(
  trx: Trx,
  postId: string,
  at: Date,
  leaseToken?: string,
  dueBefore = at,
): Promise<void> {
  await inQueue(trx)
    .set({ dueAt: at })
    .where('postId', '=', postId)
    .where('isManual', '=', true)
    .where('dueAt', '<', dueBefore)
    .$if(leaseToken !== undefined, (query) => query.where('leaseToken', '=', leaseToken!))
    .execute();
  await tryLater(trx, postId, at, leaseToken);
}

/** Takes a post for five minutes; the token answered is what everything that follows is compared with. */
export async function takeLease(trx: Trx, { id, userId }: OwnPost, now: Date): Promise<string> {
  const { leaseToken } = await inQueue(trx)
    .set({ leaseToken: sql`nextval('lease_seq')`, leaseUntil: new Date(now.getTime() + LEASE_MS) })
    .where('postId', '=', id)
    .where('userId', '=', userId)
    .returning('leaseToken')
    .executeTakeFirstOrThrow();
  return leaseToken!;
}

/** Whether a lease still stands. Asked under the lock of the post. */
export async function isLeased(trx: Trx, { id, userId }: OwnPost, leaseToken: string): Promise<boolean> {
  const delivery = await trx
    .selectFrom('postSchedules')
    .select('leaseToken')
    .where('postId', '=', id)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return delivery?.leaseToken === leaseToken;
}

type Uploaded = { imageUrl: string; imageUrn: string; imageAuthorUrn: string };

/** Keeps an uploaded picture, so that another attempt sends the same one. Only whoever has the lease may. */
export async function storeImageUrn(
  db: Db,
  post: OwnPost,
  leaseToken: string,
  image: Uploaded,
): Promise<void> {
  await transact(db, async (trx) => {
    if (!(await lockPost(trx, post.id, post.userId)) || !(await isLeased(trx, post, leaseToken))) return;
    await storeImage(trx, post, image);
  });
}

/** Lets the posts of a user that were sent by hand and held go on now, but for those that wait for a choice. */
export async function releaseByHand(trx: Trx, userId: string, now: Date): Promise<void> {
  await inQueue(trx)
    .from('posts')
    .set({ dueAt: now, heldAt: null })
    .whereRef('posts.id', '=', 'postSchedules.postId')
    .where('postSchedules.userId', '=', userId)
    .where('isManual', '=', true)
    .where('heldAt', 'is not', null)
    .where(({ not }) => not(keepsItsPlace(now)))
    .execute();
}

/**
 * What was written by a clock that was ahead, and would wait until then: a lease that nobody can have for so long, a
 * job, what was sent by hand, and a wait that ends later than any that LinkedIn asks for.
 */
export async function pullBack(db: Db, now: Date): Promise<void> {
  const longest = new Date(now.getTime() + LEASE_MS);
  const isLeftLeased = sql<boolean>`lease_until > ${longest}`;
  const waits = isPutOff(now);
  await inQueue(db)
    .set({
      dueAt: sql`case when is_manual and not ${waits} then least(due_at, ${now}) else due_at end`,
      heldAt: sql`case when held_at is not null then least(held_at, ${now}) end`,
      notBefore: sql`case when ${waits} then not_before end`,
      enqueuedAt: sql`case when enqueued_at <= ${now} then enqueued_at end`,
      leaseToken: sql`case when ${isLeftLeased} then null else lease_token end`,
      leaseUntil: sql`case when ${isLeftLeased} then null else lease_until end`,
    })
    .where(
      sql<boolean>`greatest(held_at, not_before, enqueued_at, lease_until, case when is_manual then due_at end) > ${now}`,
    )
    .execute();
}
