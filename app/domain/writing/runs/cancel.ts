import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { countStopped } from './call-accounting.ts';
import { listOtherRuns, over } from './claim.ts';
import { findRun } from './start.ts';

const STOPPED = 'You stopped it';

/** `postId`: the post that it was to write again. `isStopped`: by its user, now or before; otherwise it was over. */
type Cancelled = { postId: string | null; isStopped: boolean };

/**
 * Ends a run of the actor. What it has written stays; what is being written is given up, and counts when the writer is
 * being asked for it. One that is over stays as it is.
 */
export async function cancelRun(db: Db, actor: Actor, runId: string, now = new Date()): Promise<Cancelled> {
  const { id, postId } = await findRun(db, actor, runId);
  return transact(db, async (trx) => {
    // Whoever stores a post of it takes this lock first.
    await lockUser(trx, actor.userId);
    await countStopped(trx, id, now);
    await trx
      .updateTable('generationRuns')
      .set(over(STOPPED))
      .where('id', '=', id)
      .where('status', '<>', 'complete')
      .execute();
    await enqueueAll(trx, jobs.writeRun, await listOtherRuns(trx, actor));
    const { error } = await findRun(trx, actor, id);
    return { postId, isStopped: error === STOPPED };
  });
}

/** Ends all that is being written for a user, under their lock. */
export async function stopRunsOf(trx: Trx, userId: string, now: Date): Promise<void> {
  const runs = await trx
    .selectFrom('generationRuns')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '<>', 'complete')
    .execute();
  for (const { id } of runs) {
    await countStopped(trx, id, now);
    await trx.updateTable('generationRuns').set(over(STOPPED)).where('id', '=', id).execute();
  }
}
