import { type Db, type Trx, transact } from '#app/db/client.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { mailUnconfirmed } from '#app/domain/publishing/mails.ts';
import { holdForOwner, UNCONFIRMED_REASON } from '#app/domain/publishing/outcome/settle.ts';
import { closeAttempt } from '#app/domain/publishing/send/attempt.ts';
import { lockPost, markFailed } from '#app/domain/publishing/state/post-state.ts';
import { listOverdue } from '#app/domain/publishing/state/schedule.ts';

/**
 * Hands the posts that were due to their users, who look on LinkedIn and decide: after a restore it is not known which of
 * them are published already. Pending and held posts are included: they may have been approved or released after the
 * backup. Returns the number of posts.
 */
export async function handToOwners(db: Db, now: Date): Promise<number> {
  let count = 0;
  await forEachSettled(await listOverdue(db, now), ({ postId }) =>
    transact(db, async (trx) => {
      const post = await lockPost(trx, postId);
      if (post?.status !== 'generated' && post?.status !== 'pending') return;
      await closeAttempts(trx, postId, now);
      await markFailed(trx, post, 'unconfirmed');
      await mailUnconfirmed(trx, post, `restore:${postId}`);
      count += 1;
    }),
  );
  return count;
}

export async function holdOpenAttempts(db: Db, now: Date): Promise<void> {
  const open = await db
    .selectFrom('publishAttempts')
    .select(['id', 'postId', 'confirmsId'])
    .where('resolvedAt', 'is', null)
    .execute();
  await forEachSettled(open, ({ id, postId, confirmsId }) =>
    transact(db, async (trx) => {
      await lockPost(trx, postId);
      if (confirmsId) await closeAttempt(trx, id, { state: 'unknown', explanation: UNCONFIRMED_REASON }, now);
      else await holdForOwner(trx, id, postId, now);
    }),
  );
}

/** Ends the confirmation of open attempts. A response that still comes is settled. */
async function closeAttempts(trx: Trx, postId: string, now: Date): Promise<void> {
  const open = await trx
    .selectFrom('publishAttempts')
    .select(['id', 'confirmsId'])
    .where('postId', '=', postId)
    .where('resolvedAt', 'is', null)
    .execute();
  for (const { id, confirmsId } of open) {
    await closeAttempt(
      trx,
      id,
      { state: confirmsId ? 'unknown' : 'held', explanation: UNCONFIRMED_REASON },
      now,
    );
  }
}
