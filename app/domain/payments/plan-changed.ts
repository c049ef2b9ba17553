import type { Trx } from '#app/db/client.ts';
import { enqueue, jobs } from '#app/domain/jobs.ts';

/**
 * Called in the transaction in which a user's plan begins, changes or ends. The queue is fitted to it by a
 * job, because automation asks the plans and not the other way round.
 */
export async function planChanged(trx: Trx, userId: string): Promise<void> {
  await enqueue(trx, jobs.refitQueue, { userId });
}
