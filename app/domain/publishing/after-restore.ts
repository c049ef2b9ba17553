import { type Db, transact } from '#app/db/client.ts';
import { eachAlone } from '#app/domain/each-alone.ts';
import { lockPost, markFailed } from '#app/domain/posts/rows.ts';
import { leaveQueue, listOverdue } from '#app/domain/queue/deliveries.ts';
import { UNCONFIRMED } from './explain.ts';
import { tellUnconfirmed } from './mails.ts';

/**
 * After a restore nobody knows which of the posts that were due is on LinkedIn already: each is handed to its
 * owner, who looks and decides. Answers how many.
 */
export async function askOwners(db: Db, now: Date): Promise<number> {
  const overdue = await listOverdue(db, now);
  await eachAlone(overdue, ({ postId }) =>
    transact(db, async (trx) => {
      const post = await lockPost(trx, postId);
      if (post?.status !== 'generated') return;
      await markFailed(trx, postId, UNCONFIRMED, true);
      await leaveQueue(trx, postId);
      await tellUnconfirmed(trx, post, `restore:${postId}`);
    }),
  );
  return overdue.length;
}
