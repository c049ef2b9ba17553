import { type Db, transact } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { mailConnectLinkedIn } from '#app/domain/writing/mails.ts';
import { refundOpenItems } from './call-accounting.ts';
import { type ClaimedRun, finishRun, listWaitingRuns } from './claim.ts';

const BATCH = 500;

/** Deletes some runs of a user with their attempts. Returns the number of deleted runs. */
export async function eraseRuns(db: Db, userId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('generationRuns')
    .where('id', 'in', (eb) =>
      eb.selectFrom('generationRuns').select('id').where('userId', '=', userId).limit(BATCH),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

type RunEnd = {
  error: string | null;
  /** The user is not responsible, so unwritten posts do not count against the quota. */
  isOurs?: boolean;
};

/** Ends a run while its claim is valid, and enqueues the waiting runs of the user. */
export async function endRun(db: Db, run: ClaimedRun, { error, isOurs = false }: RunEnd): Promise<void> {
  await transact(db, async (trx) => {
    if (!(await finishRun(trx, run, error))) return;
    if (isOurs) await refundOpenItems(trx, run.id);
    await mailConnectLinkedIn(trx, run.userId);
    await enqueueAll(trx, jobs.writeRun, await listWaitingRuns(trx, run));
  });
}
