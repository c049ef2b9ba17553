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
import { type Claim, listRefused, lockDueBatch, lockQueued, queued } from './claim.ts';
import { lockOwnerAndSwitch, shareSwitch } from './locks.ts';

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

/** As it was sent: `tokenSealed` is the token that was used, as it is stored. */
export type Sent = Attempt & { tokenSealed?: string };

export const COLUMNS = [
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

/** What is to be sent, as it was seen under lock. Without a lease the locks stand for it. */
export type AttemptInput = {
  postId: string;
  authorUrn: string;
  body: string;
  leaseToken: string | null;
  imageUrl: string | null;
  imageUrn: string | null;
};

/**
 * Writes the attempt at a claimed post, see `writeAttempts`. `known` is what this process last saw of the
 * database's epoch.
 */
export async function beginAttempt(
  db: Db,
  claim: Claim,
  authorUrn: string,
  known: DatabaseIdentity,
  now: Instant = databaseClock,
): Promise<Attempt | undefined> {
  return transact(db, async (trx) => {
    await lockOwnerAndSwitch(trx, claim.userId);
    const post = await lockQueued(trx, claim.postId);
    if (!post) return undefined;
    const { postId, leaseToken, imageUrl, imageUrn } = claim;
    const body = commentaryOf(post.content, post.hashtags);
    const wanted = { postId, authorUrn, body, leaseToken, imageUrl, imageUrn };
    const [attempt] = await writeAttempts(trx, [wanted], known, now);
    return attempt;
  });
}

/**
 * Writes attempts, with the last look at each post in the statement that does so. Only what it answers
 * permits a call: `sending` is entered here, once, by compare-and-set with the lease, or under the locks in
 * which the post was free. Wishes and posts are locked before, so that what is seen here stays.
 */
export async function writeAttempts(
  trx: Trx,
  wanted: AttemptInput[],
  known: DatabaseIdentity,
  now: Instant,
): Promise<Attempt[]> {
  if (wanted.length === 0) return [];
  return trx
    .insertInto('publishAttempts')
    .columns(WRITTEN)
    .expression(
      queued(trx)
        .innerJoin(inputRows(wanted), 'given.postId', 'posts.id')
        .select(({ ref }) => [
          ref('posts.id').as('postId'),
          ref('posts.userId').as('userId'),
          nextAttempt(sql.ref('posts.id')).as('attempt'),
          ref('given.authorUrn').as('authorUrn'),
          ref('given.body').as('body'),
          ref('posts.imageUrn').as('imageUrn'),
          ref('posts.altText').as('altText'),
          ref('posts.visibility').as('visibility'),
          sql<string>`coalesce(given.lease_token, nextval('lease_seq'))`.as('leaseToken'),
          sql<Date>`${now}::timestamptz`.as('startedAt'),
        ])
        .where(hasItsLease(now))
        .where('posts.imageUrl', 'is not distinct from', sql<string | null>`given.image_url`)
        .where('posts.imageUrn', 'is not distinct from', sql<string | null>`given.image_urn`)
        .where(isMember('posts.userId', sql`given.author_urn`))
        .where(isItsTurn(now))
        .where(isEligible(now))
        .where(isSameDatabase(known))
        .where(isClockRight()),
    )
    .returning(COLUMNS)
    .execute();
}

/** What is wanted, as rows of a query. */
function inputRows(wanted: AttemptInput[]) {
  const rows = wanted.map(({ postId, authorUrn, body, leaseToken, imageUrl, imageUrn }) => ({
    post_id: postId,
    author_urn: authorUrn,
    body,
    lease_token: leaseToken,
    image_url: imageUrl,
    image_urn: imageUrn,
  }));
  return sql<AttemptInput>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<'given'>(
    sql`given (post_id uuid, author_urn text, body text, lease_token bigint, image_url text, image_urn text)`,
  );
}

const hasItsLease = (now: Instant) => sql<boolean>`case when given.lease_token is null then ${isFree(now)}
  else post_schedules.lease_token = given.lease_token
    and post_schedules.lease_until > ${after(now, LEASE_LEFT_MS)} end`;

const WRITTEN = [
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

export const nextAttempt = (postId: RawBuilder<unknown>) =>
  sql<number>`(select coalesce(max(attempt), 0) + 1 from publish_attempts where post_id = ${postId})`;

/** An attempt of many that were written together, and what its call needs. */
export type StartedAttempt = { attempt: Attempt; access: Access };

type Look = {
  begun: StartedAttempt[];
  /** Whose posts are left to a later look: something of theirs is being changed, or was. */
  busy: string[];
};

/**
 * Takes up to `most` due posts that go together and writes the attempts at them, see `writeAttempts`, in one
 * transaction that waits for nobody's lock but that of the publishing switch. What belongs to `notOf` is left.
 */
export async function beginBatch(
  db: Db,
  most: number,
  notOf: string[],
  known: DatabaseIdentity,
): Promise<Look> {
  return transact(db, async (trx) => {
    await shareSwitch(trx);
    const now = await databaseTime(trx);
    const due = await lockDueBatch(trx, most, notOf, now);
    if (due.length === 0) return { begun: [], busy: [] };
    const userIds = [...new Set(due.map(({ userId }) => userId))];
    const [free, accesses] = [await shareUsers(trx, userIds), await findUsableAccess(trx, userIds, now)];
    const unreadable = due.filter(({ userId }) => !accesses.has(userId));
    await enqueueSingly(
      trx,
      unreadable.map(({ id }) => id),
      now,
    );
    const wanted = due.flatMap(({ id: postId, userId, content, hashtags }): AttemptInput[] => {
      const access = free.has(userId) ? accesses.get(userId) : undefined;
      if (!access) return [];
      const body = commentaryOf(content, hashtags);
      return [
        { postId, authorUrn: access.authorUrn, body, leaseToken: null, imageUrl: null, imageUrn: null },
      ];
    });
    const attempts = await writeAttempts(trx, wanted, known, databaseClock);
    const begun = attempts.map((attempt) => ({
      attempt,
      access: accesses.get(attempt.userId)!,
    }));
    const sent = new Set(attempts.map(({ postId }) => postId));
    // What is refused for everybody's sake is nobody's own: it is looked at again as a whole.
    const refused =
      sent.size > 0
        ? sent
        : await listRefused(
            trx,
            due.map(({ id }) => id),
            now,
          );
    const isLeft = ({ id, userId }: (typeof due)[number]) =>
      !sent.has(id) && (sent.size > 0 || refused.has(id) || !free.has(userId));
    return { begun, busy: due.filter(isLeft).map(({ userId }) => userId) };
  });
}

export type Result = {
  state: AttemptState;
  /** What its state does not say by itself. */
  explanation?: string;
  httpStatus?: number | null;
  networkUrn?: string | null;
  /** Something is still to be done about it. */
  isOpen?: boolean;
  /** The network has said so itself. */
  isAnswer?: boolean;
  trace?: Trace;
};

/** Attempts of which nobody knows yet what became, and those of which we said so to their owner. */
const UNSETTLED: AttemptState[] = ['sending', 'unknown'];
const GUESSED: AttemptState[] = [...UNSETTLED, 'held'];

/**
 * Writes what became of an attempt. False when it has been settled already. An answer of the network also
 * settles one that was handed to its owner: what is known beats a guess, however late it comes.
 */
export async function closeAttempt(trx: Trx, attemptId: string, result: Result, now: Date): Promise<boolean> {
  const { state, explanation = null, httpStatus, networkUrn, isOpen, isAnswer, trace } = result;
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
    .where('state', 'in', isAnswer ? GUESSED : UNSETTLED)
    .$if(!isAnswer, (query) => query.where('resolvedAt', 'is', null))
    .returning(['userId', 'postId'])
    .executeTakeFirst();
  if (closed) emitEvent('publish_outcome', { ...closed, attemptId, state }, trx);
  return closed !== undefined;
}
