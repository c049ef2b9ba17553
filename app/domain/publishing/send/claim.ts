import { type NotNull, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { after, databaseClock, databaseTime, type Instant } from '#app/db/clock.ts';
import { markConnectionExpired } from '#app/domain/linkedin/connection.ts';
import type { FailureText } from '#app/domain/posts/failures.ts';
import {
  fitsBatch,
  isDue,
  isEligible,
  isFree,
  isItsTurn,
  isTextInTime,
  startsAt,
} from '#app/domain/publishing/eligibility/eligibility.ts';
import { SPREAD_MS } from '#app/domain/publishing/eligibility/timings.ts';
import { scheduleRetry } from '#app/domain/publishing/outcome/retry-later.ts';
import { publishingResumedAt } from '#app/domain/publishing/predicates.ts';
import { failTooLate, moveLatePosts } from '#app/domain/publishing/slots/too-late.ts';
import { isTooLate } from '#app/domain/publishing/slots/waiting-posts.ts';
import { failUnsent } from '#app/domain/publishing/state/fail.ts';
import { lockPost } from '#app/domain/publishing/state/post-state.ts';
import {
  allowReenqueue,
  holdPost,
  isLeased,
  postponeUntil,
  retryAt,
  takeLease,
} from '#app/domain/publishing/state/schedule.ts';
import { setLockTimeout } from './locks.ts';

export type Claim = {
  postId: string;
  userId: string;
  leaseToken: string;
  imageUrl: string | null;
  imageUrn: string | null;
  imageAuthorUrn: string | null;
};

type LatePost = { lateUserId: string; now: Date };

export const queuedPosts = (trx: Trx) =>
  trx
    .selectFrom('posts')
    .innerJoin('postSchedules', 'postSchedules.postId', 'posts.id')
    .where('postSchedules.dueAt', 'is not', null);

export const lockQueuedPost = (trx: Trx, postId: string) =>
  queuedPosts(trx)
    .selectAll('posts')
    .select(['dueAt', 'isManual'])
    .$narrowType<{ dueAt: NotNull }>()
    .where('posts.id', '=', postId)
    .forUpdate(['posts', 'postSchedules'])
    .executeTakeFirst();

const isStartReached = (now: Date) => sql<boolean>`${startsAt} <= ${now}`;

/**
 * Locks due posts whose start is reached and whose text is ready to send, and skips locked ones. Whether their users'
 * conditions are met is checked by the statement that writes the attempts, after the users are locked: the tick has
 * just held the posts of the others.
 */
export const lockDueBatch = (trx: Trx, limit: number, excludedUserIds: string[], now: Date) =>
  queuedPosts(trx)
    .select(['posts.id', 'posts.userId', 'posts.content', 'posts.hashtags'])
    .where(isDue(now))
    .where(isStartReached(now))
    .where(isTextInTime(now))
    .where(sql<boolean>`post_schedules.user_id <> all(${excludedUserIds}::uuid[])`)
    .orderBy('postSchedules.dueAt')
    .limit(limit)
    .forUpdate(['posts', 'postSchedules'])
    .skipLocked()
    .execute();

/** Returns those of the posts that are not eligible, apart from what stops all posts. */
export async function listIneligible(trx: Trx, postIds: string[], now: Date): Promise<Set<string>> {
  const posts = await queuedPosts(trx)
    .select('posts.id')
    .where('posts.id', 'in', postIds)
    .where(({ not }) => not(isEligible(now)))
    .execute();
  return new Set(posts.map(({ id }) => id));
}

/** Lists posts that can be sent in a batch now, locked or not. */
export async function listDueBatch(db: Db, limit: number, now: Date): Promise<string[]> {
  const { rows } = await sql<{ postId: string }>`
    select post_schedules.post_id from post_schedules join posts on posts.id = post_schedules.post_id
    where ${isDue(now)} and ${isStartReached(now)} and ${fitsBatch(now)} order by post_schedules.due_at limit ${limit}`.execute(
    db,
  );
  return rows.map(({ postId }) => postId);
}

export async function isAnyDueForBatch(db: Db, now: Date): Promise<boolean> {
  return (await listDueBatch(db, 1, now)).length > 0;
}

/** Returns when the next due post without a job of its own starts within its minute, or null when there is none. */
export async function findNextStart(db: Db, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(${startsAt}) as at from post_schedules
    where held_at is null and due_at <= ${now} and due_at > ${after(now, -SPREAD_MS)}
      and status = 'generated' and enqueued_at is null and ${startsAt} > ${now}`.execute(db);
  return rows[0]!.at;
}

export const findPostWithImage = (db: Db, postId: string) =>
  db
    .selectFrom('posts')
    .select(['id as postId', 'userId'])
    .where('id', '=', postId)
    .where('imageUrl', 'is not', null)
    .executeTakeFirst();

/**
 * Locks a post and returns it when it is its turn and it is eligible, which may have changed since the tick. Two
 * statements, because a statement that waits for a lock still sees the other tables as they were before.
 */
async function lockDuePost(trx: Trx, postId: string, now: Instant) {
  const post = await lockQueuedPost(trx, postId);
  if (!post) return undefined;
  const eligible = await queuedPosts(trx)
    .select([isFree(now).as('isFree'), sql<Date>`${now}::timestamptz`.as('now')])
    .select(publishingResumedAt(now).as('publishingResumedAt'))
    .where('posts.id', '=', postId)
    .where('posts.userId', '=', post.userId)
    .where(isItsTurn(now))
    .where(isEligible(now))
    .executeTakeFirst();
  return eligible && { ...post, ...eligible };
}

type Resumed = { dueAt: Date; publishingResumedAt: Date | null };

/** A manual post that waited during a pause is late only from the end of the pause on. */
const dueSinceResume = ({ dueAt, publishingResumedAt: resumedAt }: Resumed) => ({
  dueAt: resumedAt && resumedAt > dueAt ? resumedAt : dueAt,
});

/**
 * Leases a due post. Returns undefined when there is nothing to send: it is published, held, leased by another worker,
 * or too late and therefore moved. Throws `isLockTimeout` errors when the post or its user stays locked.
 */
export async function claimPost(
  db: Db,
  postId: string,
  now: Instant = databaseClock,
): Promise<Claim | undefined> {
  const claim = await transact<Claim | LatePost | undefined>(db, async (trx) => {
    await setLockTimeout(trx);
    const post = await lockDuePost(trx, postId, now);
    if (!post) await allowReenqueue(trx, postId, now);
    if (!post?.isFree) return undefined;
    if (isTooLate(post.isManual ? dueSinceResume(post) : post, post.now)) {
      if (!post.isManual && post.slotDate !== null) return { lateUserId: post.userId, now: post.now };
      await failTooLate(trx, post);
      return undefined;
    }
    const { userId, imageUrl, imageUrn, imageAuthorUrn } = post;
    const leaseToken = await takeLease(trx, post, post.now);
    return { postId, userId, leaseToken, imageUrl, imageUrn, imageAuthorUrn };
  });
  if (!claim || !('lateUserId' in claim)) return claim;
  await moveLatePosts(db, claim.lateUserId, claim.now);
  return undefined;
}

const POSTPONE_SECONDS = 60;
export const RETRY_CLAIM_MS = 5_000;

/*
 * The functions below end a claim before anything was sent. They change nothing when the lease is no longer valid.
 */

/** `tokenSealed` is the access token that LinkedIn refused, if any. */
export async function holdForConnection(
  db: Db,
  claim: Claim,
  now: Date,
  tokenSealed?: string,
): Promise<void> {
  await transact(db, async (trx) => {
    await holdPost(trx, claim.postId, now, claim.leaseToken);
    if (tokenSealed) await markConnectionExpired(trx, claim.userId, tokenSealed);
  });
}

export async function failClaim(db: Db, claim: Claim, failure: FailureText): Promise<void> {
  await transact(db, async (trx) => {
    const post = await lockPost(trx, claim.postId, claim.userId);
    if (!post || !(await isLeased(trx, post, claim.leaseToken))) return;
    await failUnsent(trx, post, { ...failure, dedupeKey: `failed:${post.id}:${claim.leaseToken}` });
  });
}

/** Tries again in a minute, or after `retryAfterSeconds` when LinkedIn asks for more. */
export async function postponeClaim(
  db: Db,
  claim: Claim,
  now: Date,
  retryAfterSeconds: number | null = null,
): Promise<void> {
  const seconds = { own: POSTPONE_SECONDS, requested: retryAfterSeconds };
  await transact(db, (trx) => scheduleRetry(trx, claim.postId, seconds, now, claim.leaseToken));
}

export async function postponeClaimUntil(db: Db, claim: Claim, at: Date): Promise<void> {
  await transact(db, (trx) => postponeUntil(trx, claim.postId, at, claim.leaseToken));
}

/** Ends the claim so that a new one sees what has changed since. */
export async function releaseClaim(db: Db, claim: Claim, ms = RETRY_CLAIM_MS): Promise<void> {
  const at = new Date((await databaseTime(db)).getTime() + ms);
  await transact(db, (trx) => retryAt(trx, claim.postId, at, claim.leaseToken));
}
