import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { after } from '#app/db/clock.ts';
import type { Database } from '#app/db/tables.ts';
import type { Actor } from '#app/domain/actor.ts';
import { givesAccess } from '#app/domain/linkedin/facts.ts';
import { isId } from '#app/domain/paging.ts';
import { isPublishingStopped } from '#app/domain/publishing/facts.ts';
import { turnAt } from '#app/domain/queue/facts.ts';
import { notFound } from '#app/domain/refusal.ts';
import { lateness } from './lateness.ts';

const any = (condition: RawBuilder<unknown>) => sql<boolean>`coalesce(bool_or(${condition}), false)`;

/** What the attempts at the post of the row tell of it. */
export const attempts = (eb: ExpressionBuilder<Database, 'posts' | 'deliveries'>) =>
  eb
    .selectFrom('publications')
    .select([
      any(sql`publications.resolved_at is null`).as('isOpen'),
      any(sql`publications.state in ('unknown', 'held')`).as('isUnsettled'),
      // The member for whom LinkedIn named the address that the post has.
      sql<string | null>`max(case when publications.network_urn = deliveries.network_urn
        then publications.author_urn end)`.as('authorUrn'),
      sql<Date | null>`max(coalesce(publications.finished_at, publications.started_at))`.as('lastAttemptAt'),
      sql<
        string | null
      >`(array_agg(case when publications.state = 'not_accepted' then publications.explanation end
        order by publications.attempt desc))[1]`.as('whyNotAccepted'),
    ])
    .whereRef('publications.postId', '=', 'posts.id')
    .as('attempts');

/** What waits for longer than this is not about to be sent. */
const SOON_MS = 60_000;

const isSentByHand = sql`(deliveries.is_by_hand and deliveries.held_at is null and not attempts.is_open)`;
const isConnected = (now: Date) => sql<boolean>`coalesce(${givesAccess('linkedinConnections', now)}, false)`;

/** LinkedIn has put it off, and nothing is sent before `notBefore`. */
const isPutOff = (now: Date) =>
  sql<boolean>`(not attempts.is_open and deliveries.held_at is null
    and deliveries.not_before > ${after(now, SOON_MS)}) is true`;

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

/**
 * Posts that are not deleted, with their topic, whether a worker is at them, and what is known of them at
 * LinkedIn. Found `by` one of their two rows, the other of which is then found by its key: by both, the database
 * may compare each with each.
 */
export const postsOf = (db: Db, userId: string, by: 'posts' | 'deliveries' = 'posts', now = new Date()) =>
  shownPosts(db, by, now).where(`${by}.userId`, '=', userId);

/** The same of everybody. */
export function shownPosts(db: Db, by: 'posts' | 'deliveries' = 'posts', now = new Date()) {
  return db
    .selectFrom('posts')
    .innerJoin('deliveries', 'deliveries.postId', 'posts.id')
    .leftJoin('topics', 'topics.id', 'posts.topicId')
    .leftJoin('linkedinConnections', 'linkedinConnections.userId', `${by}.userId`)
    .leftJoin('engagements', 'engagements.postId', 'posts.id')
    .innerJoinLateral(attempts, (join) => join.onTrue())
    .innerJoin(stop(now), (join) => join.onTrue())
    .select(['posts.id', 'posts.content', 'posts.hashtags', 'posts.imageUrl', 'posts.altText'])
    .select('posts.revision')
    .select(['deliveries.status', 'deliveries.failure', 'deliveries.reason', 'deliveries.isUnconfirmed'])
    .select(['deliveries.isMended', 'deliveries.postedAt', 'deliveries.networkUrn'])
    .select(['posts.slotDate', 'posts.slotNumber', 'posts.publishAt', 'posts.approvalMovedAt'])
    .select(['posts.createdAt', 'posts.editedAt', 'posts.topicId', 'posts.visibility'])
    .select(['topics.name as topicName', 'deliveries.heldAt', 'deliveries.notBefore'])
    .select(['deliveries.dueAt', 'deliveries.isByHand', 'deliveries.needsApproval'])
    .select('deliveries.decidedByMailAt')
    .select(['linkedinConnections.connectedAt', 'linkedinConnections.memberId'])
    .select([isConnected(now).as('isConnected')])
    .select(['engagements.likes', 'engagements.comments', 'engagements.shares'])
    .select(['engagements.impressions', 'engagements.enteredAt'])
    .select(['isOpen', 'isUnsettled', 'authorUrn', 'lastAttemptAt', 'whyNotAccepted'])
    .select([
      isPublishing(now, isStopped).as('isPublishing'),
      isNext(now).as('isNext'),
      isPutOff(now).as('isPutOff'),
    ])
    .select(['stop.isStopped', turn(now).as('turnAt')])
    .where('posts.deletedAt', 'is', null);
}

export type Post = Awaited<ReturnType<ReturnType<typeof postsOf>['executeTakeFirstOrThrow']>>;

/** A span of time, and the local dates that its slots may be counted to. */
export type Span = { from: Date; to: Date; fromDate: string; toDate: string };

/** Those that have their slot in a span, or went out in it, or were sent by hand for it. */
export const idsOf = (userId: string, { from, to, fromDate, toDate }: Span) => sql`
  select id from posts where user_id = ${userId} and deleted_at is null
    and slot_date between ${fromDate} and ${toDate} and publish_at >= ${from} and publish_at < ${to}
  union select post_id from deliveries where user_id = ${userId} and deleted_at is null
    and status = 'published' and posted_at >= ${from} and posted_at < ${to}
  union select post_id from deliveries where user_id = ${userId} and is_by_hand
    and due_at >= ${from} and due_at < ${to}`;

/** The posts of a span, in no order. */
export const listPostsOf = (db: Db, { userId }: Actor, span: Span): Promise<Post[]> =>
  postsOf(db, userId)
    .where(sql<boolean>`posts.id in (${idsOf(userId, span)})`)
    .execute();

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
