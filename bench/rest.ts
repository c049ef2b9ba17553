/** What the worker and Postgres take while there is nothing to do, over a minute with its ticks. */
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { cpuSeconds, figure, number, title } from './figures.ts';
import { addPeople, addPosts, settle } from './people.ts';
import { measure, openProduct } from './product.ts';

/** The first ticks are over, which compile what later ones only run. */
const SETTLES_MS = 75_000;
const REST_MS = 60_000;

/** The server behind the database and every process it has started. */
async function postgresProcesses(db: Db): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const parents = new Map(
    execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]),
  );
  const server = parents.get(rows[0]!.pid)!;
  return [server, ...[...parents].filter(([, parent]) => parent === server).map(([pid]) => pid)];
}

/** CPU seconds of the server and its children; those of children that have ended stand with the server. */
async function postgresSeconds(db: Db): Promise<number> {
  const [server, ...children] = await postgresProcesses(db);
  const seconds = children.map((pid) => cpuSeconds(pid)).filter((value) => !Number.isNaN(value));
  return seconds.reduce((sum, value) => sum + value, cpuSeconds(server, { isWithEnded: true }));
}

const share = (seconds: number) => `${number((seconds / REST_MS) * 100_000)}% of a core`;

await measure(async (stops) => {
  const { db, startSandbox, startWorker } = await openProduct(stops);
  await startSandbox();
  await addPosts(db, await addPeople(db, 100), 100);
  await settle(db);
  const alone = await postgresSeconds(db);
  await pause(REST_MS);
  const withoutWorker = (await postgresSeconds(db)) - alone;
  const worker = await startWorker();
  await pause(SETTLES_MS);

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
