import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { enqueue, jobs } from '#app/domain/jobs.ts';
import { isAnyDueTogether } from './claim.ts';
import { knownEpoch } from './epoch.ts';
import { send } from './publish.ts';
import { isReadyFor } from './ready.ts';
import { stopping } from './stopping.ts';
import { startWatch } from './stopwatch.ts';
import { type Begun, beginTogether } from './together.ts';

/** Calls that a process has under way at most, and attempts that are written at once. */
const MOST_CALLS = 800;
const BATCH = 200;
/** A job that comes to a process that is sending already comes again, to this process or to another one. */
const OFFER_AGAIN_MS = 1_000;
/** What somebody else has under lock at the moment is looked at again so often before it is left to the next tick. */
const LOOKS = { most: 20, everyMs: 250 };

/** What one process sends from one database. */
type Sending = { again: PromiseWithResolvers<void>; ended: Promise<void> };
const sendings = new WeakMap<Db, Sending>();

/**
 * Sends what is due and goes together until nothing is left, many calls side by side: attempts are written in
 * batches, each followed by its one call. Once in each process, however often it is asked for; the jobs that
 * it does not need are for other processes.
 */
export function publishDue(db: Db, part: number): Promise<void> {
  const running = sendings.get(db);
  if (running) {
    running.again.resolve();
    return part === 0 ? running.ended : leaveToOthers(db, part, OFFER_AGAIN_MS);
  }
  const sending: Sending = { again: Promise.withResolvers(), ended: Promise.resolve() };
  sendings.set(db, sending);
  sending.ended = publishReady(db, sending, part).finally(() => sendings.delete(db));
  return sending.ended;
}

async function publishReady(db: Db, sending: Sending, part: number): Promise<void> {
  if (!(await isReadyFor(db, jobs.publishDue, { part }))) return;
  const calls = new Calls(db);
  try {
    for (let isAsked = true; isAsked; ) {
      sending.again = Promise.withResolvers();
      await beginAll(db, calls);
      const asked = sending.again.promise.then(() => true);
      isAsked = await Promise.race([asked, calls.ended().then(() => false)]);
    }
  } finally {
    await calls.ended();
  }
  if (stopping.aborted) await leaveToOthers(db, part);
  if (calls.errors.length > 0) throw new AggregateError(calls.errors, `${calls.errors.length} posts failed`);
}

/** Another process may take a part of what is due, when there is one; it is offered for as long as something is. */
async function leaveToOthers(db: Db, part: number, afterMs = 0): Promise<void> {
  const now = await databaseTime(db);
  if (!(await isAnyDueTogether(db, now))) return;
  await enqueue(db, jobs.publishDue, { part }, new Date(now.getTime() + afterMs));
}

/** Until nothing is due that goes together, or only what stays under lock. */
async function beginAll(db: Db, calls: Calls): Promise<void> {
  for (let looks = 0; looks < LOOKS.most && !stopping.aborted; ) {
    await calls.haveRoom();
    const elapsed = startWatch();
    const begun = await beginTogether(db, BATCH, await knownEpoch(db));
    for (const one of begun) calls.start(one, elapsed);
    if (begun.length > 0) looks = 0;
    else if (await isAnyDueTogether(db, await databaseTime(db))) looks += await pause();
    else return;
  }
}

const pause = () => wait(LOOKS.everyMs, 1, { signal: stopping }).catch(() => 1);

/** Calls under way, and what went wrong about them. */
class Calls {
  readonly errors: unknown[] = [];
  readonly #db: Db;
  readonly #running = new Set<Promise<void>>();
  #room: PromiseWithResolvers<void> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  start({ publication, access }: Begun, elapsed: () => number): void {
    const call: Promise<void> = send(this.#db, publication, access, elapsed)
      .catch((error) => void this.errors.push(error))
      .then(() => this.#end(call));
    this.#running.add(call);
  }

  #end(call: Promise<void>): void {
    this.#running.delete(call);
    if (this.#running.size <= MOST_CALLS - BATCH) this.#room?.resolve();
  }

  /** Until another batch fits in. */
  async haveRoom(): Promise<void> {
    if (this.#running.size <= MOST_CALLS - BATCH) return;
    this.#room = Promise.withResolvers();
    await this.#room.promise;
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}
