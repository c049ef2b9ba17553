import { type Db, isDatabaseUnavailable, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { retryWhenAvailable } from '#app/db/retry-when-available.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { reportFault } from '#app/domain/platform/operator-alerts.ts';
import { whyNoTurn } from '#app/domain/topics/turns.ts';
import { Cancelled } from '#app/domain/writing/generate/timeout.ts';
import { rewriteOne } from '#app/domain/writing/rewrite/rewrite-run.ts';
import { CeilingReached, ServiceCeilingReached } from '#app/domain/writing/usage-limits.ts';
import { WriterBusy, WriterFault } from '#app/integrations/openai/errors.ts';
import { endPlace } from './attempts.ts';
import { type ClaimedRun, claimRun, recordFailure, release } from './claim.ts';
import { endRun } from './end.ts';
import { planPlaces } from './plan-slots.ts';
import { openSlots, type Place, SIDE_BY_SIDE } from './run-slots.ts';
import { type Clock, writePlace } from './write-slot.ts';

/**
 * How long a job waits for the writer. A process that stops has to be given more (`kill_timeout` in
 * fly.toml, with the longest job of each lane).
 */
export const WRITE_WITHIN_MS = 150_000;
/** How long a run waits for a writer that cannot answer before it says so. */
const PATIENCE_MS = { scheduled: 3 * 3_600_000, byHand: 5 * 60_000 };
const RETRY_MS = { least: 5_000, most: 10 * 60_000 };
const UNAVAILABLE = 'The writer was not available. We know about it; please try again later';
const TOO_LATE = 'Its time had passed before it could be written';
const TOPIC_GONE = 'Its topic was deleted before it could be written';
const BROKEN = 'Something went wrong on our side, so the posts could not be written. Please try again later';

/** What goes on from a moment as time does. */
function clockFrom(now: Date): Clock {
  const began = performance.now();
  return () => new Date(now.getTime() + performance.now() - began);
}

/**
 * Writes the next posts of a run side by side and hands the run on to another job, or ends it after the last ones.
 * Safe to run again at any point: each place of a run is dealt with once.
 */
export async function writeRun(
  db: Db,
  runId: string,
  now = new Date(),
  withinMs = WRITE_WITHIN_MS,
): Promise<void> {
  const run = await claimRun(db, runId, now);
  if (!run) return;
  try {
    const work = { clock: clockFrom(now), withinMs };
    if (run.postId) await rewriteOne(db, { ...run, postId: run.postId }, work);
    else await writeNext(db, run, work);
  } catch (error) {
    if (error instanceof Cancelled) return;
    if (error instanceof WriterBusy || error instanceof WriterFault) {
      return retryWhenAvailable(async () => waitForWriter(db, run, error, await databaseTime(db)));
    }
    if (isDatabaseUnavailable(error)) {
      return retryWhenAvailable(async () =>
        waitAfterError(db, run, await databaseTime(db), { hasJob: true }),
      );
    }
    await waitAfterError(db, run, now);
    throw error;
  }
}

async function writeNext(db: Db, run: ClaimedRun, work: { clock: Clock; withinMs: number }): Promise<void> {
  const { open, passed } = await openSlots(db, run, work.clock());
  await passLate(db, run, passed, work.clock());
  const plans = await planPlaces(db, run, open.slice(0, SIDE_BY_SIDE), work.clock());
  if (plans.length === 0) {
    const late = passed.length > 0 ? TOO_LATE : null;
    return endRun(db, run, { error: open.length > 0 ? await whyNothing(db, run) : late });
  }
  const written = await Promise.allSettled(plans.map((plan) => writePlace(db, run, plan, work)));
  const failures = written.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  // What the operator has to mend is no matter of waiting.
  const worst = failures.find((error) => error instanceof WriterFault) ?? failures[0];
  if (worst) throw worst;
  if (open.length <= plans.length) return endRun(db, run, { error: null });
  await handOn(db, run);
}

/** Leaves the run to another job, at once or later. */
const handOn = (db: Db, run: ClaimedRun, at?: Date): Promise<void> =>
  transact(db, async (trx) => {
    if (await release(trx, run)) await enqueue(trx, jobs.writeRun, { runId: run.id }, at);
  });

/** Why there is no topic to write about. */
const whyNothing = async (db: Db, { userId, isForTopic }: ClaimedRun) =>
  isForTopic ? TOPIC_GONE : whyNoTurn(db, userId);

/** Places whose time has passed count as not written, once. */
async function passLate(db: Db, run: ClaimedRun, passed: Place[], at: Date): Promise<void> {
  if (passed.length === 0) return;
  await transact(db, async (trx) => {
    await lockUser(trx, run.userId);
    for (const { index } of passed) {
      if (await endPlace(trx, run, index, at)) await recordFailure(trx, run, TOO_LATE);
    }
  });
}

/** How old a run may get before it ends without its posts. */
const patienceFor = ({ scheduledFor }: ClaimedRun) =>
  scheduledFor ? PATIENCE_MS.scheduled : PATIENCE_MS.byHand;

/** Since when it is tried, in milliseconds. */
const ageOf = ({ claimedAt, createdAt }: ClaimedRun, now: Date) =>
  now.getTime() - (claimedAt ?? createdAt).getTime();

/**
 * An error of ours: it is tried again less and less often, since each try may cost money; by the sweep, where nobody knows
 * what it was, or by a job.
 */
async function waitAfterError(
  db: Db,
  run: ClaimedRun,
  now: Date,
  { hasJob = false }: { hasJob?: boolean } = {},
): Promise<void> {
  const age = ageOf(run, now);
  if (age >= patienceFor(run)) return endRun(db, run, { error: BROKEN, isOurs: true });
  const again = new Date(now.getTime() + Math.min(Math.max(RETRY_MS.least, age), RETRY_MS.most));
  if (hasJob) await handOn(db, run, again);
  else await release(db, run, again);
}

/** Tries again later while there is time, then ends the run with a sentence that blames nobody's topic. */
async function waitForWriter(
  db: Db,
  run: ClaimedRun,
  error: WriterBusy | WriterFault,
  now: Date,
): Promise<void> {
  const isFault = error instanceof WriterFault;
  const age = ageOf(run, now);
  const asked = isFault ? RETRY_MS.most : (error.retryAfterSeconds ?? 0) * 1_000;
  const isOver = age + asked >= patienceFor(run);
  const isCeiling = error instanceof CeilingReached;
  if ((isFault || isOver) && !isCeiling) await reportFault(db, 'writer', error.message, now);
  const isOurs = !isCeiling || error instanceof ServiceCeilingReached;
  if (isOver) return endRun(db, run, { error: isCeiling ? error.message : UNAVAILABLE, isOurs });
  const wait = Math.min(Math.max(asked, RETRY_MS.least, age), Math.max(RETRY_MS.most, asked));
  await handOn(db, run, new Date(now.getTime() + wait));
}
