import type { Db } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';

const FORGOTTEN_MS = 2 * 60_000;
const BATCH = 500;

/**
 * Adds the jobs of runs that nobody is writing: a killed worker leaves its jobs locked for hours, and
 * nothing may depend on that lock. A job that waits already keeps its time.
 */
export async function resumeRuns(db: Db, now = new Date()): Promise<void> {
  const runs = await db
    .selectFrom('generationRuns')
    .select('id')
    .where('status', '<>', 'complete')
    .where('createdAt', '<', new Date(now.getTime() - FORGOTTEN_MS))
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
    .orderBy('createdAt')
    .limit(BATCH)
    .execute();
  await enqueueAll(
    db,
    jobs.writeRun,
    runs.map(({ id }) => ({ runId: id })),
  );
}
