/** `main.ts` runs every lane, `main.ts publishing writing` only these two. */

import { setTimeout as wait } from 'node:timers/promises';
import { watchLinkedIn } from '#app/domain/linkedin/log-answers.ts';
import { eventContext, watchEvents } from '#app/domain/platform/events.ts';
import type { Lane } from '#app/domain/platform/jobs.ts';
import { whyFolderUnwritable } from '#app/domain/publishing/outcome/durable-file.ts';
import { stopSending } from '#app/domain/publishing/send/shutdown-signal.ts';
import { envOrExit } from '#app/env.ts';
import { exitOnUncaughtException, logger, setLogContext } from '#app/log.ts';
import { countEvent } from '#app/metrics.ts';
import { parseLanes, type RunningLane, startLane } from './lanes.ts';
import { serveMetrics } from './metrics.ts';

const { DATABASE_URL, DATABASE_WORKER_URL = DATABASE_URL, DATA_DIR, WORKER_CONCURRENCY } = envOrExit();

/**
 * A lane ends when graphile-worker can't record the end of a job because the database is away. It is started again here,
 * because process managers stop restarting a process that ends often.
 */
const RESTART_PAUSE_MS = { least: 250, most: 5_000 };
/** A lane that can't be started for longer ends the process, so that its jobs don't wait unnoticed. */
const MOST_RESTART_MS = 10 * 60_000;

function lanesOrExit() {
  try {
    return parseLanes(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

const lanes = lanesOrExit();
exitOnUncaughtException();
watchLinkedIn((answer) => logger().info(answer, 'LinkedIn answered'));
setLogContext(eventContext);
watchEvents((event) => logger().info(event, 'event'));
watchEvents(countEvent);
serveMetrics();
if (lanes.includes('publishing')) checkDataFolder();
const running = new Map<Lane, RunningLane>();
let isStopping = false;

/** Publishing works without the folder; it is needed when the database is away or has been restored. */
function checkDataFolder() {
  const reason = whyFolderUnwritable(DATA_DIR);
  if (reason) logger().error({ reason }, `nothing can be written in ${DATA_DIR}, which DATA_DIR names`);
}

async function startNamed(name: Lane) {
  const lane = await startLane(name, DATABASE_WORKER_URL, WORKER_CONCURRENCY);
  running.set(name, lane);
  lane.ended.then(
    () => onEnded(name),
    (error) => onEnded(name, error),
  );
}

async function start() {
  for (const name of lanes) {
    if (isStopping) return;
    await startNamed(name);
  }
  console.log(`worker ready, ${WORKER_CONCURRENCY} jobs at a time in each lane: ${lanes.join(', ')}`);
}

/** Waits for running jobs, then exits. */
async function stop(code: number) {
  if (isStopping) return;
  isStopping = true;
  stopSending();
  await Promise.allSettled([started, ...restarts.values()]);
  const stopped = await Promise.allSettled([...running.values()].map((lane) => lane.stop()));
  for (const result of stopped) {
    if (result.status === 'rejected') logger().error({ err: result.reason }, 'a lane did not stop well');
  }
  process.exit(code);
}

/** The lanes that have ended and are being started again. */
const restarts = new Map<Lane, Promise<void>>();

function onEnded(name: Lane, error?: unknown) {
  if (isStopping) return;
  // graphile-worker sets it when a newer version of it has migrated its tables.
  if (process.exitCode) return void stop(Number(process.exitCode));
  logger().error({ err: error }, `the lane ${name} has ended and is started again`);
  restarts.set(name, restart(name));
}

async function restart(name: Lane): Promise<void> {
  const since = performance.now();
  await running
    .get(name)!
    .stop()
    .catch((err) => logger().error({ err }, 'a lane did not stop well'));
  running.delete(name);
  for (let pause = RESTART_PAUSE_MS.least; !isStopping; pause = Math.min(2 * pause, RESTART_PAUSE_MS.most)) {
    await wait(pause);
    try {
      return await startNamed(name);
    } catch (err) {
      if (performance.now() - since < MOST_RESTART_MS) continue;
      logger().fatal({ err }, `the lane ${name} cannot be started again`);
      restarts.delete(name);
      void stop(1);
    }
  }
}

for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(event, () => void stop(0));
const started = start();
await started;
