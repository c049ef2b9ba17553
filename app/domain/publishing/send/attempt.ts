import { type RawBuilder, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { after, databaseClock, type Instant } from '#app/db/clock.ts';
import type { Audience } from '#app/db/tables.ts';
import { isMember } from '#app/domain/linkedin/predicates.ts';
import { type DatabaseIdentity, isClockRight, isSameDatabase } from '#app/domain/publishing/predicates.ts';
import { isEligible, isFree, isItsTurn } from '#app/domain/queue/eligibility.ts';
import { LEASE_LEFT_MS } from '#app/domain/queue/timings.ts';
import { commentaryOf } from '#app/integrations/linkedin/little-text.ts';
import { type Claim, lockQueued, queued } from './claim.ts';
import { lockOwnerAndSwitch } from './locks.ts';

export type Publication = {
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
export type Sent = Publication & { tokenSealed?: string };

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
): Promise<Publication | undefined> {
  return transact(db, async (trx) => {
    await lockOwnerAndSwitch(trx, claim.userId);
    const post = await lockQueued(trx, claim.postId);
    if (!post) return undefined;
    const { postId, leaseToken, imageUrl, imageUrn } = claim;
    const body = commentaryOf(post.content, post.hashtags);
    const wanted = { postId, authorUrn, body, leaseToken, imageUrl, imageUrn };
    const [publication] = await writeAttempts(trx, [wanted], known, now);
    return publication;
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
): Promise<Publication[]> {
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
