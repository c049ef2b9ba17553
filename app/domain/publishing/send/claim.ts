import { type NotNull, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { after, databaseClock, type Instant } from '#app/db/clock.ts';
import { wentOnAt } from '#app/domain/publishing/predicates.ts';
import {
  beginsAt,
  fitsBatch,
  isDue,
  isEligible,
  isFree,
  isItsTurn,
  isPlain,
} from '#app/domain/queue/eligibility.ts';
import { offerAgain, takeLease } from '#app/domain/queue/schedule.ts';
import { failLate, moveLatePosts } from '#app/domain/queue/slots/late.ts';
import { isLate } from '#app/domain/queue/slots/waiting-posts.ts';
import { SPREAD_MS } from '#app/domain/queue/timings.ts';
import { waitBriefly } from './locks.ts';

export type Claim = {
  postId: string;
  userId: string;
  leaseToken: string;
  imageUrl: string | null;
  imageUrn: string | null;
  imageAuthorUrn: string | null;
};

type Late = { lateUserId: string; now: Date };

/** What waits for its time, with what is known of its place in the queue. */
export const queued = (trx: Trx) =>
  trx
    .selectFrom('posts')
    .innerJoin('postSchedules', 'postSchedules.postId', 'posts.id')
    .where('postSchedules.dueAt', 'is not', null);

/** The post and its delivery under lock. */
export const lockQueued = (trx: Trx, postId: string) =>
  queued(trx)
    .selectAll('posts')
    .select(['dueAt', 'isManual'])
    .$narrowType<{ dueAt: NotNull }>()
    .where('posts.id', '=', postId)
    .forUpdate(['posts', 'postSchedules'])
    .executeTakeFirst();

const isToBegin = (now: Date) => sql<boolean>`${beginsAt} <= ${now}`;

/**
 * Posts that are due and can be sent together now, as far as they themselves tell, under lock, without waiting for any:
 * what somebody has is left to a later look, as are the posts `notOf` these users. Their owners' wishes are to be
 * locked next, and asked in the last look: the tick has taken out who did not let theirs go a moment ago.
 */
export const lockDueBatch = (trx: Trx, most: number, notOf: string[], now: Date) =>
  queued(trx)
    .select(['posts.id', 'posts.userId', 'posts.content', 'posts.hashtags'])
    .where(isDue(now))
    .where(isToBegin(now))
    .where(isPlain(now))
    .where(sql<boolean>`post_schedules.user_id <> all(${notOf}::uuid[])`)
    .orderBy('postSchedules.dueAt')
    .limit(most)
    .forUpdate(['posts', 'postSchedules'])
    .skipLocked()
    .execute();

/** Those of some posts that do not go, whatever holds everybody. */
export async function listRefused(trx: Trx, postIds: string[], now: Date): Promise<Set<string>> {
  const posts = await queued(trx)
    .select('posts.id')
    .where('posts.id', 'in', postIds)
    .where(({ not }) => not(isEligible(now)))
    .execute();
  return new Set(posts.map(({ id }) => id));
}

/** The ids of what goes together now, locked or not. */
export async function listDueBatch(db: Db, most: number, now: Date): Promise<string[]> {
  const { rows } = await sql<{ postId: string }>`
    select post_schedules.post_id from post_schedules join posts on posts.id = post_schedules.post_id
    where ${isDue(now)} and ${isToBegin(now)} and ${fitsBatch(now)} order by post_schedules.due_at limit ${most}`.execute(
    db,
  );
  return rows.map(({ postId }) => postId);
}

/** Whether something can be sent together now, whoever has it under lock. */
export async function isAnyDueForBatch(db: Db, now: Date): Promise<boolean> {
  return (await listDueBatch(db, 1, now)).length > 0;
}

/** When the next post is begun that is due and has no job of its own, within its minute; null when none is to come. */
export async function findNextBegin(db: Db, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(${beginsAt}) as at from post_schedules
    where held_at is null and due_at <= ${now} and due_at > ${after(now, -SPREAD_MS)}
      and status = 'generated' and enqueued_at is null and ${beginsAt} > ${now}`.execute(db);
  return rows[0]!.at;
}

/** The post and whose it is, when it has a picture. */
export const findPictured = (db: Db, postId: string) =>
  db
    .selectFrom('posts')
    .select(['id as postId', 'userId'])
    .where('id', '=', postId)
    .where('imageUrl', 'is not', null)
    .executeTakeFirst();

/**
 * The post under lock, when it is its turn and it may go: what the tick saw, seen again. In two statements,
 * because one that waits for a lock goes on seeing other tables as they were before.
 */
async function lockDue(trx: Trx, postId: string, now: Instant) {
  const post = await lockQueued(trx, postId);
  if (!post) return undefined;
  const standing = await queued(trx)
    .select([isFree(now).as('isFree'), sql<Date>`${now}::timestamptz`.as('now')])
    .select(wentOnAt(now).as('wentOnAt'))
    .where('posts.id', '=', postId)
    .where('posts.userId', '=', post.userId)
    .where(isItsTurn(now))
    .where(isEligible(now))
    .executeTakeFirst();
  return standing && { ...post, ...standing };
}

/** What was sent by hand during a stop for everybody waits for its end, as its owner was told. */
const sinceItCould = ({ dueAt, wentOnAt }: { dueAt: Date; wentOnAt: Date | null }) => ({
  dueAt: wentOnAt && wentOnAt > dueAt ? wentOnAt : dueAt,
});

/**
 * Takes a due post for five minutes. Undefined when there is nothing to do: it is out, held, taken by
 * another worker, or too late and therefore moved. Fails when somebody has the post or its owner: see `isBusy`.
 */
export async function claimPost(
  db: Db,
  postId: string,
  now: Instant = databaseClock,
): Promise<Claim | undefined> {
  const claim = await transact<Claim | Late | undefined>(db, async (trx) => {
    await waitBriefly(trx);
    const post = await lockDue(trx, postId, now);
    if (!post) await offerAgain(trx, postId, now);
    if (!post?.isFree) return undefined;
    if (isLate(post.isManual ? sinceItCould(post) : post, post.now)) {
      if (!post.isManual && post.slotDate !== null) return { lateUserId: post.userId, now: post.now };
      await failLate(trx, post);
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
