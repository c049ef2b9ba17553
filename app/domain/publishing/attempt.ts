import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
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

const COLUMNS = [
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

const nextAttempt = (postId: string) =>
  sql<number>`(select coalesce(max(attempt), 0) + 1 from publications where post_id = ${postId}::uuid)`;

/** A resend can be what publishes the post, so nothing of it goes out after its owner has paused. */
async function isWanted(trx: Trx, postId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('deliveries')
    .leftJoin('automationSettings', 'automationSettings.userId', 'deliveries.userId')
    .select(['isByHand', 'isEnabled'])
    .where('postId', '=', postId)
    .executeTakeFirst();
  return row !== undefined && (row.isByHand || row.isEnabled === true);
}

/**
 * Writes the one resend that may confirm an unknown attempt: the same text to the letter, no picture,
 * inside the window. Undefined when it is no longer to be done or another worker does it.
 */
export async function beginConfirmation(
  db: Db,
  publicationId: string,
  window: { from: Date; to: Date },
  now: Date,
): Promise<Publication | undefined> {
  return transact(db, async (trx) => {
    // The post first, as everywhere: two who lock in different orders wait for each other for ever.
    await sql`select from posts where id = (select post_id from publications where id = ${publicationId}::uuid)
      for update`.execute(trx);
    const unknown = await trx
      .selectFrom('publications')
      .select([...COLUMNS, 'leaseToken'])
      .where('id', '=', publicationId)
      .where('state', '=', 'unknown')
      .where('resolvedAt', 'is', null)
      .where('imageUrn', 'is', null)
      .where('startedAt', '>=', window.from)
      .where('startedAt', '<=', window.to)
      .forUpdate()
      .executeTakeFirst();
    if (!unknown || !(await isWanted(trx, unknown.postId))) return undefined;
    const { postId, userId, authorUrn, body, leaseToken } = unknown;
    return trx
      .insertInto('publications')
      .values({
        ...{ postId, userId, authorUrn, body, leaseToken },
        attempt: nextAttempt(postId),
        confirmsId: unknown.id,
        startedAt: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(COLUMNS)
      .executeTakeFirst();
  });
}
