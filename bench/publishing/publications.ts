/** How many posts one worker publishes in a second without network latency, and the rows and WAL of each publication. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import {
  addMembers,
  justBefore,
  ledgerResults,
  nextMinute,
  schedule,
  waitUntilPublished,
} from '#bench/data/members.ts';
import { vacuumAndCheckpoint } from '#bench/data/users.ts';
import { cpuSeconds, figure, megabytes, number, residentBytes, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';
import { endOfWal, printWal } from '#bench/measure/wal.ts';

const POSTS = 5_000;
const SAMPLE_MS = 250;

type Writes = { table: string; rows: number; hot: number; updates: number };

/** Rows written so far, by table. */
async function writesOf(db: Db): Promise<Writes[]> {
  const { rows } = await sql<Writes>`
    select relname as table, (n_tup_ins + n_tup_upd + n_tup_del)::int as rows,
      n_tup_hot_upd::int as hot, n_tup_upd::int as updates
    from pg_stat_user_tables order by relname`.execute(db);
  return rows;
}

async function printWrites(db: Db, before: Writes[]): Promise<void> {
  // An idle connection reports its statistics within ten seconds.
  await pause(11_000);
  let sum = 0;
  let hotShareOfPosts = 'none';
  for (const { table, ...after } of await writesOf(db)) {
    const previous = before.find((row) => row.table === table) ?? { rows: 0, hot: 0, updates: 0 };
    const rows = (after.rows - previous.rows) / POSTS;
    sum += rows;
    const updates = after.updates - previous.updates;
    const hot = updates > 0 ? `${number((100 * (after.hot - previous.hot)) / updates)} % of updates HOT` : '';
    if (table === 'posts' && hot) hotShareOfPosts = hot;
    if (rows < 0.05) continue;
    figure(`  rows of ${table}`, number(rows), hot);
  }
  figure('row writes for each publication', number(sum));
  figure('updates of posts', hotShareOfPosts);
}

await measure(async (stops) => {
  const { db, sandbox, startSandbox, startWorker } = await openProduct(stops);
  await startSandbox();
  const members = await addMembers(db, sandbox, POSTS);
  title(`${POSTS} posts due at once, a network that answers at once`);
  const worker = await startWorker();
  const slot = justBefore(nextMinute(20_000));
  await schedule(db, members, slot);
  await vacuumAndCheckpoint(db);
  await pause(Math.max(0, slot.getTime() - 1_500 - Date.now()));
  const [writes, wal, cpuBefore] = [await writesOf(db), await endOfWal(db), cpuSeconds(worker.pid)];
  let peakBytes = 0;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, residentBytes(worker.pid));
  }, SAMPLE_MS);
  await waitUntilPublished(db, slot);
  clearInterval(watch);
  const cpu = cpuSeconds(worker.pid) - cpuBefore;
  const { accepted, authors, late } = await ledgerResults(sandbox, slot);
  const seconds = (Math.max(...late) - Math.min(...late)) / 1_000;

  figure('publications a second', number(accepted / seconds), 'G7: at least 1,000');
  figure('CPU of the worker', `${number((cpu * 1_000) / POSTS)} ms for each post`);
  figure('memory of the worker, at most', megabytes(peakBytes));
  figure('lost', number(POSTS - authors));
  figure('double', number(accepted - authors));
  await printWal(db, 'WAL for each publication', wal, POSTS, `${number(POSTS)} posts`);
  await printWrites(db, writes);
});
