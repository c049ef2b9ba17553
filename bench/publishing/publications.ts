/**
 * How many posts one worker publishes in a second when the network answers at once, with every attempt
 * recorded, and what a publication writes: rows of our tables and of the queue, and WAL.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import {
  addMembers,
  justBefore,
  nextMinute,
  schedule,
  takenOf,
  untilPublished,
} from '#bench/data/members.ts';
import { settle } from '#bench/data/people.ts';
import { cpuSeconds, figure, megabytes, number, residentBytes, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';
import { endOfWal, tellWal } from '#bench/measure/wal.ts';

const POSTS = 5_000;
const LOOK_MS = 250;

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
  // A connection at rest tells the server what it has counted within ten seconds.
  await pause(11_000);
  let sum = 0;
  let ofPosts = 'none';
  for (const { table, ...after } of await writesOf(db)) {
    const from = before.find((row) => row.table === table) ?? { rows: 0, hot: 0, updates: 0 };
    const rows = (after.rows - from.rows) / POSTS;
    sum += rows;
    const updates = after.updates - from.updates;
    const hot = updates > 0 ? `${number((100 * (after.hot - from.hot)) / updates)} % of updates HOT` : '';
    if (table === 'posts' && hot) ofPosts = hot;
    if (rows < 0.05) continue;
    figure(`  rows of ${table}`, number(rows), hot);
  }
  figure('row writes for each publication', number(sum));
  figure('updates of posts', ofPosts);
}

await measure(async (stops) => {
  const { db, sandbox, startSandbox, startWorker } = await openProduct(stops);
  await startSandbox();
  const members = await addMembers(db, sandbox, POSTS);
  title(`${POSTS} posts due at once, a network that answers at once`);
  const worker = await startWorker();
  const slot = justBefore(nextMinute(20_000));
  await schedule(db, members, slot);
  await settle(db);
  await pause(Math.max(0, slot.getTime() - 1_500 - Date.now()));
  const [writes, wal, cpuBefore] = [await writesOf(db), await endOfWal(db), cpuSeconds(worker.pid)];
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes(worker.pid));
  }, LOOK_MS);
  await untilPublished(db, slot);
  clearInterval(watch);
  const cpu = cpuSeconds(worker.pid) - cpuBefore;
  const { accepted, authors, late } = await takenOf(sandbox, slot);
  const seconds = (Math.max(...late) - Math.min(...late)) / 1_000;

  figure('publications a second', number(accepted / seconds), 'G7: at least 1,000');
  figure('CPU of the worker', `${number((cpu * 1_000) / POSTS)} ms for each post`);
  figure('memory of the worker, at most', megabytes(most));
  figure('lost', number(POSTS - authors));
  figure('double', number(accepted - authors));
  await tellWal(db, 'WAL for each publication', wal, POSTS, `${number(POSTS)} posts`);
  await printWrites(db, writes);
});
