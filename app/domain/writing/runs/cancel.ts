import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { countStoppedCalls } from './call-accounting.ts';
import { completion, listWaitingRuns } from './claim.ts';
import { findRun } from './start.ts';

const STOPPED = 'You stopped it';

/** `postId`: the post that the run was to rewrite. `isStopped`: false when the run had completed before. */
type CancelResult = { postId: string | null; isStopped: boolean };

/**
 * Ends a run of the actor, unless it is complete. Its posts stay. A post that is being written is dropped, and counts
 * against the quota when a call of the writer is in progress.
 */
export async function cancelRun(
  db: Db,
  actor: Actor,
  runId: string,
  now = new Date(),
): Promise<CancelResult> {
  const { id, postId } = await findRun(db, actor, runId);
  return transact(db, async (trx) => {
    // Storing a post takes this lock first.
    await lockUser(trx, actor.userId);
    await countStoppedCalls(trx, id, now);
    await trx
      .updateTable('generationRuns')
      .set(completion(STOPPED))
      .where('id', '=', id)
      .where('status', '<>', 'complete')
      .execute();
    await enqueueAll(trx, jobs.writeRun, await listWaitingRuns(trx, actor));
    const { error } = await findRun(trx, actor, id);
    return { postId, isStopped: error === STOPPED };
  });
}

/** Ends all runs of a user. The caller holds the lock of the user. */
export async function stopRunsOf(trx: Trx, userId: string, now: Date): Promise<void> {
  const runs = await trx
    .selectFrom('generationRuns')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '<>', 'complete')
    .execute();
  for (const { id } of runs) {
    await countStoppedCalls(trx, id, now);
    await trx.updateTable('generationRuns').set(completion(STOPPED)).where('id', '=', id).execute();
  }
}
