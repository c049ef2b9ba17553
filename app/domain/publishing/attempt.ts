import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { commentaryOf } from '#app/integrations/little-text.ts';
import { type Claim, lockClaimed } from './claim.ts';

export type Publication = {
  id: string;
  postId: string;
  userId: string;
  confirmsId: string | null;
  authorUrn: string;
  body: string;
  imageUrn: string | null;
  altText: string | null;
  startedAt: Date;
};

export const COLUMNS = [
  'id',
  'postId',
  'userId',
  'confirmsId',
  'authorUrn',
  'body',
  'imageUrn',
  'altText',
  'startedAt',
] as const;

/**
 * Writes the attempt, in one transaction with the last look at the post. Only its return value permits a
 * call: `sending` is entered here, by compare-and-set with the lease, and once.
 */
export async function beginAttempt(
  db: Db,
  claim: Claim,
  authorUrn: string,
  now: Date,
): Promise<Publication | undefined> {
  return transact(db, async (trx) => {
    const post = await lockClaimed(trx, claim, now);
    if (!post) return undefined;
    return trx
      .insertInto('publications')
      .values((eb) => ({
        postId: post.id,
        userId: post.userId,
        attempt: nextAttempt(post.id),
        authorUrn,
        body: commentaryOf(post.content, post.hashtags),
        imageUrn: post.imageUrn,
        altText: post.altText,
        leaseToken: claim.leaseToken,
        startedAt: eb.val(now),
      }))
      .returning(COLUMNS)
      .executeTakeFirst();
  });
}

export const nextAttempt = (postId: string) =>
  sql<number>`(select coalesce(max(attempt), 0) + 1 from publications where post_id = ${postId}::uuid)`;
