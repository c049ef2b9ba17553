/** The CPU of an idle worker and of Postgres, over a minute with its ticks. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { addPosts, addUsers, vacuumAndCheckpoint } from '#bench/data/users.ts';
import { cpuSeconds, figure, number, title } from '#bench/measure/figures.ts';
import { postgresSeconds } from '#bench/measure/postgres-cpu.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

/** Includes the first ticks, in which the code is compiled. */
const WARM_UP_MS = 75_000;
const REST_MS = 60_000;

const share = (seconds: number) => `${number((seconds / REST_MS) * 100_000)}% of a core`;

await measure(async (stops) => {
  const { db, startSandbox, startWorker } = await openProduct(stops);
  await startSandbox();
  await addPosts(db, await addUsers(db, 100), 100);
  await vacuumAndCheckpoint(db);
  const beforeWorker = await postgresSeconds(db);
  await pause(REST_MS);
  const withoutWorker = (await postgresSeconds(db)) - beforeWorker;
  const worker = await startWorker();
  await pause(WARM_UP_MS);

  title('A worker at rest for 60 s, 100 people with 100 posts each');
  const before = [cpuSeconds(worker.pid), await postgresSeconds(db)] as const;
  await pause(REST_MS);
  const after = [cpuSeconds(worker.pid), await postgresSeconds(db)] as const;
  figure('worker', share(after[0] - before[0]), 'G10: 1%');
  figure('Postgres', share(after[1] - before[1]), 'G10: 1%');
  figure('  beside it Postgres without a worker', share(withoutWorker));
  const { rows } = await sql<{ count: string }>`
    select count(*) from pg_stat_activity where backend_type = 'client backend'`.execute(db);
  figure(
    'connections',
    number(Number(rows[0]!.count)),
    'operations.md has the budget of a worker; this script has one',
  );
});
