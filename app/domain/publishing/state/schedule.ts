import { type NotNull, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { after, type Instant } from '#app/db/clock.ts';
import type { Slot } from '#app/domain/automation/slots.ts';
import { enqueue, enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { lateness } from '#app/domain/posts/lateness.ts';
import { placePost, storeImage } from '#app/domain/posts/rows.ts';
import { mayNotMove } from '#app/domain/publishing/eligibility/eligibility.ts';
import { LEASE_MS, LONGEST_WAIT_MS } from '#app/domain/publishing/eligibility/timings.ts';
import { isPublishingPaused, waitsItsTurn } from '#app/domain/publishing/predicates.ts';
import { lockPost, markQueued, type OwnPost } from './post-state.ts';

const NO_LEASE = { leaseToken: null, leaseUntil: null };

/** Only posts in the queue have a due time; only they are leased or held. */
const updateQueued = (db: Db) => db.updateTable('postSchedules').where('dueAt', 'is not', null);

/** Updates a post in the queue; with `leaseToken`, only while that lease is valid. */
const updateQueuedPost = (trx: Trx, postId: string, leaseToken?: string) =>
  updateQueued(trx)
    .where('postId', '=', postId)
    .$if(leaseToken !== undefined, (query) => query.where('leaseToken', '=', leaseToken!));

/** Adds one job for each post, for posts that need work before they can be sent. */
export async function enqueueSingly(db: Db, postIds: string[], now: Date): Promise<void> {
  if (postIds.length === 0) return;
  const payloads = postIds.map((postId) => ({ postId }));
  await transact(db, async (trx) => {
    await updateQueued(trx).set({ enqueuedAt: now }).where('postId', 'in', postIds).execute();
    await enqueueAll(trx, jobs.publishPost, payloads);
  });
}

export async function findDueAt(db: Db, { id, userId }: OwnPost): Promise<Date | undefined> {
  const schedule = await db
    .selectFrom('postSchedules')
    .select('dueAt')
    .where('postId', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return schedule?.dueAt ?? undefined;
}

/** The post waits until a time that LinkedIn may have asked for. */
const isPutOff = (now: Date) =>
  sql<boolean>`(not_before is not null and not_before <= ${after(now, LONGEST_WAIT_MS)})`;

/**
 * Lists the posts that should be published by now, also held and unapproved ones, in order of time. Includes manual
 * posts that are due later only because the clock was ahead.
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
 * Moves a waiting post to a slot, on the post and on its schedule. A later `not_before` stays: another slot does not end
 * a limit of LinkedIn.
 */
export async function moveToSlot(trx: Trx, postId: string, slot: Slot): Promise<void> {
  await placePost(trx, postId, slot);
  const notBefore = sql<Date | null>`case when post_schedules.not_before > ${slot.at} then post_schedules.not_before end`;
  await updateQueuedPost(trx, postId)
    .set({ dueAt: slot.at, heldAt: null, notBefore, enqueuedAt: null, ...NO_LEASE })
    .execute();
}

/** Moves a post to a slot. A manual post follows the rules of the queue from then on. */
export async function moveToFreeSlot(trx: Trx, postId: string, slot: Slot): Promise<void> {
  await moveToSlot(trx, postId, slot);
  await markQueued(trx, postId);
}

/**
 * Sends a post as soon as a worker is free, whatever its slot. A `not_before` that LinkedIn asked for stays, and so does
 * the lease of a worker that has the post.
 */
export async function sendManually(trx: Trx, postId: string, now: Date): Promise<void> {
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

/** A job that runs during a pause, or before its post's turn, does nothing. The tick may then enqueue the post again. */
export async function allowReenqueue(trx: Trx, postId: string, now: Instant): Promise<void> {
  await updateQueuedPost(trx, postId)
    .set({ enqueuedAt: null })
    .where('enqueuedAt', 'is not', null)
    .where(sql<boolean>`(${isPublishingPaused(now)} or ${waitsItsTurn(now, lateness())})`)
    .execute();
}

/** Holds a post until the user has fixed what blocks it. */
export async function holdPost(trx: Trx, postId: string, now: Date, leaseToken?: string): Promise<void> {
  await updateQueuedPost(trx, postId, leaseToken)
    .set({ heldAt: now, enqueuedAt: null, ...NO_LEASE })
    .execute();
}

/** Returns a post to the queue, to be tried at `at`. */
export async function retryAt(trx: Trx, postId: string, at: Date, leaseToken?: string): Promise<void> {
  const { numUpdatedRows } = await updateQueuedPost(trx, postId, leaseToken)
    .set({ notBefore: at, enqueuedAt: at, ...NO_LEASE })
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await enqueue(trx, jobs.publishPost, { postId }, at);
}

/**
 * Like `retryAt`, for a time that LinkedIn has asked for. A manual post that was due before `dueBefore` is due at that
 * time, so that the wait does not make it late.
 */
export async function postponeUntil(
  trx: Trx,
  postId: string,
  at: Date,
  leaseToken?: string,
  dueBefore = at,
): Promise<void> {
  await updateQueuedPost(trx, postId, leaseToken)
    .set({ dueAt: at })
    .where('isManual', '=', true)
    .where('dueAt', '<', dueBefore)
    .execute();
  await retryAt(trx, postId, at, leaseToken);
}

/** Leases a post. Returns the token with which all later statements check the lease. */
export async function takeLease(trx: Trx, { id, userId }: OwnPost, now: Date): Promise<string> {
  const { leaseToken } = await updateQueuedPost(trx, id)
    .set({ leaseToken: sql`nextval('lease_seq')`, leaseUntil: new Date(now.getTime() + LEASE_MS) })
    .where('userId', '=', userId)
    .returning('leaseToken')
    .executeTakeFirstOrThrow();
  return leaseToken!;
}

/** Returns whether a lease is still valid. The caller holds the lock of the post. */
export async function isLeased(trx: Trx, { id, userId }: OwnPost, leaseToken: string): Promise<boolean> {
  const schedule = await trx
    .selectFrom('postSchedules')
    .select('leaseToken')
    .where('postId', '=', id)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return schedule?.leaseToken === leaseToken;
}

type UploadedImage = { imageUrl: string; imageUrn: string; imageAuthorUrn: string };

/** Stores the urn of an uploaded image, so that another attempt reuses it, if the lease is still valid. */
export async function storeImageUrn(
  db: Db,
  post: OwnPost,
  leaseToken: string,
  image: UploadedImage,
): Promise<void> {
  await transact(db, async (trx) => {
    if (!(await lockPost(trx, post.id, post.userId)) || !(await isLeased(trx, post, leaseToken))) return;
    await storeImage(trx, post, image);
  });
}

/** Makes the held manual posts of a user due now, except those that must not move. */
export async function releaseManual(trx: Trx, userId: string, now: Date): Promise<void> {
  await updateQueued(trx)
    .from('posts')
    .set({ dueAt: now, heldAt: null })
    .whereRef('posts.id', '=', 'postSchedules.postId')
    .where('postSchedules.userId', '=', userId)
    .where('isManual', '=', true)
    .where('heldAt', 'is not', null)
    .where(({ not }) => not(mayNotMove(now)))
    .execute();
}

/**
 * Corrects times that were written while the clock was ahead: leases longer than `LEASE_MS`, enqueued jobs, the due times
 * of manual posts, and waits longer than LinkedIn ever asks for.
 */
export async function undoClockAhead(db: Db, now: Date): Promise<void> {
  const longest = new Date(now.getTime() + LEASE_MS);
  const isLeaseTooLong = sql<boolean>`lease_until > ${longest}`;
  const isWaiting = isPutOff(now);
  await updateQueued(db)
    .set({
      dueAt: sql`case when is_manual and not ${isWaiting} then least(due_at, ${now}) else due_at end`,
      heldAt: sql`case when held_at is not null then least(held_at, ${now}) end`,
      notBefore: sql`case when ${isWaiting} then not_before end`,
      enqueuedAt: sql`case when enqueued_at <= ${now} then enqueued_at end`,
      leaseToken: sql`case when ${isLeaseTooLong} then null else lease_token end`,
      leaseUntil: sql`case when ${isLeaseTooLong} then null else lease_until end`,
    })
    .where(
      sql<boolean>`greatest(held_at, not_before, enqueued_at, lease_until, case when is_manual then due_at end) > ${now}`,
    )
    .execute();
}
