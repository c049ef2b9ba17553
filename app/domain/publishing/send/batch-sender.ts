import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { CALL_WITHIN_MS } from '#app/domain/publishing/eligibility/timings.ts';
import { readIdentity } from '#app/domain/publishing/safety/epoch.ts';
import { isReadyFor } from '#app/domain/publishing/safety/ready.ts';
import { enqueueSingly } from '#app/domain/publishing/state/schedule.ts';
import { env } from '#app/env.ts';
import { beginBatch } from './attempt.ts';
import { CallPool } from './call.ts';
import { findNextStart, isAnyDueForBatch, listDueBatch } from './claim.ts';
import { startStopwatch } from './monotonic-clock.ts';
import { stopping } from './shutdown-signal.ts';

const BATCH_SIZE = 200;
/** A job of a process that is sending already runs again later, in this process or in another one. */
const REOFFER_AFTER_MS = 1_000;
/** How often posts that cannot be locked now are tried again before they are left to the next tick. */
const RETRIES = { max: 20, everyMs: 250 };
/** The minimum wait between two looks for posts that start within the minute. */
const MIN_WAIT_MS = 500;

type Sending = { wakeUp: PromiseWithResolvers<void>; ended: Promise<void> };
const sendings = new WeakMap<Db, Sending>();

/**
 * Sends all due posts that fit a batch, each at its second, with many calls in parallel: attempts are written in
 * batches, each followed by its one call. Runs once in each process: a job that comes while it runs wakes it up and,
 * unless it is the first part, is offered to other processes.
 */
export function sendBatch(db: Db, part: number): Promise<void> {
  const running = sendings.get(db);
  if (running) {
    running.wakeUp.resolve();
    return part === 0 ? Promise.resolve() : offerToOtherProcesses(db, part, REOFFER_AFTER_MS);
  }
  const sending: Sending = { wakeUp: Promise.withResolvers(), ended: Promise.resolve() };
  sendings.set(db, sending);
  sending.ended = sendUntilDone(db, sending, part).finally(() => sendings.delete(db));
  return sending.ended;
}

async function sendUntilDone(db: Db, sending: Sending, part: number): Promise<void> {
  if (!(await isReadyFor(db, jobs.sendBatch, { part }))) return;
  const calls = new CallPool(db);
  try {
    for (let hasMore = true; hasMore; ) {
      sending.wakeUp = Promise.withResolvers();
      // Read before sending, so that posts that start meanwhile are found as well.
      const since = await timeOrUndefined(db, calls);
      await sendAllDue(db, calls);
      hasMore = await waitForMore(db, calls, { since, wokenUp: sending.wakeUp.promise, part });
    }
  } finally {
    await calls.drain();
  }
  if (stopping.aborted) await offerToOtherProcesses(db, part);
  if (calls.errors.length > 0) throw new AggregateError(calls.errors, `${calls.errors.length} posts failed`);
}

/** Collects an error, which is thrown when the calls have ended, and returns undefined. */
const collectError =
  ({ errors }: CallPool) =>
  (error: unknown) => {
    errors.push(error);
    return undefined;
  };

const timeOrUndefined = (db: Db, calls: CallPool) => databaseTime(db).catch(collectError(calls));

type Waiting = { since: Date | undefined; wokenUp: Promise<void>; part: number };

/** Waits until another job comes or the next post starts. Returns false when there is nothing more to send. */
async function waitForMore(db: Db, calls: CallPool, { since, wokenUp, part }: Waiting): Promise<boolean> {
  const more = wokenUp.then(() => true);
  const next = since && (await findNextStart(db, since).catch(collectError(calls)));
  const now = next && (await timeOrUndefined(db, calls));
  if (!next || !now) return Promise.race([more, calls.drain().then(() => false)]);
  const waitMs = Math.max(next.getTime() - now.getTime(), MIN_WAIT_MS);
  if (env().WORKER_CONCURRENCY === 1) {
    // Waiting would block the only worker: a job at that second continues, and manual posts go first.
    await enqueue(db, jobs.sendBatch, { part }, new Date(now.getTime() + waitMs)).catch(collectError(calls));
    return false;
  }
  const cancel = new AbortController();
  const signal = AbortSignal.any([stopping, cancel.signal]);
  const timeReached = wait(waitMs, true, { signal }).catch(() => false);
  return Promise.race([more, timeReached]).finally(() => cancel.abort());
}

/** Adds the job again, while there are due posts, so that another process can send a part of them. */
async function offerToOtherProcesses(db: Db, part: number, afterMs = 0): Promise<void> {
  const now = await databaseTime(db);
  if (!(await isAnyDueForBatch(db, now)) && !(await findNextStart(db, now))) return;
  await enqueue(db, jobs.sendBatch, { part }, new Date(now.getTime() + afterMs));
}

/** Sends until no due post is left, or only posts that stay locked. */
async function sendAllDue(db: Db, calls: CallPool): Promise<void> {
  let busyUserIds: string[] = [];
  for (let retries = 0; retries < RETRIES.max; ) {
    const capacity = await calls.waitForCapacity();
    if (stopping.aborted) return;
    const batch = await startBatch(db, calls, Math.min(capacity, BATCH_SIZE), busyUserIds);
    if (batch.started > 0) retries = 0;
    if (batch.started > 0 || batch.busyUserIds.length > 0) {
      busyUserIds = [...new Set([...busyUserIds, ...batch.busyUserIds])];
    } else if (batch.isFailed || busyUserIds.length > 0 || (await isAnyRemaining(db))) {
      busyUserIds = [];
      retries += 1;
      await wait(RETRIES.everyMs, undefined, { signal: stopping }).catch(() => {});
    } else return;
  }
}

/** True when the database does not answer: it may have due posts. */
const isAnyRemaining = async (db: Db) =>
  databaseTime(db)
    .then((now) => isAnyDueForBatch(db, now))
    .catch(() => true);

type StartedBatch = { started: number; busyUserIds: string[]; isFailed?: boolean };

/**
 * Writes the attempts at up to `limit` posts and starts their calls. When that fails, one post may be the cause, so each
 * gets its own job. Does not wait longer for the database than a call may be started.
 */
async function startBatch(
  db: Db,
  calls: CallPool,
  limit: number,
  excludedUserIds: string[],
): Promise<StartedBatch> {
  const elapsed = startStopwatch();
  try {
    const batch = beginBatch(db, limit, excludedUserIds, await readIdentity(db)).then(
      ({ started, busyUserIds }) => {
        for (const each of started) calls.start(each, elapsed);
        return { started: started.length, busyUserIds };
      },
    );
    return await withTimeout(CALL_WITHIN_MS, batch);
  } catch (error) {
    calls.errors.push(error);
    await enqueueDueSingly(db, limit).catch(collectError(calls));
    return { started: 0, busyUserIds: [], isFailed: true };
  }
}

async function enqueueDueSingly(db: Db, limit: number): Promise<void> {
  const now = await databaseTime(db);
  await enqueueSingly(db, await listDueBatch(db, limit, now), now);
}

async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The database does not answer')), ms);
  try {
    return await Promise.race([promise, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
