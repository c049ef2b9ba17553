import type { Db } from '#app/db/client.ts';
import { writeRun } from '#app/domain/writing/write-run.ts';

/** Writes a run as the worker does, job after job, until it is complete or waits. */
export async function writeWhole(db: Db, runId: string, now = new Date()): Promise<void> {
  const look = () =>
    db.selectFrom('runs').select(['status', 'nextPlace']).where('id', '=', runId).executeTakeFirstOrThrow();
  for (;;) {
    const { nextPlace: before } = await look();
    await writeRun(db, runId, now);
    const { status, nextPlace } = await look();
    if (status === 'complete' || nextPlace === before) return;
  }
}
