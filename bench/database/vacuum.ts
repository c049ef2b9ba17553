/**
 * Whether autovacuum removes the dead rows of publishing as fast as they arise: the same number of posts is due in each
 * minute, with one worker and no latency. Prints for each minute the published posts, and the dead rows and bytes of the
 * tables that publishing writes.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { findNextStart } from '#app/domain/publishing/send/claim.ts';
import { addMembers, callSandbox, nextMinute, schedule } from '#bench/data/members.ts';
import { vacuumAndCheckpoint } from '#bench/data/users.ts';
import { figure, megabytes, ms, number, percentile, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const EACH_MINUTE = Number(process.env.BENCH_EACH_MINUTE || 60_000);
const MINUTES = Number(process.env.BENCH_MINUTES || 8);
const MINUTE_MS = 60_000;
const CLAIM_RUNS = 50;
const TABLES = [
  'post_schedules',
  'publish_attempts',
  'posts',
  'post_counts',
  'published_totals',
  '_private_jobs',
  'linkedin_days',
];

type TableState = { name: string; dead: number; live: number; bytes: number; vacuums: number };

async function tableStates(db: Db): Promise<TableState[]> {
  const { rows } = await sql<TableState>`
    select relname as name, n_dead_tup::float8 as dead, n_live_tup::float8 as live,
      pg_total_relation_size(relid)::float8 as bytes, autovacuum_count::int as vacuums
    from pg_stat_user_tables where relname = any(${TABLES}::text[]) order by relname`.execute(db);
  return rows;
}

async function countPublished(db: Db): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from post_schedules where status = 'published'`.execute(db);
  return Number(rows[0]!.count);
}

async function medianClaimMs(db: Db): Promise<number> {
  const times: number[] = [];
  while (times.length < CLAIM_RUNS) {
    const startedAt = performance.now();
    await findNextStart(db, new Date());
    times.push(performance.now() - startedAt);
  }
  return percentile(times, 0.5);
}

const formatState = ({ name, dead, live, bytes, vacuums }: TableState) =>
  `${name} ${number(dead)} of ${number(dead + live)}, ${megabytes(bytes)}, ${vacuums} vacuums`;

await measure(
  async (stops) => {
    const { db, sandbox, startSandbox, startWorker } = await openProduct(stops);
    await startSandbox();
    // Above LinkedIn's daily limit of an application.
    await callSandbox(`${sandbox}/api/quota`, 'POST', { application: 2 * EACH_MINUTE * MINUTES });
    const members = await addMembers(db, sandbox, EACH_MINUTE);
    const begin = new Date(nextMinute(MINUTE_MS * (1 + (EACH_MINUTE * MINUTES) / 240_000)).getTime());
    for (let nth = 0; nth < MINUTES; nth += 1)
      await schedule(db, members, new Date(begin.getTime() + nth * MINUTE_MS), nth + 1);
    await vacuumAndCheckpoint(db);
    if (Date.now() > begin.getTime()) throw new Error('The posts were made too slowly for their time.');
    title(`${number(EACH_MINUTE)} posts due in each of ${MINUTES} minutes, a network that answers at once`);
    await startWorker();
    let before = 0;
    for (let nth = 1; nth <= MINUTES + 1; nth += 1) {
      await pause(Math.max(0, begin.getTime() + nth * MINUTE_MS - Date.now()));
      const published = await countPublished(db);
      const claimMs = await medianClaimMs(db);
      figure(
        `minute ${nth}`,
        `${number((published - before) / 60)} a second`,
        `next one found in ${ms(claimMs)}`,
      );
      before = published;
      for (const state of await tableStates(db))
        if (state.vacuums || state.dead) figure('  dead rows', formatState(state));
    }
    figure('left of all', number(EACH_MINUTE * MINUTES - before));
  },
  (MINUTES + 12) * MINUTE_MS,
);
