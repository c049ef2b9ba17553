import { type RawBuilder, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { after, databaseClock, databaseTime, type Instant } from '#app/db/clock.ts';
import type { AttemptState, Audience } from '#app/db/tables.ts';
import { shareUsers } from '#app/domain/accounts/users.ts';
import { findUsableAccess } from '#app/domain/linkedin/access/for-batch.ts';
import type { Access } from '#app/domain/linkedin/connection.ts';
import { isMember } from '#app/domain/linkedin/predicates.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { isEligible, isFree, isItsTurn } from '#app/domain/publishing/eligibility/eligibility.ts';
import { LEASE_LEFT_MS } from '#app/domain/publishing/eligibility/timings.ts';
import { type DatabaseIdentity, isClockRight, isSameDatabase } from '#app/domain/publishing/predicates.ts';
import { enqueueSingly } from '#app/domain/publishing/state/schedule.ts';
import { commentaryOf } from '#app/integrations/linkedin/little-text.ts';
import type { Trace } from '#app/integrations/linkedin/responses.ts';
import { type Claim, listIneligible, lockDueBatch, lockQueuedPost, queuedPosts } from './claim.ts';
import { lockOwnerAndPause, sharePauseLock } from './locks.ts';

export type Attempt = {
  id: string;
  postId: string;
  userId: string;
  confirmsId: string | null;
  authorUrn: string;
  body: string;
  imageUrn: string | null;
  altText: string | null;
  visibility: Audience;
  startedAt: Date;
};

/** An attempt whose call was made; `tokenSealed` is the encrypted access token that was used. */
export type SentAttempt = Attempt & { tokenSealed?: string };

export const ATTEMPT_COLUMNS = [
  'id',
  'postId',
  'userId',
  'confirmsId',
  'authorUrn',
  'body',
  'imageUrn',
  'altText',
  'visibility',
  'startedAt',
] as const;

/** A post to send, as read under lock. Without `leaseToken` the caller holds the locks instead of a lease. */
export type AttemptInput = {
  postId: string;
  authorUrn: string;
  body: string;
  leaseToken: string | null;
  imageUrl: string | null;
  imageUrn: string | null;
};

/** Writes the attempt at a claimed post, see `writeAttempts`. `identity` is the database as this process last saw it. */
export async function beginAttempt(
  db: Db,
  claim: Claim,
  authorUrn: string,
  identity: DatabaseIdentity,
  now: Instant = databaseClock,
): Promise<Attempt | undefined> {
  return transact(db, async (trx) => {
    await lockOwnerAndPause(trx, claim.userId);
    const post = await lockQueuedPost(trx, claim.postId);
    if (!post) return undefined;
    const { postId, leaseToken, imageUrl, imageUrn } = claim;
    const body = commentaryOf(post.content, post.hashtags);
    const input = { postId, authorUrn, body, leaseToken, imageUrl, imageUrn };
    const [attempt] = await writeAttempts(trx, [input], identity, now);
    return attempt;
  });
}

/**
 * Writes attempts at those posts that may be sent, and returns them. Only a returned attempt permits a call: the state
 * `sending` is entered only here, and the statement compares the lease, or requires that the post is free. The caller
 * has locked users, pause and posts before, so that the conditions stay true until the commit.
 */
export async function writeAttempts(
  trx: Trx,
  inputs: AttemptInput[],
  identity: DatabaseIdentity,
  now: Instant,
): Promise<Attempt[]> {
  if (inputs.length === 0) return [];
  return trx
    .insertInto('publishAttempts')
    .columns(INSERTED_COLUMNS)
    .expression(
      queuedPosts(trx)
        .innerJoin(inputRows(inputs), 'input.postId', 'posts.id')
        .select(({ ref }) => [
          ref('posts.id').as('postId'),
          ref('posts.userId').as('userId'),
          nextAttemptNumber(sql.ref('posts.id')).as('attempt'),
          ref('input.authorUrn').as('authorUrn'),
          ref('input.body').as('body'),
          ref('posts.imageUrn').as('imageUrn'),
          ref('posts.altText').as('altText'),
          ref('posts.visibility').as('visibility'),
          sql<string>`coalesce(input.lease_token, nextval('lease_seq'))`.as('leaseToken'),
          sql<Date>`${now}::timestamptz`.as('startedAt'),
        ])
        .where(hasItsLease(now))
        .where('posts.imageUrl', 'is not distinct from', sql<string | null>`input.image_url`)
        .where('posts.imageUrn', 'is not distinct from', sql<string | null>`input.image_urn`)
        .where(isMember('posts.userId', sql`input.author_urn`))
        .where(isItsTurn(now))
        .where(isEligible(now))
        .where(isSameDatabase(identity))
        .where(isClockRight()),
    )
    .returning(ATTEMPT_COLUMNS)
    .execute();
}

function inputRows(inputs: AttemptInput[]) {
  const rows = inputs.map(({ postId, authorUrn, body, leaseToken, imageUrl, imageUrn }) => ({
    post_id: postId,
    author_urn: authorUrn,
    body,
    lease_token: leaseToken,
    image_url: imageUrl,
    image_urn: imageUrn,
  }));
  return sql<AttemptInput>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<'input'>(
    sql`input (post_id uuid, author_urn text, body text, lease_token bigint, image_url text, image_urn text)`,
  );
}

const hasItsLease = (now: Instant) => sql<boolean>`case when input.lease_token is null then ${isFree(now)}
  else post_schedules.lease_token = input.lease_token
    and post_schedules.lease_until > ${after(now, LEASE_LEFT_MS)} end`;

const INSERTED_COLUMNS = [
  'postId',
  'userId',
  'attempt',
  'authorUrn',
  'body',
  'imageUrn',
  'altText',
  'visibility',
  'leaseToken',
  'startedAt',
] as const;

export const nextAttemptNumber = (postId: RawBuilder<unknown>) =>
  sql<number>`(select coalesce(max(attempt), 0) + 1 from publish_attempts where post_id = ${postId})`;

export type StartedAttempt = { attempt: Attempt; access: Access };

type BegunBatch = {
  started: StartedAttempt[];
  /** Users whose posts are tried again later, because their data is being changed. */
  busyUserIds: string[];
};

/**
 * Locks up to `limit` due posts that fit a batch and writes the attempts at them, see `writeAttempts`, in one
 * transaction that waits for no lock but that of the pause.
 */
export async function beginBatch(
  db: Db,
  limit: number,
  excludedUserIds: string[],
  identity: DatabaseIdentity,
): Promise<BegunBatch> {
  return transact(db, async (trx) => {
    await sharePauseLock(trx);
    const now = await databaseTime(trx);
    const due = await lockDueBatch(trx, limit, excludedUserIds, now);
    if (due.length === 0) return { started: [], busyUserIds: [] };
    const userIds = [...new Set(due.map(({ userId }) => userId))];
    const [free, accesses] = [await shareUsers(trx, userIds), await findUsableAccess(trx, userIds, now)];
    const withoutAccess = due.flatMap(({ id, userId }) => (accesses.has(userId) ? [] : [id]));
    await enqueueSingly(trx, withoutAccess, now);
    const inputs = due.flatMap(({ id: postId, userId, content, hashtags }): AttemptInput[] => {
      const access = free.has(userId) ? accesses.get(userId) : undefined;
      if (!access) return [];
      const body = commentaryOf(content, hashtags);
      return [
        { postId, authorUrn: access.authorUrn, body, leaseToken: null, imageUrl: null, imageUrn: null },
      ];
    });
    const attempts = await writeAttempts(trx, inputs, identity, databaseClock);
    const started = attempts.map((attempt) => ({ attempt, access: accesses.get(attempt.userId)! }));
    const startedIds = new Set(attempts.map(({ postId }) => postId));
    let busy = due.filter(({ id }) => !startedIds.has(id));
    if (started.length === 0) {
      // When publishing is stopped for all users, no single user is the cause: only their own conditions count.
      const dueIds = due.map(({ id }) => id);
      const ineligible = await listIneligible(trx, dueIds, now);
      busy = due.filter(({ id, userId }) => ineligible.has(id) || !free.has(userId));
    }
    return { started, busyUserIds: busy.map(({ userId }) => userId) };
  });
}

export type AttemptOutcome = {
  state: AttemptState;
  explanation?: string;
  httpStatus?: number | null;
  networkUrn?: string | null;
  /** The attempt stays unresolved: the sweep or a job continues with it. */
  isOpen?: boolean;
  /** The outcome comes from a response of LinkedIn, not from a timeout. */
  isResponse?: boolean;
  trace?: Trace;
};

const UNSETTLED_STATES: AttemptState[] = ['sending', 'unknown'];
/** With the attempts that were handed to the user to decide: a late response still settles those. */
const REVISABLE_STATES: AttemptState[] = [...UNSETTLED_STATES, 'held'];

/**
 * Writes the outcome of an attempt. Returns false when it is settled already. A response of LinkedIn also settles an
 * attempt that was handed to the user (`held`), however late it comes.
 */
export async function closeAttempt(
  trx: Trx,
  attemptId: string,
  outcome: AttemptOutcome,
  now: Date,
): Promise<boolean> {
  const { state, explanation = null, httpStatus, networkUrn, isOpen, isResponse, trace } = outcome;
  const closed = await trx
    .updateTable('publishAttempts')
    .set({
      state,
      explanation,
      httpStatus,
      networkUrn,
      finishedAt: now,
      resolvedAt: isOpen ? null : now,
      ...trace,
    })
    .where('id', '=', attemptId)
    .where('state', 'in', isResponse ? REVISABLE_STATES : UNSETTLED_STATES)
    .$if(!isResponse, (query) => query.where('resolvedAt', 'is', null))
    .returning(['userId', 'postId'])
    .executeTakeFirst();
  if (closed) emitEvent('publish_outcome', { ...closed, attemptId, state }, trx);
  return closed !== undefined;
}
