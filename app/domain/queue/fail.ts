import type { Trx } from '#app/db/client.ts';
import { markFailed } from '#app/domain/posts/rows.ts';
import { leaveQueue } from './deliveries.ts';
import { type ToldPost, tellFailed } from './mails.ts';

type Failure = {
  reason: string;
  /** Of the mail to its owner. */
  dedupeKey: string;
  /** What the mail says about LinkedIn; that it is not there when left out. */
  isOnLinkedIn?: string;
};

/** The post fails with a reason its owner can read, leaves the queue, and its owner is mailed. */
export async function failPost(trx: Trx, post: ToldPost, failure: Failure): Promise<void> {
  const { reason, dedupeKey, isOnLinkedIn } = failure;
  await markFailed(trx, post.id, reason);
  await leaveQueue(trx, post.id);
  await tellFailed(trx, post, reason, dedupeKey, isOnLinkedIn);
}
