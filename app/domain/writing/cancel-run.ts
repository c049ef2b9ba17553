import { type Db, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { enqueueAll, jobs } from '#app/domain/jobs.ts';
import { countStopped } from './place-calls.ts';
import { listOtherRuns, over } from './run-claim.ts';
import { findRun } from './start-run.ts';

const STOPPED = 'You stopped it';

/**
 * Ends a run of the actor. What it has written stays; what is being written is given up, and counts when the writer is
 * being asked for it. One that is over stays as it is. Answers the post that it was to write again.
 */
export async function cancelRun(
  db: Db,
  actor: Actor,
  runId: string,
  now = new Date(),
): Promise<string | null> {
  const { id, postId } = await findRun(db, actor, runId);
  await transact(db, async (trx) => {
    // Whoever stores a post of it takes this lock first.
    await lockUser(trx, actor.userId);
    await countStopped(trx, id, now);
    await trx
      .updateTable('runs')
      .set(over(STOPPED))
      .where('id', '=', id)
      .where('status', '<>', 'complete')
      .execute();
    await enqueueAll(trx, jobs.writeRun, await listOtherRuns(trx, actor));
  });
  return postId;
}
