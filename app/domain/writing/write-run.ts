import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { enqueue, jobs } from '#app/domain/jobs.ts';
import { clearFaults, reportFault } from '#app/domain/operator-faults.ts';
import { countOfRun } from '#app/domain/posts/facts.ts';
import { findWritingTopic, type WritingTopic } from '#app/domain/topics/turns.ts';
import { WriterBusy, WriterFault } from '#app/integrations/openai.ts';
import { inTime } from './in-time.ts';
import { askToConnect } from './mails.ts';
import { chooseTopic } from './material.ts';
import { openPlaces, type Place, type RunWithPlaces } from './run-places.ts';
import { storePost, type Usage, type Written, writeChecked } from './write-post.ts';

/**
 * How long a job waits for the writer. A process that stops has to be given more (`kill_timeout` in
 * fly.toml, with the longest job of each lane).
 */
export const WRITE_WITHIN_MS = 150_000;
/** Longer than a job takes, and no longer than a run may lie when its process is killed. */
const LEASE_MS = 180_000;
/** How long a run waits for a writer that cannot answer before it says so. */
const PATIENCE_MS = { scheduled: 3 * 3_600_000, byHand: 5 * 60_000 };
const RETRY_MS = { least: 5_000, most: 10 * 60_000 };
const UNAVAILABLE = 'The writer was not available. We know about it; please try again later';
const BROKEN = 'Something went wrong on our side, so the posts could not be written. Please try again later';

/** `leaseUntil` tells this claim from any later one: a process that was frozen may come back after it. */
type ClaimedRun = RunWithPlaces & { topicId: string | null; createdAt: Date; leaseUntil: Date | null };

/** Takes the run for a while; a second worker, or a second job for it, gets nothing. */
async function claimRun(db: Db, runId: string, now: Date): Promise<ClaimedRun | undefined> {
  return db
    .updateTable('runs')
    .set({ status: 'running', leaseUntil: new Date(now.getTime() + LEASE_MS) })
    .where('id', '=', runId)
    .where('status', '<>', 'complete')
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
    .returning(['id', 'userId', 'topicId', 'scheduledFor', 'createdAt', 'nextPlace', 'leaseUntil'])
    .executeTakeFirst();
}

/**
 * Writes the next post of a run and hands the run on to another job, or ends it after the last one. Safe to
 * run again at any point: each place of a run is dealt with once.
 */
export async function writeRun(
  db: Db,
  runId: string,
  now = new Date(),
  withinMs = WRITE_WITHIN_MS,
): Promise<void> {
  const run = await claimRun(db, runId, now);
  if (!run) return;
  const usage: Usage = { model: null, inputTokens: 0, outputTokens: 0 };
  let isOver: boolean;
  try {
    isOver = await writeNext(db, run, usage, now, withinMs);
  } catch (error) {
    if (error instanceof WriterBusy || error instanceof WriterFault) {
      return waitForWriter(db, run, usage, error, new Date());
    }
    await waitAfterError(db, run, usage, now);
    throw error;
  }
  if (isOver) await askToConnect(db, run.userId);
}

/** Answers whether the run is over. */
async function writeNext(
  db: Db,
  run: ClaimedRun,
  usage: Usage,
  now: Date,
  withinMs: number,
): Promise<boolean> {
  const [place, ...rest] = await openPlaces(db, run, now);
  const topic = place && (await topicFor(db, run, place));
  if (!place || !topic) {
    const error = place ? 'There is no active topic to write about' : null;
    await transact(db, (trx) => finishRun(trx, run, usage, error));
    return true;
  }
  const written = await inTime(withinMs, (signal) => writeChecked(db, run.userId, topic, usage, signal));
  await clearFaults(db, 'writer');
  const isLast = rest.length === 0;
  return transact(db, async (trx) => {
    // Before the run: whoever changes what belongs to a user takes this lock first.
    await lockUser(trx, run.userId);
    if (!(await passPlace(trx, run, place))) return false;
    const error = await storeWritten(trx, run, place, topic, written, now);
    if (error) await recordFailure(trx, run.id, error);
    if (isLast) {
      await finishRun(trx, run, usage, null);
    } else {
      await release(trx, run, usage);
      await enqueue(trx, jobs.writeRun, { runId: run.id });
    }
    return isLast;
  });
}

const topicFor = (db: Db, run: ClaimedRun, place: Place): Promise<WritingTopic | undefined> =>
  run.topicId ? findWritingTopic(db, run.userId, run.topicId) : chooseTopic(db, run.userId, place.slot);

/** False when another worker has dealt with the place meanwhile. */
async function passPlace(trx: Trx, run: ClaimedRun, { index }: Place): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('runs')
    .set({ nextPlace: index + 1 })
    .where('id', '=', run.id)
    .where('status', '=', 'running')
    .where('leaseUntil', '=', run.leaseUntil)
    .where('nextPlace', '=', run.nextPlace)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Answers why there is no post. */
async function storeWritten(
  trx: Trx,
  run: ClaimedRun,
  { index, slot }: Place,
  topic: WritingTopic,
  { draft, problem }: Written,
  now: Date,
): Promise<string | undefined> {
  if (!draft) return `A post about "${topic.name}" was not good enough: ${problem}`;
  const post = { runId: run.id, runIndex: index, userId: run.userId, topicId: topic.id, draft, slot };
  const isStored = await storePost(trx, post, now);
  return isStored ? undefined : 'Its place was taken by another post meanwhile';
}

async function recordFailure(db: Db, runId: string, error: string): Promise<void> {
  await db
    .updateTable('runs')
    .set((eb) => ({ error, failed: eb('failed', '+', 1) }))
    .where('id', '=', runId)
    .execute();
}

/** Adds what the answers cost, whoever has the run by now. */
async function addUsage(db: Db, run: ClaimedRun, usage: Usage): Promise<void> {
  await db
    .updateTable('runs')
    .set((eb) => ({
      done: countOfRun('runs.id'),
      model: usage.model ?? eb.ref('model'),
      inputTokens: eb('inputTokens', '+', usage.inputTokens),
      outputTokens: eb('outputTokens', '+', usage.outputTokens),
    }))
    .where('id', '=', run.id)
    .execute();
}

/** Gives the run back, at once or later, with what its answers cost. False when another worker has it. */
async function release(
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

async function finishRun(db: Db, run: ClaimedRun, usage: Usage, error: string | null): Promise<void> {
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

/** How old a run may get before it ends without its posts. */
const patienceFor = ({ scheduledFor }: ClaimedRun) =>
  scheduledFor ? PATIENCE_MS.scheduled : PATIENCE_MS.byHand;

/** An error of ours: the sweep tries again, less and less often, and each try may cost money. */
async function waitAfterError(db: Db, run: ClaimedRun, usage: Usage, now: Date): Promise<void> {
  const age = now.getTime() - run.createdAt.getTime();
  if (age >= patienceFor(run)) return finishRun(db, run, usage, BROKEN);
  const wait = Math.min(Math.max(RETRY_MS.least, age), RETRY_MS.most);
  await release(db, run, usage, new Date(now.getTime() + wait));
}

/** Tries again later while there is time, then ends the run with a sentence that blames nobody's topic. */
async function waitForWriter(
  db: Db,
  run: ClaimedRun,
  usage: Usage,
  error: WriterBusy | WriterFault,
  now: Date,
): Promise<void> {
  const isFault = error instanceof WriterFault;
  if (isFault) await reportFault(db, 'writer', error.message, now);
  const age = now.getTime() - run.createdAt.getTime();
  const asked = isFault ? RETRY_MS.most : (error.retryAfterSeconds ?? 0) * 1_000;
  if (age + asked >= patienceFor(run)) return finishRun(db, run, usage, UNAVAILABLE);
  const wait = Math.min(Math.max(asked, RETRY_MS.least, age), Math.max(RETRY_MS.most, asked));
  if (!(await release(db, run, usage))) return;
  await enqueue(db, jobs.writeRun, { runId: run.id }, new Date(now.getTime() + wait));
}
