import { type Db, type Trx, transact } from '#app/db/client.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { mailUnconfirmed } from '#app/domain/publishing/mails.ts';
import { UNCONFIRMED } from '#app/domain/publishing/outcome/explain.ts';
import { closeAttempt, holdForOwner } from '#app/domain/publishing/outcome/outcome.ts';
import { lockPost, markFailed } from '#app/domain/queue/post-state.ts';
import { listOverdue } from '#app/domain/queue/schedule.ts';

/**
 * After a restore nobody knows which of the posts that were due is on LinkedIn already: each is handed to its
 * owner, who looks and decides, with the attempts that were under way. What waited for approval may have been
 * approved after the backup, and what was held may have been let go. Answers of how many an owner was asked.
 */
export async function askOwners(db: Db, now: Date): Promise<number> {
  let asked = 0;
  await forEachSettled(await listOverdue(db, now), ({ postId }) =>
    transact(db, async (trx) => {
      const post = await lockPost(trx, postId);
      if (post?.status !== 'generated' && post?.status !== 'pending') return;
      await closeAttempts(trx, postId, now);
      await markFailed(trx, post, 'unconfirmed');
      await mailUnconfirmed(trx, post, `restore:${postId}`);
      asked += 1;
    }),
  );
  return asked;
}

/** As `askOwners`, of what was under way alone, whenever it was due. */
export async function holdOpen(db: Db, now: Date): Promise<void> {
  const open = await db
    .selectFrom('publishAttempts')
    .select(['id', 'postId', 'confirmsId'])
    .where('resolvedAt', 'is', null)
    .execute();
  await forEachSettled(open, ({ id, postId, confirmsId }) =>
    transact(db, async (trx) => {
      await lockPost(trx, postId);
      if (confirmsId) await closeAttempt(trx, id, { state: 'unknown', explanation: UNCONFIRMED }, now);
      else await holdForOwner(trx, id, postId, now);
    }),
  );
}

/** Nothing finds out any more what became of them; an answer that comes all the same still counts. */
async function closeAttempts(trx: Trx, postId: string, now: Date): Promise<void> {
  const open = await trx
    .selectFrom('publishAttempts')
    .select(['id', 'confirmsId'])
    .where('postId', '=', postId)
    .where('resolvedAt', 'is', null)
    .execute();
  for (const { id, confirmsId } of open) {
    await closeAttempt(trx, id, { state: confirmsId ? 'unknown' : 'held', explanation: UNCONFIRMED }, now);
  }
}
