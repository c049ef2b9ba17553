import { type Db, isDatabaseUnavailable, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { retryWhenAvailable } from '#app/db/retry-when-available.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { reportFault } from '#app/domain/platform/operator-alerts.ts';
import { explainNoTurns } from '#app/domain/topics/turns.ts';
import { Cancelled } from '#app/domain/writing/generate/timeout.ts';
import { rewriteOne } from '#app/domain/writing/rewrite/rewrite-run.ts';
import { ServiceLimitReached, UsageLimitReached } from '#app/domain/writing/usage-limits.ts';
import { WriterBusy, WriterFault } from '#app/integrations/openai/errors.ts';
import { endItem } from './attempts.ts';
import { type ClaimedRun, claimRun, recordFailure, release } from './claim.ts';
import { endRun } from './end.ts';
import { planItems } from './plan-slots.ts';
import { CONCURRENT_POSTS, findOpenItems, type RunItem } from './run-slots.ts';
import { type Clock, writeItem } from './write-slot.ts';

/**
 * How long a job waits for the writer. `kill_timeout` in fly.toml, with the longest job of each lane, has to be longer.
 */
export const WRITE_WITHIN_MS = 150_000;
const GIVE_UP_AFTER_MS = { scheduled: 3 * 3_600_000, requested: 5 * 60_000 };
const RETRY_MS = { min: 5_000, max: 10 * 60_000 };
const UNAVAILABLE = 'The writer was not available. We know about it; please try again later';
const TOO_LATE = 'Its time had passed before it could be written';
const TOPIC_GONE = 'Its topic was deleted before it could be written';
const BROKEN = 'Something went wrong on our side, so the posts could not be written. Please try again later';

function clockFrom(now: Date): Clock {
  const startedAt = performance.now();
  return () => new Date(now.getTime() + performance.now() - startedAt);
}

/**
 * Writes the next posts of a run at the same time, then enqueues another job for the rest or ends the run. Safe to run
 * again at any point: each item of a run ends once.
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
  const { open, passed } = await findOpenItems(db, run, work.clock());
  await endPassedItems(db, run, passed, work.clock());
  const plans = await planItems(db, run, open.slice(0, CONCURRENT_POSTS), work.clock());
  if (plans.length === 0) {
    const tooLate = passed.length > 0 ? TOO_LATE : null;
    return endRun(db, run, { error: open.length > 0 ? await explainNoTopic(db, run) : tooLate });
  }
  const results = await Promise.allSettled(plans.map((plan) => writeItem(db, run, plan, work)));
  const failures = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  // A fault that the operator has to fix comes before a busy writer.
  const worst = failures.find((error) => error instanceof WriterFault) ?? failures[0];
  if (worst) throw worst;
  if (open.length <= plans.length) return endRun(db, run, { error: null });
  await requeue(db, run);
}

/** Releases the run and enqueues another job for it, now or at `at`. */
const requeue = (db: Db, run: ClaimedRun, at?: Date): Promise<void> =>
  transact(db, async (trx) => {
    if (await release(trx, run)) await enqueue(trx, jobs.writeRun, { runId: run.id }, at);
  });

const explainNoTopic = async (db: Db, { userId, isForTopic }: ClaimedRun) =>
  isForTopic ? TOPIC_GONE : explainNoTurns(db, userId);

async function endPassedItems(db: Db, run: ClaimedRun, passed: RunItem[], at: Date): Promise<void> {
  if (passed.length === 0) return;
  await transact(db, async (trx) => {
    await lockUser(trx, run.userId);
    for (const { position } of passed) {
      if (await endItem(trx, run, position, at)) await recordFailure(trx, run, TOO_LATE);
    }
  });
}

const giveUpAfterMs = ({ scheduledFor }: ClaimedRun) =>
  scheduledFor ? GIVE_UP_AFTER_MS.scheduled : GIVE_UP_AFTER_MS.requested;

const ageOf = ({ claimedAt, createdAt }: ClaimedRun, now: Date) =>
  now.getTime() - (claimedAt ?? createdAt).getTime();

/**
 * Retries a run after an error of ours, each time after a longer wait, because each attempt may cost money. The sweep
 * resumes the run unless `hasJob` is set.
 */
async function waitAfterError(
  db: Db,
  run: ClaimedRun,
  now: Date,
  { hasJob = false }: { hasJob?: boolean } = {},
): Promise<void> {
  const age = ageOf(run, now);
  if (age >= giveUpAfterMs(run)) return endRun(db, run, { error: BROKEN, isOurs: true });
  const retryAt = new Date(now.getTime() + Math.min(Math.max(RETRY_MS.min, age), RETRY_MS.max));
  if (hasJob) await requeue(db, run, retryAt);
  else await release(db, run, retryAt);
}

async function waitForWriter(
  db: Db,
  run: ClaimedRun,
  error: WriterBusy | WriterFault,
  now: Date,
): Promise<void> {
  const isFault = error instanceof WriterFault;
  const age = ageOf(run, now);
  const requestedWait = isFault ? RETRY_MS.max : (error.retryAfterSeconds ?? 0) * 1_000;
  const isOver = age + requestedWait >= giveUpAfterMs(run);
  const isLimit = error instanceof UsageLimitReached;
  if ((isFault || isOver) && !isLimit) await reportFault(db, 'writer', error.message, now);
  const isOurs = !isLimit || error instanceof ServiceLimitReached;
  if (isOver) return endRun(db, run, { error: isLimit ? error.message : UNAVAILABLE, isOurs });
  const wait = Math.min(Math.max(requestedWait, RETRY_MS.min, age), Math.max(RETRY_MS.max, requestedWait));
  await requeue(db, run, new Date(now.getTime() + wait));
}
