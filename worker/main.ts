/** `main.ts` runs every lane, `main.ts publishing writing` those alone. */
import { setTimeout as wait } from 'node:timers/promises';
import { watchLinkedIn } from '#app/domain/linkedin/log-answers.ts';
import { eventContext, watchEvents } from '#app/domain/platform/events.ts';
import type { Lane } from '#app/domain/platform/jobs.ts';
import { objectionToFolder } from '#app/domain/publishing/outcome/durable-file.ts';
import { endSending } from '#app/domain/publishing/send/shutdown-signal.ts';
import { envOrExit } from '#app/env.ts';
import { bearing, endOnFaults, logger } from '#app/log.ts';
import { countEvent } from '#app/metrics.ts';
import { lanesNamed, type RunningLane, startLane } from './lanes.ts';
import { serveMetrics } from './metrics.ts';

const { DATABASE_URL, DATABASE_WORKER_URL = DATABASE_URL, DATA_DIR, WORKER_CONCURRENCY } = envOrExit();

/**
 * A lane ends by itself when the database is away at the moment in which a job ends: the queue then cannot
 * write that down. It is started again, because whoever starts this process may not start it for ever.
 */
const AGAIN_MS = { least: 250, most: 5_000 };
/** A lane that is down for longer ends the process: it would look well and leave its jobs lying. */
const PATIENCE_MS = 10 * 60_000;

function namedOrExit() {
  try {
    return lanesNamed(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

const lanes = namedOrExit();
endOnFaults();
watchLinkedIn((answer) => logger().info(answer, 'LinkedIn answered'));
bearing(eventContext);
watchEvents((event) => logger().info(event, 'event'));
watchEvents(countEvent);
serveMetrics();
if (lanes.includes('publishing')) lookAtFolder();
const running = new Map<Lane, RunningLane>();
let isStopping = false;

/** Posts go out without it. What it is for shows only when the database is away, or has been restored. */
function lookAtFolder() {
  const reason = objectionToFolder(DATA_DIR);
  if (reason) logger().error({ reason }, `nothing can be written in ${DATA_DIR}, which DATA_DIR names`);
}

async function startOne(name: Lane) {
  const lane = await startLane(name, DATABASE_WORKER_URL, WORKER_CONCURRENCY);
  running.set(name, lane);
  lane.ended.then(
    () => ended(name),
    (error) => ended(name, error),
  );
}

async function start() {
  for (const name of lanes) {
    if (isStopping) return;
    await startOne(name);
  }
  console.log(`worker ready, ${WORKER_CONCURRENCY} jobs at a time in each lane: ${lanes.join(', ')}`);
}

/** Lets running jobs end, then leaves. */
async function stop(code: number) {
  if (isStopping) return;
  isStopping = true;
  endSending();
  await Promise.allSettled([started, ...starting.values()]);
  const stopped = await Promise.allSettled([...running.values()].map((lane) => lane.stop()));
  for (const result of stopped) {
    if (result.status === 'rejected') logger().error({ err: result.reason }, 'a lane did not stop well');
  }
  process.exit(code);
}

/** The lanes that have ended and are being started again. */
const starting = new Map<Lane, Promise<void>>();

function ended(name: Lane, error?: unknown) {
  if (isStopping) return;
  // The queue says so when its tables have become those of a newer version.
  if (process.exitCode) return void stop(Number(process.exitCode));
  logger().error({ err: error }, `the lane ${name} has ended and is started again`);
  starting.set(name, startAgain(name));
}

async function startAgain(name: Lane): Promise<void> {
  const since = performance.now();
  await running
    .get(name)!
    .stop()
    .catch((err) => logger().error({ err }, 'a lane did not stop well'));
  running.delete(name);
  for (let pause = AGAIN_MS.least; !isStopping; pause = Math.min(2 * pause, AGAIN_MS.most)) {
    await wait(pause);
    try {
      return await startOne(name);
    } catch (err) {
      if (performance.now() - since < PATIENCE_MS) continue;
      logger().fatal({ err }, `the lane ${name} cannot be started again`);
      starting.delete(name);
      void stop(1);
    }
  }
}

for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(event, () => void stop(0));
const started = start();
await started;
