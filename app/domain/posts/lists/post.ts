import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { after } from '#app/db/clock.ts';
import type { Database } from '#app/db/tables.ts';
import { givesAccess } from '#app/domain/linkedin/predicates.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { lateness } from '#app/domain/posts/lateness.ts';
import { isPublishingStopped } from '#app/domain/publishing/predicates.ts';
import { turnAt } from '#app/domain/queue/predicates.ts';

const any = (condition: RawBuilder<unknown>) => sql<boolean>`coalesce(bool_or(${condition}), false)`;

/** Where the attempts at a post stand. */
const STANDING = [
  any(sql`publish_attempts.resolved_at is null`).as('isOpen'),
  any(sql`publish_attempts.state in ('unknown', 'held')`).as('isUnsettled'),
  sql<Date | null>`max(coalesce(publish_attempts.finished_at, publish_attempts.started_at))`.as(
    'lastAttemptAt',
  ),
] as const;

const attemptsOf = (eb: ExpressionBuilder<Database, 'posts' | 'postSchedules'>) =>
  eb.selectFrom('publishAttempts').select(STANDING).whereRef('publishAttempts.postId', '=', 'posts.id');

/** What the attempts at the post of the row tell of it. */
export const attempts = (eb: ExpressionBuilder<Database, 'posts' | 'postSchedules'>) =>
  attemptsOf(eb)
    .select([
      // The member for whom LinkedIn named the address that the post has.
      sql<string | null>`max(case when publish_attempts.network_urn = post_schedules.network_urn
        then publish_attempts.author_urn end)`.as('authorUrn'),
      sql<
        string | null
      >`(array_agg(case when publish_attempts.state = 'not_accepted' then publish_attempts.explanation end
        order by publish_attempts.attempt desc))[1]`.as('whyNotAccepted'),
    ])
    .as('attempts');

/** Of a post that is on LinkedIn they say nothing that matters to programs, and are not looked for. */
const unpublishedAttempts = (eb: ExpressionBuilder<Database, 'posts' | 'postSchedules'>) =>
  attemptsOf(eb).where(sql<boolean>`post_schedules.status <> 'published'`).as('attempts');

/** What waits for longer than this is not about to be sent. */
const SOON_MS = 60_000;

const isSentByHand = sql`(post_schedules.is_manual and post_schedules.held_at is null and not attempts.is_open)`;
const isConnected = (now: Date) => sql<boolean>`coalesce(${givesAccess('linkedinConnections', now)}, false)`;

/** LinkedIn has put it off, and nothing is sent before `notBefore`. */
const isPutOff = (now: Date) =>
  sql<boolean>`(not attempts.is_open and post_schedules.held_at is null
    and post_schedules.not_before > ${after(now, SOON_MS)}) is true`;

/** Whether nothing is sent for anybody, to be joined to the posts: asked once, whatever needs it. */
const stop = (now: Date) =>
  sql<{ isStopped: boolean }>`(select ${isPublishingStopped(now)} as is_stopped offset 0)`.as('stop');
const isStopped = sql<boolean>`stop.is_stopped`;

/** A worker is at it or about to be. `isStopped`: nothing is sent for anybody. */
export const isPublishing = (now: Date, isStopped: RawBuilder<boolean>) =>
  sql<boolean>`(attempts.is_open
    or (${isSentByHand} and ${isConnected(now)} and not ${isStopped} and not ${isPutOff(now)}))`;

/** About when it goes out although others of its user go first; null when it does not wait for that. */
const turn = (now: Date) =>
  sql<Date | null>`(case when not attempts.is_open then ${turnAt(now, lateness())} end)`;

/** It was sent by hand while publishing is stopped for everybody, and goes out when that ends. */
const isNext = (now: Date) => sql<boolean>`(${isSentByHand} and ${isConnected(now)} and ${isStopped})`;

type By = 'posts' | 'postSchedules';

/**
 * Posts that are not deleted, with all that hangs on them. Found `by` one of their two rows, the other of which is then
 * found by its key: by both, the database may compare each with each.
 */
const wholePosts = (db: Db, by: By) =>
  db
    .selectFrom('posts')
    .innerJoin('postSchedules', 'postSchedules.postId', 'posts.id')
    .leftJoin('topics', 'topics.id', 'posts.topicId')
    .leftJoin('linkedinConnections', 'linkedinConnections.userId', `${by}.userId`)
    .leftJoin('engagements', 'engagements.postId', 'posts.id')
    .where('posts.deletedAt', 'is', null);

/** What programs are told of a post as well. */
const TOLD = [
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

/** Of posts what programs are told: a list of the rest would be read and thrown away. */
export const apiPosts = (db: Db, by: By = 'posts', now = new Date()) =>
  wholePosts(db, by)
    .innerJoinLateral(unpublishedAttempts, (join) => join.onTrue())
    .select(TOLD)
    .select([isConnected(now).as('isConnected')]);

export const apiPostsOf = (db: Db, userId: string, by: By = 'posts', now = new Date()) =>
  apiPosts(db, by, now).where(`${by}.userId`, '=', userId);

/** Posts of a user, with their topic, whether a worker is at them, and what is known of them at LinkedIn. */
export function postsOf(db: Db, userId: string, by: By = 'posts', now = new Date()) {
  return wholePosts(db, by)
    .innerJoinLateral(attempts, (join) => join.onTrue())
    .innerJoin(stop(now), (join) => join.onTrue())
    .select(TOLD)
    .select([
      'posts.revision',
      'posts.slotDate',
      'posts.slotNumber',
      'posts.approvalMovedAt',
      'posts.editedAt',
    ])
    .select([
      'postSchedules.heldAt',
      'postSchedules.notBefore',
      'postSchedules.dueAt',
      'postSchedules.isManual',
    ])
    .select(['postSchedules.needsApproval', 'postSchedules.decidedByEmailAt', 'linkedinConnections.memberId'])
    .select([isConnected(now).as('isConnected'), 'authorUrn', 'whyNotAccepted'])
    .select([
      isPublishing(now, isStopped).as('isPublishing'),
      isNext(now).as('isNext'),
      isPutOff(now).as('isPutOff'),
    ])
    .select(['stop.isStopped', turn(now).as('turnAt')])
    .where(`${by}.userId`, '=', userId);
}

export type Post = Awaited<ReturnType<ReturnType<typeof postsOf>['executeTakeFirstOrThrow']>>;
export type ApiPost = Awaited<ReturnType<ReturnType<typeof apiPostsOf>['executeTakeFirstOrThrow']>>;

/** A span of time, and the local dates that its slots may be counted to. */
export type Span = { from: Date; to: Date; fromDate: string; toDate: string };

/** Those that have their slot in a span, or went out in it, or were sent by hand for it. */
export const idsOf = (userId: string, { from, to, fromDate, toDate }: Span) => sql`
  select id from posts where user_id = ${userId} and deleted_at is null
    and slot_date between ${fromDate} and ${toDate} and publish_at >= ${from} and publish_at < ${to}
  union select post_id from post_schedules where user_id = ${userId} and deleted_at is null
    and status = 'published' and posted_at >= ${from} and posted_at < ${to}
  union select post_id from post_schedules where user_id = ${userId} and is_manual
    and due_at >= ${from} and due_at < ${to}`;

export async function findPost(db: Db, actor: Pick<Actor, 'userId'>, postId: string): Promise<Post> {
  const row = isId(postId)
    ? await postsOf(db, actor.userId).where('posts.id', '=', postId).executeTakeFirst()
    : undefined;
  if (!row) throw notFound('This post');
  return row;
}

/** Whether the actor has deleted this post. */
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
