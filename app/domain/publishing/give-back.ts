import { type Db, transact } from '#app/db/client.ts';
import { enqueue, jobs } from '#app/domain/jobs.ts';
import { markConnectionExpired } from '#app/domain/linkedin/connection.ts';
import type { Claim } from './claim.ts';
import { tellFailed } from './mails.ts';

const PICTURE_AGAIN_MS = 60_000;

/** Ways to end a claim before anything was sent. Each changes nothing when the claim is no longer ours. */

/** `usedAt` is when the token was read that LinkedIn does not take: a connection made after that stays. */
export async function holdForConnection(db: Db, claim: Claim, now: Date, usedAt = now): Promise<void> {
  await transact(db, async (trx) => {
    await trx
      .updateTable('deliveries')
      .set({ heldAt: now, leaseToken: null, leaseUntil: null, enqueuedAt: null })
      .where('postId', '=', claim.postId)
      .where('leaseToken', '=', claim.leaseToken)
      .execute();
    await markConnectionExpired(trx, claim.userId, now, usedAt);
  });
}

export async function failUnsent(db: Db, claim: Claim, reason: string): Promise<void> {
  await transact(db, async (trx) => {
    // The post before its delivery, as everywhere.
    await trx.selectFrom('posts').select('id').where('id', '=', claim.postId).forUpdate().execute();
    const gone = await trx
      .deleteFrom('deliveries')
      .where('postId', '=', claim.postId)
      .where('leaseToken', '=', claim.leaseToken)
      .returning('postId')
      .executeTakeFirst();
    if (!gone) return;
    const post = await trx
      .updateTable('posts')
      .set({ status: 'failed', reason })
      .where('id', '=', claim.postId)
      .returning(['id', 'userId', 'content'])
      .executeTakeFirstOrThrow();
    await tellFailed(trx, post, reason, `failed:${claim.postId}:${claim.leaseToken}`);
  });
}

export async function postponeUnsent(db: Db, claim: Claim, now: Date): Promise<void> {
  const at = new Date(now.getTime() + PICTURE_AGAIN_MS);
  await transact(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('deliveries')
      .set({ notBefore: at, leaseToken: null, leaseUntil: null, enqueuedAt: at })
      .where('postId', '=', claim.postId)
      .where('leaseToken', '=', claim.leaseToken)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await enqueue(trx, jobs.publishPost, { postId: claim.postId }, at);
  });
}
