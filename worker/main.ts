import { Logger, parseCrontab, run } from 'graphile-worker';
import pg from 'pg';
import { createDatabase } from '#app/db/client.ts';
import { envOrExit } from '#app/env.ts';
import { logger } from '#app/log.ts';
import { CRONTAB } from './crontab.ts';
import { createTasks } from './tasks.ts';

/** graphile-worker listens on one connection and wants one for each job; more wait for each other. */
const MOST_QUEUE_CONNECTIONS = 50;
const TASK_CONNECTIONS = 16;

const { DATABASE_URL, WORKER_CONCURRENCY } = envOrExit();
const { db } = createDatabase(DATABASE_URL, TASK_CONNECTIONS);
const queuePool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: Math.min(WORKER_CONCURRENCY + 1, MOST_QUEUE_CONNECTIONS),
});
const noteLoss = (error: Error) => logger().warn({ err: error }, 'a connection of the queue was lost');
queuePool.on('error', noteLoss);
queuePool.on('connect', (client) => client.on('error', noteLoss));

/** Error texts of the queue end up in its table and our log; they carry no payload. */
const queueLogger = new Logger(() => (level, message) => {
  if (level === 'error') logger().error(message);
  else if (level === 'warning') logger().warn(message);
});

const runner = await run({
  pgPool: queuePool,
  taskList: createTasks(db),
  parsedCronItems: parseCrontab(CRONTAB),
  concurrency: WORKER_CONCURRENCY,
  logger: queueLogger,
  noHandleSignals: true,
  preset: {
    worker: {
      // With a delay, a job that ends while the worker stops stays locked and runs again hours later.
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
      pollInterval: 1_000,
      gracefulShutdownAbortTimeout: 45_000,
    },
  },
});

let isStopping = false;
/** Lets running jobs end, then leaves. */
async function stop() {
  if (isStopping) return;
  isStopping = true;
  await runner.stop();
  await db.destroy();
  await queuePool.end();
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);

console.log(`worker ready, ${WORKER_CONCURRENCY} jobs at a time`);
await runner.promise;
