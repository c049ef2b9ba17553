import { type Db, transact } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { mailConnectLinkedIn } from '#app/domain/writing/mails.ts';
import { freeOpenPlaces } from './call-accounting.ts';
import { type ClaimedRun, finishRun, listOtherRuns } from './claim.ts';

const BATCH = 500;

/** Deletes some runs of a user, with their places. Answers how many. */
export async function eraseRuns(db: Db, userId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('generationRuns')
    .where('id', 'in', (eb) =>
      eb.selectFrom('generationRuns').select('id').where('userId', '=', userId).limit(BATCH),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

type Why = {
  /** Why something is missing. */
  error: string | null;
  /** That is no fault of its user: what was not written then is free again. */
  isOurs?: boolean;
};

/** Ends a run, unless somebody else has it by now; its user's other runs have their turn. */
export async function endRun(db: Db, run: ClaimedRun, { error, isOurs = false }: Why): Promise<void> {
  await transact(db, async (trx) => {
    if (!(await finishRun(trx, run, error))) return;
    if (isOurs) await freeOpenPlaces(trx, run.id);
    await mailConnectLinkedIn(trx, run.userId);
    await enqueueAll(trx, jobs.writeRun, await listOtherRuns(trx, run));
  });
}
