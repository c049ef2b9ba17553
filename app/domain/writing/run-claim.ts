import type { Db, Trx } from '#app/db/client.ts';
import { countOfRun } from '#app/domain/posts/facts.ts';
import type { Place, RunWithPlaces } from './run-places.ts';
import type { Tries, Usage } from './write-checked.ts';

/** Longer than a job takes, and no longer than a run may lie when its process is killed. */
const LEASE_MS = 180_000;

/** `leaseUntil` tells this claim from any later one: a process that was frozen may come back after it. */
export type ClaimedRun = RunWithPlaces &
  Tries & { topicId: string | null; createdAt: Date } & {
    /** The post that is written again. */
    postId: string | null;
    instruction: string | null;
    postRevision: number | null;
  };

const CLAIMED = [
  'id',
  'userId',
  'topicId',
  'scheduledFor',
  'createdAt',
  'nextPlace',
  'answers',
  'rejections',
  'complaints',
  'rejected',
  'leaseUntil',
  'slotDate',
  'slotNumber',
  'postId',
  'instruction',
  'postRevision',
] as const;

/** Takes the run for a while; a second worker, or a second job for it, gets nothing. */
export async function claimRun(db: Db, runId: string, now: Date): Promise<ClaimedRun | undefined> {
  return db
    .updateTable('runs')
    .set({ status: 'running', leaseUntil: new Date(now.getTime() + LEASE_MS) })
    .where('id', '=', runId)
    .where('status', '<>', 'complete')
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
    .returning(CLAIMED)
    .executeTakeFirst();
}

/** False when another worker has dealt with the place meanwhile. */
export async function passPlace(trx: Trx, run: ClaimedRun, { index }: Place): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('runs')
    .set({ nextPlace: index + 1, answers: 0, rejections: [], complaints: [], rejected: null })
    .where('id', '=', run.id)
    .where('status', '=', 'running')
    .where('leaseUntil', '=', run.leaseUntil)
    .where('nextPlace', '=', run.nextPlace)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Keeps what the writer was asked for the place, for the job that goes on with it. */
export async function keepTries(
  db: Db,
  run: ClaimedRun,
  { answers, rejections, complaints, rejected }: Tries,
): Promise<void> {
  await db
    .updateTable('runs')
    .set({ answers, rejections, complaints, rejected })
    .where('id', '=', run.id)
    .where('leaseUntil', '=', run.leaseUntil)
    .execute();
}

/** The slot that the run was to fill was taken or past, and its post goes out then instead. */
export async function recordInstead(db: Db, runId: string, insteadAt: Date): Promise<void> {
  await db.updateTable('runs').set({ insteadAt }).where('id', '=', runId).execute();
}

/** The post that was written again has its new text. */
export async function recordRewritten(db: Db, runId: string): Promise<void> {
  await db.updateTable('runs').set({ done: 1 }).where('id', '=', runId).execute();
}

export async function recordFailure(db: Db, runId: string, error: string, posts = 1): Promise<void> {
  await db
    .updateTable('runs')
    .set((eb) => ({ error, failed: eb('failed', '+', posts) }))
    .where('id', '=', runId)
    .execute();
}

/** Adds what the answers cost, whoever has the run by now. */
async function addUsage(db: Db, run: ClaimedRun, usage: Usage): Promise<void> {
  await db
    .updateTable('runs')
    .set((eb) => ({
      // A post that was written again is none of the run's own.
      done: eb.case().when('postId', 'is', null).then(countOfRun('runs.id')).else(eb.ref('done')).end(),
      model: usage.model ?? eb.ref('model'),
      inputTokens: eb('inputTokens', '+', usage.inputTokens),
      outputTokens: eb('outputTokens', '+', usage.outputTokens),
    }))
    .where('id', '=', run.id)
    .execute();
}

/** Gives the run back, at once or later, with what its answers cost. False when another worker has it. */
export async function release(
  db: Db,
  run: ClaimedRun,
  usage: Usage,
  leaseUntil: Date | null = null,
): Promise<boolean> {
  await addUsage(db, run, usage);
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set({ leaseUntil })
    .where('id', '=', run.id)
    .where('leaseUntil', '=', run.leaseUntil)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function finishRun(db: Db, run: ClaimedRun, usage: Usage, error: string | null): Promise<void> {
  await addUsage(db, run, usage);
  await db
    .updateTable('runs')
    .set((eb) => ({
      status: 'complete',
      finishedAt: new Date(),
      failed: eb('requested', '-', eb.ref('done')),
      error: error ?? eb.ref('error'),
      leaseUntil: null,
    }))
    .where('id', '=', run.id)
    .where('leaseUntil', '=', run.leaseUntil)
    .execute();
}
