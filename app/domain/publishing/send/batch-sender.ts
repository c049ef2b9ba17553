import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { BEGIN_WITHIN_MS } from '#app/domain/publishing/eligibility/timings.ts';
import { readIdentity } from '#app/domain/publishing/safety/epoch.ts';
import { isReadyFor } from '#app/domain/publishing/safety/ready.ts';
import { enqueueSingly } from '#app/domain/publishing/state/schedule.ts';
import { env } from '#app/env.ts';
import { beginBatch } from './attempt.ts';
import { Calls } from './call.ts';
import { findNextBegin, isAnyDueForBatch, listDueBatch } from './claim.ts';
import { startWatch } from './monotonic-clock.ts';
import { stopping } from './shutdown-signal.ts';

/** Attempts that are written at once. */
const BATCH = 200;
/** A job that comes to a process that is sending already comes again, to this process or to another one. */
const OFFER_AGAIN_MS = 1_000;
/** What cannot be taken at the moment is looked at again so often before it is left to the next tick. */
const LOOKS = { most: 20, everyMs: 250 };
/** What is begun in the course of a minute is looked for so often at most. */
const STEP_MS = 500;

/** What one process sends from one database. */
type Sending = { again: PromiseWithResolvers<void>; ended: Promise<void> };
const sendings = new WeakMap<Db, Sending>();

/**
 * Sends what is due and goes together until nothing is left, each at its second, many calls side by side: attempts are
 * written in batches, each followed by its one call. Once in each process, however often it is asked for; the jobs that
 * it does not need are for other processes.
 */
export function sendBatch(db: Db, part: number): Promise<void> {
  const running = sendings.get(db);
  if (running) {
    running.again.resolve();
    return part === 0 ? Promise.resolve() : leaveToOthers(db, part, OFFER_AGAIN_MS);
  }
  const sending: Sending = { again: Promise.withResolvers(), ended: Promise.resolve() };
  sendings.set(db, sending);
  sending.ended = publishReady(db, sending, part).finally(() => sendings.delete(db));
  return sending.ended;
}

async function publishReady(db: Db, sending: Sending, part: number): Promise<void> {
  if (!(await isReadyFor(db, jobs.sendBatch, { part }))) return;
  const calls = new Calls(db);
  try {
    for (let isMore = true; isMore; ) {
      sending.again = Promise.withResolvers();
      // From before the looks: what is to begin after one of them and before the question is found as well.
      const since = await timeOf(db, calls);
      await beginAll(db, calls);
      isMore = await isMoreToCome(db, calls, { since, asked: sending.again.promise, part });
    }
  } finally {
    await calls.ended();
  }
  if (stopping.aborted) await leaveToOthers(db, part);
  if (calls.errors.length > 0) throw new AggregateError(calls.errors, `${calls.errors.length} posts failed`);
}

/** Kept for the end: a database that does not answer has nothing to tell. */
const noted =
  ({ errors }: Calls) =>
  (error: unknown) => {
    errors.push(error);
    return undefined;
  };

const timeOf = (db: Db, calls: Calls) => databaseTime(db).catch(noted(calls));

type Coming = { since: Date | undefined; asked: Promise<void>; part: number };

/** Waits until there may be more to send: it is asked for, or the next second has come. False when nothing is to come. */
async function isMoreToCome(db: Db, calls: Calls, { since, asked, part }: Coming): Promise<boolean> {
  const more = asked.then(() => true);
  const next = since && (await findNextBegin(db, since).catch(noted(calls)));
  const now = next && (await timeOf(db, calls));
  if (!next || !now) return Promise.race([more, calls.ended().then(() => false)]);
  const waitMs = Math.max(next.getTime() - now.getTime(), STEP_MS);
  if (env().WORKER_CONCURRENCY === 1) {
    // Nothing else could come in between: a job at that second goes on, and what is sent by hand goes first.
    await enqueue(db, jobs.sendBatch, { part }, new Date(now.getTime() + waitMs)).catch(noted(calls));
    return false;
  }
  const over = new AbortController();
  const signal = AbortSignal.any([stopping, over.signal]);
  const comes = wait(waitMs, true, { signal }).catch(() => false);
  return Promise.race([more, comes]).finally(() => over.abort());
}

/** Another process may take a part of what is due, when there is one; it is offered for as long as something is. */
async function leaveToOthers(db: Db, part: number, afterMs = 0): Promise<void> {
  const now = await databaseTime(db);
  if (!(await isAnyDueForBatch(db, now)) && !(await findNextBegin(db, now))) return;
  await enqueue(db, jobs.sendBatch, { part }, new Date(now.getTime() + afterMs));
}

/** Until nothing is due that goes together, or only what cannot be taken. */
async function beginAll(db: Db, calls: Calls): Promise<void> {
  let busy: string[] = [];
  for (let looks = 0; looks < LOOKS.most; ) {
    const room = await calls.room();
    if (stopping.aborted) return;
    const look = await begin(db, calls, Math.min(room, BATCH), busy);
    if (look.begun > 0) looks = 0;
    if (look.begun > 0 || look.busy.length > 0) busy = [...new Set([...busy, ...look.busy])];
    else if (look.isFailed || busy.length > 0 || (await isAnyLeft(db))) {
      busy = [];
      looks += await pause();
    } else return;
  }
}

/** A database that does not answer may have something. */
const isAnyLeft = async (db: Db) =>
  databaseTime(db)
    .then((now) => isAnyDueForBatch(db, now))
    .catch(() => true);

type Look = { begun: number; busy: string[]; isFailed?: boolean };

/**
 * Writes the attempts at some posts and begins their calls. One of them may be what fails all: then each is
 * tried by itself. A database that does not answer is not waited for; what it answers late is not sent.
 */
async function begin(db: Db, calls: Calls, most: number, notOf: string[]): Promise<Look> {
  const elapsed = startWatch();
  try {
    const looked = beginBatch(db, most, notOf, await readIdentity(db)).then(({ begun, busy }) => {
      for (const one of begun) calls.start(one, elapsed);
      return { begun: begun.length, busy };
    });
    return await within(BEGIN_WITHIN_MS, looked);
  } catch (error) {
    calls.errors.push(error);
    await giveJobs(db, most).catch((again) => void calls.errors.push(again));
    return { begun: 0, busy: [], isFailed: true };
  }
}

async function giveJobs(db: Db, most: number): Promise<void> {
  const now = await databaseTime(db);
  await enqueueSingly(db, await listDueBatch(db, most, now), now);
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The database does not answer')), ms);
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}

const pause = () => wait(LOOKS.everyMs, 1, { signal: stopping }).catch(() => 1);
