import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { after } from '#app/db/clock.ts';
import type { Database } from '#app/db/tables.ts';
import { givesAccess } from '#app/domain/linkedin/predicates.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { lateness } from '#app/domain/posts/lateness.ts';
import { isPublishingStopped, turnAt } from '#app/domain/publishing/predicates.ts';

const any = (condition: RawBuilder<unknown>) => sql<boolean>`coalesce(bool_or(${condition}), false)`;

const ATTEMPT_COLUMNS = [
  any(sql`publish_attempts.resolved_at is null`).as('isOpen'),
  any(sql`publish_attempts.state in ('unknown', 'held')`).as('isUnsettled'),
  sql<Date | null>`max(coalesce(publish_attempts.finished_at, publish_attempts.started_at))`.as(
    'lastAttemptAt',
  ),
] as const;

const attemptsOf = (eb: ExpressionBuilder<Database, 'posts' | 'postSchedules'>) =>
  eb
    .selectFrom('publishAttempts')
    .select(ATTEMPT_COLUMNS)
    .whereRef('publishAttempts.postId', '=', 'posts.id');

export const attempts = (eb: ExpressionBuilder<Database, 'posts' | 'postSchedules'>) =>
  attemptsOf(eb)
    .select([
      // The author of the attempt with the post's URN.
      sql<string | null>`max(case when publish_attempts.network_urn = post_schedules.network_urn
        then publish_attempts.author_urn end)`.as('authorUrn'),
      sql<
        string | null
      >`(array_agg(case when publish_attempts.state = 'not_accepted' then publish_attempts.explanation end
        order by publish_attempts.attempt desc))[1]`.as('whyNotAccepted'),
    ])
    .as('attempts');

/** For the API, the attempts of published posts do not matter and are not read. */
const unpublishedAttempts = (eb: ExpressionBuilder<Database, 'posts' | 'postSchedules'>) =>
  attemptsOf(eb).where(sql<boolean>`post_schedules.status <> 'published'`).as('attempts');

/** A longer wait counts as put off. */
const SOON_MS = 60_000;

const isSentManually = sql`(post_schedules.is_manual and post_schedules.held_at is null and not attempts.is_open)`;
const isConnected = (now: Date) => sql<boolean>`coalesce(${givesAccess('linkedinConnections', now)}, false)`;

/** LinkedIn has put the post off, so it is not sent before `notBefore`. */
const isPutOff = (now: Date) =>
  sql<boolean>`(not attempts.is_open and post_schedules.held_at is null
    and post_schedules.not_before > ${after(now, SOON_MS)}) is true`;

/** Whether publishing is stopped for all users, as a table to join, so that it is read once. */
const stop = (now: Date) =>
  sql<{ isStopped: boolean }>`(select ${isPublishingStopped(now)} as is_stopped offset 0)`.as('stop');
const isStopped = sql<boolean>`stop.is_stopped`;

/** A worker is sending the post or is about to. `isStopped`: publishing is stopped for all users. */
export const isPublishing = (now: Date, isStopped: RawBuilder<boolean>) =>
  sql<boolean>`(attempts.is_open
    or (${isSentManually} and ${isConnected(now)} and not ${isStopped} and not ${isPutOff(now)}))`;

/** About when the post is sent after other posts of its user; null when it does not wait for any. */
const turn = (now: Date) =>
  sql<Date | null>`(case when not attempts.is_open then ${turnAt(now, lateness())} end)`;

/** The post is sent manually as soon as publishing is no longer stopped. */
const isNext = (now: Date) => sql<boolean>`(${isSentManually} and ${isConnected(now)} and ${isStopped})`;

type By = 'posts' | 'postSchedules';

/**
 * Selects posts that are not deleted, with the joined tables. The user is matched in one of the two tables (`by`) only:
 * with both, Postgres may plan a join of all rows of the user.
 */
const joinedPosts = (db: Db, by: By) =>
  db
    .selectFrom('posts')
    .innerJoin('postSchedules', 'postSchedules.postId', 'posts.id')
    .leftJoin('topics', 'topics.id', 'posts.topicId')
    .leftJoin('linkedinConnections', 'linkedinConnections.userId', `${by}.userId`)
    .leftJoin('engagements', 'engagements.postId', 'posts.id')
    .where('posts.deletedAt', 'is', null);

const API_COLUMNS = [
  'posts.id',
  'posts.content',
  'posts.hashtags',
  'posts.imageUrl',
  'posts.altText',
  'posts.publishAt',
  'posts.createdAt',
  'posts.topicId',
  'posts.visibility',
  'topics.name as topicName',
  'postSchedules.status',
  'postSchedules.failure',
  'postSchedules.reason',
  'postSchedules.isUnconfirmed',
  'postSchedules.issueResolved',
  'postSchedules.postedAt',
  'postSchedules.networkUrn',
  'linkedinConnections.connectedAt',
  'engagements.likes',
  'engagements.comments',
  'engagements.shares',
  'engagements.impressions',
  'engagements.enteredAt',
  'isOpen',
  'isUnsettled',
  'lastAttemptAt',
] as const;

export const apiPosts = (db: Db, by: By = 'posts', now = new Date()) =>
  joinedPosts(db, by)
    .innerJoinLateral(unpublishedAttempts, (join) => join.onTrue())
    .select(API_COLUMNS)
    .select([isConnected(now).as('isConnected')]);

export const apiPostsOf = (db: Db, userId: string, by: By = 'posts', now = new Date()) =>
  apiPosts(db, by, now).where(`${by}.userId`, '=', userId);

export function postsOf(db: Db, userId: string, by: By = 'posts', now = new Date()) {
  return joinedPosts(db, by)
    .innerJoinLateral(attempts, (join) => join.onTrue())
    .innerJoin(stop(now), (join) => join.onTrue())
    .select(API_COLUMNS)
    .select([
      'posts.revision',
      'posts.slotDate',
      'posts.slotNumber',
      'posts.approvalMovedAt',
      'posts.editedAt',
      'postSchedules.heldAt',
      'postSchedules.notBefore',
      'postSchedules.dueAt',
      'postSchedules.isManual',
      'postSchedules.needsApproval',
      'postSchedules.decidedByEmailAt',
      'linkedinConnections.memberId',
      'authorUrn',
      'whyNotAccepted',
      'stop.isStopped',
      isConnected(now).as('isConnected'),
      isPublishing(now, isStopped).as('isPublishing'),
      isNext(now).as('isNext'),
      isPutOff(now).as('isPutOff'),
      turn(now).as('turnAt'),
    ])
    .where(`${by}.userId`, '=', userId);
}

export type Post = Awaited<ReturnType<ReturnType<typeof postsOf>['executeTakeFirstOrThrow']>>;
export type ApiPost = Awaited<ReturnType<ReturnType<typeof apiPostsOf>['executeTakeFirstOrThrow']>>;

/** A span of time, and the local dates that its slots may have. */
export type Span = { from: Date; to: Date; fromDate: string; toDate: string };

/** Selects the ids of the posts with a slot in a span, those published in it, and those sent manually in it. */
export const idsOf = (userId: string, { from, to, fromDate, toDate }: Span) => sql`
  select id from posts where user_id = ${userId} and deleted_at is null
    and slot_date between ${fromDate} and ${toDate} and publish_at >= ${from} and publish_at < ${to}
  union select post_id from post_schedules where user_id = ${userId} and deleted_at is null
    and status = 'published' and posted_at >= ${from} and posted_at < ${to}
  union select post_id from post_schedules where user_id = ${userId} and is_manual
    and due_at >= ${from} and due_at < ${to}`;

export async function findPost(db: Db, actor: Pick<Actor, 'userId'>, postId: string): Promise<Post> {
  const postNotFound = () => notFound('This post');
  if (!isId(postId)) throw postNotFound();
  return postsOf(db, actor.userId).where('posts.id', '=', postId).executeTakeFirstOrThrow(postNotFound);
}

export async function isDeleted(db: Db, { userId }: Actor, postId: string): Promise<boolean> {
  if (!isId(postId)) return false;
  const row = await db
    .selectFrom('posts')
    .select('id')
    .where('id', '=', postId)
    .where('userId', '=', userId)
    .where('deletedAt', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function listPostsOfRun(db: Db, actor: Actor, runId: string): Promise<Post[]> {
  return postsOf(db, actor.userId).where('posts.runId', '=', runId).orderBy('posts.runIndex').execute();
}
