import type { Db } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';

const STALLED_AFTER_MS = 2 * 60_000;
const BATCH = 500;

/**
 * Enqueues the unfinished runs without a lease: a killed worker leaves its jobs locked for hours. A job that is waiting
 * keeps its time.
 */
export async function resumeRuns(db: Db, now = new Date()): Promise<void> {
  const runs = await db
    .selectFrom('generationRuns')
    .select('id')
    .where('status', '<>', 'complete')
    .where('createdAt', '<', new Date(now.getTime() - STALLED_AFTER_MS))
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
