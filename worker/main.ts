/** `main.ts` runs every lane, `main.ts publishing writing` those alone. */
import { envOrExit } from '#app/env.ts';
import { logger } from '#app/log.ts';
import { lanesNamed, type RunningLane, startLane } from './lanes.ts';

const { DATABASE_URL, WORKER_CONCURRENCY } = envOrExit();

function namedOrExit() {
  try {
    return lanesNamed(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

const lanes = namedOrExit();
const running: RunningLane[] = [];
let isStopping = false;

async function start() {
  for (const name of lanes) {
    if (isStopping) return;
    const lane = await startLane(name, DATABASE_URL, WORKER_CONCURRENCY);
    running.push(lane);
    lane.ended.then(
      () => ended(name),
      (error) => ended(name, error),
    );
  }
  console.log(`worker ready, ${WORKER_CONCURRENCY} jobs at a time in each lane: ${lanes.join(', ')}`);
}

/** Lets running jobs end, then leaves. */
async function stop(code: number) {
  if (isStopping) return;
  isStopping = true;
  await started.catch(() => {});
  const stopped = await Promise.allSettled(running.map((lane) => lane.stop()));
  for (const result of stopped) {
    if (result.status === 'rejected') logger().error({ err: result.reason }, 'a lane did not stop well');
  }
  process.exit(code);
}

/** A worker without one of its lanes would look well and leave its jobs lying. */
function ended(lane: string, error?: unknown) {
  if (isStopping) return;
  logger().fatal({ err: error }, `the lane ${lane} has ended`);
  void stop(1);
}

for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(event, () => void stop(0));
const started = start();
await started;
