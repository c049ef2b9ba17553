import { EventEmitter } from 'node:events';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { createDatabase, type Db } from '#app/db/client.ts';
import { DeadlineClient } from '#app/db/deadline-client.ts';
import { recordCalls } from '#app/domain/linkedin/daily-quota.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { LANES, type Lane } from '#app/domain/platform/jobs.ts';
import { addLateTicks, registerTicks } from '#app/domain/platform/tick-times.ts';
import { settleSpooled } from '#app/domain/publishing/outcome/spool.ts';
import { recordClock } from '#app/domain/publishing/safety/clock-jump.ts';
import { checkClock } from '#app/domain/publishing/safety/clock-skew.ts';
import { logger } from '#app/log.ts';
import { tasksOf, timetableOf } from './tasks.ts';

/** What one process may open with all lanes together; docs/operations.md tells operators. */
export const MOST_CONNECTIONS = 24;

type Share = {
  /** For the queue: one listens, the others take, end and give back jobs. */
  queue: number;
  /** For what the jobs do. */
  tasks: number;
  /**
   * New jobs wake their lane at once. A job that waits for an instant (a retry, a confirmation after 30 s)
   * is found by polling, so it is late by at most this.
   */
  pollMs: number;
};

/** The budget of connections. Jobs that wait for the network hold none, so many jobs share a few. */
export const SHARES: Record<Lane, Share> = {
  publishing: { queue: 3, tasks: 7, pollMs: 2_000 },
  writing: { queue: 2, tasks: 3, pollMs: 5_000 },
  upkeep: { queue: 2, tasks: 3, pollMs: 5_000 },
  webhooks: { queue: 2, tasks: 2, pollMs: 5_000 },
};

/** Longer than from one minute's ticks to the next: a new connection costs more than all that a tick does. */
const IDLE_MS = 90_000;

/**
 * A job that was fetched and finds every worker of this process busy goes back after this time, so that
 * another process can have it.
 */
const FETCHED_AHEAD_MS = 2_000;

/** The queue would like a connection for each job; ours hold one for moments only. */
const KNOWN = /^WARNING: having maxPoolSize \(\d+\) smaller than concurrency/;

/** What the queue calls an error and tries again by itself: a job that has attempts left, and a connection that was lost. */
const TRIED = /^Failed task .*?, attempt (\d+) of (\d+)\)/;
const LOST = /^Error with notify listener \(trying again|^Error occurred attempting to UNLISTEN/;

function isTriedAgain(message: string): boolean {
  const [, attempt, most] = TRIED.exec(message) ?? [];
  return Number(attempt) < Number(most) || LOST.test(message);
}

/** Error texts of the queue end up in its table and our log; they carry no payload. */
const queueLogger = new Logger(() => (level, message) => {
  if (KNOWN.test(message)) return;
  if (level === 'error' && !isTriedAgain(message)) logger().error(message);
  else if (level === 'error' || level === 'warning') logger().warn(message);
});

function queuePool(databaseUrl: string, max: number): pg.Pool {
  const settings = { connectionString: databaseUrl, max, idleTimeoutMillis: IDLE_MS };
  const pool = new pg.Pool({ ...settings, Client: DeadlineClient });
  const noteLoss = (error: Error) => logger().warn({ err: error }, 'a connection of the queue was lost');
  pool.on('error', noteLoss);
  pool.on('connect', (client) => client.on('error', noteLoss));
  return pool;
}

/**
 * Answers that a process before this one could not write come before any guess about their attempts, and a clock
 * that was set back is noticed before it has caught up.
 */
async function settleFirst(db: Db): Promise<void> {
  await settleSpooled(db).catch((err) => logger().error({ err }, 'answers of LinkedIn could not be written'));
  await lookAtClock(db);
}

const lookAtClock = (db: Db) =>
  forEachSettled([recordClock, checkClock], (look) => look(db)).catch((err) =>
    logger().error({ err }, 'the clock could not be looked at'),
  );

/** While all clocks are behind no tick is due, and nothing else looks. Returns a function that stops it. */
export function watchClock(db: Db, everyMs = 30_000): () => void {
  const timer = setInterval(() => void lookAtClock(db), everyMs);
  return () => clearInterval(timer);
}

/** The minute of the next ticks lies further ahead than that only when the clock has been set back. */
const NEXT_TICKS_MS = 60_000;

/**
 * The ticks go by the clocks of the processes. The queue of one whose clock was ahead remembers which minute is next, and
 * would wait for it: `end` is called so that the lane starts again.
 */
function watchTicks(end: () => void): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  const look = (at: number) => {
    if (at - Date.now() > NEXT_TICKS_MS) end();
  };
  // Whenever it waits anew: for its first minute, for one that has not come yet, and for the next one.
  events.on('cron:started', ({ start }) => look(start.getTime()));
  events.on('cron:prematureTimer', ({ expectedTimestamp }) => look(expectedTimestamp));
  events.on('cron:scheduled', ({ timestamp }) => look(timestamp));
  return events;
}

/** How often late ticks are looked for. Posts of a minute are spread over its first 30 s: a tick 10 s late is in time for them. */
const LATE_TICKS_MS = 5_000;

/**
 * Adds late ticks of the lane every 5 s. Skips a round while the one before still waits for the database: they would use
 * up the lane's connections. Returns a function that stops it; its promise resolves when the current round has ended.
 */
export function watchLateTicks(db: Db, lane: Lane, everyMs = LATE_TICKS_MS): () => Promise<void> {
  let round: Promise<void> | null = null;
  const look = async () => {
    try {
      for (const name of await addLateTicks(db, lane))
        logger().warn(`the tick ${name} was late, so it was added`);
    } catch (err) {
      logger().error({ err }, 'late ticks could not be looked for');
    }
  };
  const timer = setInterval(() => {
    round ??= look().finally(() => {
      round = null;
    });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await round;
  };
}

export type RunningLane = {
  /** Takes no more jobs, gives back those not begun, and lets the others end. */
  stop(): Promise<void>;
  /** Settles when the lane has ended, whoever ended it. */
  ended: Promise<void>;
};

/** Starts one lane: its workers, its ticks and its connections, which no other lane touches. */
export async function startLane(lane: Lane, databaseUrl: string, concurrency: number): Promise<RunningLane> {
  const share = SHARES[lane];
  const { db } = createDatabase(databaseUrl, share.tasks, IDLE_MS, DeadlineClient);
  const pgPool = queuePool(databaseUrl, share.queue);
  const disconnect = async () => {
    await db.destroy();
    await pgPool.end();
  };
  if (lane === 'publishing') await settleFirst(db);
  await registerTicks(db, lane).catch((err) => logger().error({ err }, 'the ticks could not be registered'));
  const timetable = timetableOf(lane);
  let isRunning = true;
  const end = async () => {
    if (!isRunning) return;
    isRunning = false;
    // One that has ended by itself says that it is stopped already.
    await starting
      .then((runner) => runner.stop())
      .catch((err) => logger().warn({ err }, `the lane ${lane} did not end well`));
  };
  const starting = run({
    pgPool,
    taskList: tasksOf(lane, db),
    parsedCronItems: timetable,
    // Without ticks there is nothing to begin anew, and its jobs may take minutes to end.
    events: timetable.length > 0 ? watchTicks(() => void end()) : undefined,
    concurrency,
    logger: queueLogger,
    noHandleSignals: true,
    preset: {
      worker: {
        // One question to the database for all workers of the lane.
        localQueue: { size: concurrency, ttl: FETCHED_AHEAD_MS },
        // With a delay, a job that ends while the worker stops stays locked and runs again hours later.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        pollInterval: share.pollMs,
      },
    },
  });
  const runner = await starting.catch(async (error) => {
    await disconnect();
    throw error;
  });
  const unwatch = lane === 'publishing' ? watchClock(db) : () => {};
  const endTicks = timetable.length > 0 ? watchLateTicks(db, lane) : async () => {};
  const endCalls = recordCalls(db, (err) =>
    logger().warn({ err }, 'the calls to LinkedIn could not be counted'),
  );
  const ended = runner.promise.finally(() => {
    unwatch();
    void endTicks();
    isRunning = false;
  });
  return {
    async stop() {
      await end();
      await runner.promise.catch(() => {});
      await endTicks();
      await endCalls();
      await disconnect();
    },
    ended,
  };
}

/** The lanes a command line names; all when it names none. */
export function lanesNamed(names: string[]): readonly Lane[] {
  const unknown = names.find((name) => !LANES.some((lane) => lane === name));
  if (unknown !== undefined) {
    throw new Error(`There is no lane "${unknown}". The lanes are ${LANES.join(', ')}.`);
  }
  return names.length === 0 ? LANES : LANES.filter((lane) => names.includes(lane));
}
