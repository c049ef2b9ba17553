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

/** Database connections of one worker process with all lanes; docs/operations.md has the same number. */
export const MOST_CONNECTIONS = 24;

type Share = {
  /** Connections of graphile-worker: one listens, the others fetch, complete and return jobs. */
  queue: number;
  /** Connections for the queries of the jobs. */
  tasks: number;
  /**
   * New jobs notify their lane. A job with a later start (a retry, a confirmation after 30 s) is found by polling,
   * so it starts at most this much late.
   */
  pollMs: number;
};

/** Jobs that wait for the network hold no connection, so many jobs share a few. */
export const SHARES: Record<Lane, Share> = {
  publishing: { queue: 3, tasks: 7, pollMs: 2_000 },
  writing: { queue: 2, tasks: 3, pollMs: 5_000 },
  upkeep: { queue: 2, tasks: 3, pollMs: 5_000 },
  webhooks: { queue: 2, tasks: 2, pollMs: 5_000 },
};

/** Longer than a minute, so that connections last from tick to tick: opening one costs more than a whole tick. */
const IDLE_MS = 90_000;

/** A fetched job that finds all workers of this process busy is returned after this time for other processes. */
const FETCHED_AHEAD_MS = 2_000;

/** Does not apply to our jobs: they hold a connection only for short queries. */
const POOL_SIZE_WARNING = /^WARNING: having maxPoolSize \(\d+\) smaller than concurrency/;

/** graphile-worker logs these as errors although it tries again. */
const FAILED_ATTEMPT = /^Failed task .*?, attempt (\d+) of (\d+)\)/;
const LOST_CONNECTION = /^Error with notify listener \(trying again|^Error occurred attempting to UNLISTEN/;

function willRetry(message: string): boolean {
  const [, attempt, maxAttempts] = FAILED_ATTEMPT.exec(message) ?? [];
  return Number(attempt) < Number(maxAttempts) || LOST_CONNECTION.test(message);
}

const queueLogger = new Logger(() => (level, message) => {
  if (POOL_SIZE_WARNING.test(message)) return;
  if (level === 'error' && !willRetry(message)) logger().error(message);
  else if (level === 'error' || level === 'warning') logger().warn(message);
});

function queuePool(databaseUrl: string, max: number): pg.Pool {
  const settings = { connectionString: databaseUrl, max, idleTimeoutMillis: IDLE_MS };
  const pool = new pg.Pool({ ...settings, Client: DeadlineClient });
  const logLoss = (error: Error) => logger().warn({ err: error }, 'a connection of the queue was lost');
  pool.on('error', logLoss);
  pool.on('connect', (client) => client.on('error', logLoss));
  return pool;
}

/**
 * Runs before the first job: responses that an earlier process could not store must be stored before a job judges
 * their attempts, and a clock that was set back must be noticed before it has caught up.
 */
async function recoverPublishing(db: Db): Promise<void> {
  await settleSpooled(db).catch((err) => logger().error({ err }, 'answers of LinkedIn could not be written'));
  await checkClocks(db);
}

const checkClocks = (db: Db) =>
  forEachSettled([recordClock, checkClock], (check) => check(db)).catch((err) =>
    logger().error({ err }, 'the clock could not be looked at'),
  );

/** Needed beside the ticks: while all clocks are behind, no tick is due. Returns a function that stops it. */
export function watchClock(db: Db, everyMs = 30_000): () => void {
  const timer = setInterval(() => void checkClocks(db), everyMs);
  return () => clearInterval(timer);
}

/** The next ticks are further away than this only when the clock has been set back. */
const MOST_TICK_WAIT_MS = 60_000;

/**
 * graphile-worker remembers the minute of its next ticks by the clock of its process. When a clock that was ahead is set
 * back, it would wait for that minute: then `end` is called, and the lane is started again.
 */
function endWhenClockIsSetBack(end: () => void): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  const check = (nextTicksAt: number) => {
    if (nextTicksAt - Date.now() > MOST_TICK_WAIT_MS) end();
  };
  // Each of these events begins a wait for a minute: the first one, one that is not due yet, the next one.
  events.on('cron:started', ({ start }) => check(start.getTime()));
  events.on('cron:prematureTimer', ({ expectedTimestamp }) => check(expectedTimestamp));
  events.on('cron:scheduled', ({ timestamp }) => check(timestamp));
  return events;
}

/** Posts of a minute are spread over its first 30 s, so a tick that is 10 s late is still in time for them. */
const LATE_TICKS_MS = 5_000;

/**
 * Adds late ticks of the lane every 5 s. Skips a round while the previous one waits for the database, because waiting
 * rounds would use up the lane's connections. Returns a function that stops it and waits for the current round.
 */
export function watchLateTicks(db: Db, lane: Lane, everyMs = LATE_TICKS_MS): () => Promise<void> {
  let round: Promise<void> | null = null;
  const addLate = async () => {
    try {
      for (const name of await addLateTicks(db, lane))
        logger().warn(`the tick ${name} was late, so it was added`);
    } catch (err) {
      logger().error({ err }, 'late ticks could not be looked for');
    }
  };
  const timer = setInterval(() => {
    round ??= addLate().finally(() => {
      round = null;
    });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await round;
  };
}

export type RunningLane = {
  /** Fetches no more jobs, returns those that have not started, and waits for the others. */
  stop(): Promise<void>;
  /** Settles when the lane has ended, by stop() or for another reason. */
  ended: Promise<void>;
};

export async function startLane(lane: Lane, databaseUrl: string, concurrency: number): Promise<RunningLane> {
  const share = SHARES[lane];
  const { db } = createDatabase(databaseUrl, share.tasks, IDLE_MS, DeadlineClient);
  const pgPool = queuePool(databaseUrl, share.queue);
  const disconnect = async () => {
    await db.destroy();
    await pgPool.end();
  };
  if (lane === 'publishing') await recoverPublishing(db);
  await registerTicks(db, lane).catch((err) => logger().error({ err }, 'the ticks could not be registered'));
  const timetable = timetableOf(lane);
  let isRunning = true;
  const end = async () => {
    if (!isRunning) return;
    isRunning = false;
    // stop() rejects for a runner that has ended already.
    await starting
      .then((runner) => runner.stop())
      .catch((err) => logger().warn({ err }, `the lane ${lane} did not end well`));
  };
  const starting = run({
    pgPool,
    taskList: tasksOf(lane, db),
    parsedCronItems: timetable,
    // A lane without ticks need not start again, and its jobs may take minutes to end.
    events: timetable.length > 0 ? endWhenClockIsSetBack(() => void end()) : undefined,
    concurrency,
    logger: queueLogger,
    noHandleSignals: true,
    preset: {
      worker: {
        // One query fetches jobs for all workers of the lane.
        localQueue: { size: concurrency, ttl: FETCHED_AHEAD_MS },
        // With a delay, a job that ends while the worker stops would stay locked and run again hours later.
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
  const endClockWatch = lane === 'publishing' ? watchClock(db) : () => {};
  const endTicks = timetable.length > 0 ? watchLateTicks(db, lane) : async () => {};
  const endCalls = recordCalls(db, (err) =>
    logger().warn({ err }, 'the calls to LinkedIn could not be counted'),
  );
  const ended = runner.promise.finally(() => {
    endClockWatch();
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

/** The lanes that the arguments of a command name; all of them without arguments. */
export function parseLanes(names: string[]): readonly Lane[] {
  const unknown = names.find((name) => !LANES.some((lane) => lane === name));
  if (unknown !== undefined) {
    throw new Error(`There is no lane "${unknown}". The lanes are ${LANES.join(', ')}.`);
  }
  return names.length === 0 ? LANES : LANES.filter((lane) => names.includes(lane));
}
