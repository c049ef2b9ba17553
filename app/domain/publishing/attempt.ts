import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { after, databaseClock, type Instant } from '#app/db/clock.ts';
import type { Audience } from '#app/db/tables.ts';
import { isItsTurn, mayGo } from '#app/domain/queue/may-go.ts';
import { commentaryOf } from '#app/integrations/little-text.ts';
import { type Claim, lockQueued, queued } from './claim.ts';
import { isClockRight, isSameDatabase, type Known } from './facts.ts';
import { lockWishes } from './wishes.ts';

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

/** What must be left of a lease when the call begins; longer than the call can take. */
export const LEASE_LEFT_MS = 60_000;

/**
 * Writes the attempt, with the last look at the post in the statement that does so. Only its return value
 * permits a call: `sending` is entered here, by compare-and-set with the lease, and once. `known` is what
 * this process last saw of the database's epoch.
 */
export async function beginAttempt(
  db: Db,
  claim: Claim,
  authorUrn: string,
  known: Known,
  now: Instant = databaseClock,
): Promise<Publication | undefined> {
  return transact(db, async (trx) => {
    await lockWishes(trx, claim.userId);
    const post = await lockQueued(trx, claim.postId);
    if (!post) return undefined;
    return trx
      .insertInto('publications')
      .columns(WRITTEN)
      .expression(
        queued(trx)
          .select(({ ref }) => [
            ref('posts.id').as('postId'),
            ref('posts.userId').as('userId'),
            nextAttempt(post.id).as('attempt'),
            sql<string>`${authorUrn}`.as('authorUrn'),
            sql<string>`${commentaryOf(post.content, post.hashtags)}`.as('body'),
            ref('posts.imageUrn').as('imageUrn'),
            ref('posts.altText').as('altText'),
            ref('posts.visibility').as('visibility'),
            sql<string>`deliveries.lease_token`.as('leaseToken'),
            sql<Date>`${now}::timestamptz`.as('startedAt'),
          ])
          .where('posts.id', '=', post.id)
          .where('deliveries.leaseToken', '=', claim.leaseToken)
          .where('deliveries.leaseUntil', '>', after(now, LEASE_LEFT_MS))
          .where('posts.imageUrl', 'is not distinct from', claim.imageUrl)
          .where('posts.imageUrn', 'is not distinct from', claim.imageUrn)
          .where(isItsTurn(now))
          .where(mayGo(now))
          .where(isSameDatabase(known))
          .where(isClockRight()),
      )
      .returning(COLUMNS)
      .executeTakeFirst();
  });
}

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

export const nextAttempt = (postId: string) =>
  sql<number>`(select coalesce(max(attempt), 0) + 1 from publications where post_id = ${postId}::uuid)`;
