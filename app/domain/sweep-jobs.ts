import type { Db } from '#app/db/client.ts';
import { enqueueAll, jobs } from './jobs.ts';

const FORGOTTEN_MS = 2 * 60_000;
const BATCH = 500;

/**
 * Adds the jobs of rows that are still waiting: a killed worker leaves its jobs locked for hours, and
 * nothing may depend on that lock. A job that waits already keeps its time.
 */
export async function sweepJobs(db: Db, now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - FORGOTTEN_MS);
  const mails = await db
    .selectFrom('mails')
    .select('id')
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(BATCH)
    .execute();
  await enqueueAll(
    db,
    jobs.sendMail,
    mails.map(({ id }) => ({ mailId: id })),
  );
  const runs = await db
    .selectFrom('runs')
    .select('id')
    .where('status', '<>', 'complete')
    .where('createdAt', '<', before)
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
