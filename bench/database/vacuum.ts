/**
 * Whether what publishing leaves behind is cleared away as fast as it comes: so many posts are due in each of some minutes, one worker,
 * a network that answers at once. Of each minute what went out, and what the tables that publishing writes hold by then: rows that are
 * dead, and bytes.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { findNextStart } from '#app/domain/publishing/send/claim.ts';
import { addMembers, call, nextMinute, schedule } from '#bench/data/members.ts';
import { settle } from '#bench/data/people.ts';
import { figure, megabytes, ms, number, percentile, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const EACH_MINUTE = Number(process.env.BENCH_EACH_MINUTE || 60_000);
const MINUTES = Number(process.env.BENCH_MINUTES || 8);
const MINUTE_MS = 60_000;
const LOOKS = 50;
/** All that a publication writes to. */
const TABLES = [
  'post_schedules',
  'publish_attempts',
  'posts',
  'post_counts',
  'published_totals',
  '_private_jobs',
  'linkedin_days',
];

type Standing = { name: string; dead: number; live: number; bytes: number; vacuums: number };

async function standings(db: Db): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select relname as name, n_dead_tup::float8 as dead, n_live_tup::float8 as live,
      pg_total_relation_size(relid)::float8 as bytes, autovacuum_count::int as vacuums
    from pg_stat_user_tables where relname = any(${TABLES}::text[]) order by relname`.execute(db);
  return rows;
}

async function publishedUntil(db: Db): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from post_schedules where status = 'published'`.execute(db);
  return Number(rows[0]!.count);
}

async function lookAt(db: Db): Promise<number> {
  const times: number[] = [];
  while (times.length < LOOKS) {
    const begun = performance.now();
    await findNextStart(db, new Date());
    times.push(performance.now() - begun);
  }
  return percentile(times, 0.5);
}

const told = ({ name, dead, live, bytes, vacuums }: Standing) =>
  `${name} ${number(dead)} of ${number(dead + live)}, ${megabytes(bytes)}, ${vacuums} vacuums`;

await measure(
  async (stops) => {
    const { db, sandbox, startSandbox, startWorker } = await openProduct(stops);
    await startSandbox();
    // More than LinkedIn takes in a day of one application.
    await call(`${sandbox}/api/quota`, 'POST', { application: 2 * EACH_MINUTE * MINUTES });
    const members = await addMembers(db, sandbox, EACH_MINUTE);
    const begin = new Date(nextMinute(MINUTE_MS * (1 + (EACH_MINUTE * MINUTES) / 240_000)).getTime());
    for (let nth = 0; nth < MINUTES; nth += 1)
      await schedule(db, members, new Date(begin.getTime() + nth * MINUTE_MS), nth + 1);
    await settle(db);
    if (Date.now() > begin.getTime()) throw new Error('The posts were made too slowly for their time.');
    title(`${number(EACH_MINUTE)} posts due in each of ${MINUTES} minutes, a network that answers at once`);
    await startWorker();
    let before = 0;
    for (let nth = 1; nth <= MINUTES + 1; nth += 1) {
      await pause(Math.max(0, begin.getTime() + nth * MINUTE_MS - Date.now()));
      const published = await publishedUntil(db);
      const look = await lookAt(db);
      figure(
        `minute ${nth}`,
        `${number((published - before) / 60)} a second`,
        `next one found in ${ms(look)}`,
      );
      before = published;
      for (const standing of await standings(db))
        if (standing.vacuums || standing.dead) figure('  dead rows', told(standing));
    }
    figure('left of all', number(EACH_MINUTE * MINUTES - before));
  },
  (MINUTES + 12) * MINUTE_MS,
);
