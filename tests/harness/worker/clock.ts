import type pg from 'pg';
import type { Db } from '#app/db/client.ts';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { runSweeps, SWEEPS } from '#worker/sweeps.ts';
import { until } from './until.ts';

/** Every instant by which publishing, mailing and the queue judge how late it is. */
const INSTANTS: Record<string, string[]> = {
  publish_attempts: ['started_at', 'finished_at', 'resolved_at'],
  post_schedules: ['due_at', 'held_at', 'not_before', 'enqueued_at', 'lease_until', 'posted_at'],
  posts: ['publish_at'],
  mails: ['created_at'],
  generation_runs: ['created_at', 'lease_until'],
  webhook_deliveries: ['next_at'],
  webhook_endpoints: ['leased_until'],
  publishing_pause: ['paused_until', 'stopped_at', 'stopped_until'],
  'graphile_worker._private_jobs': ['run_at', 'locked_at'],
};

/** Lets time pass; never the four hours after which the queue itself frees its locks. */
export async function pass(pool: pg.Pool, seconds: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const [table, columns] of Object.entries(INSTANTS)) {
      const older = columns.map((column) => `${column} = ${column} - $1 * interval '1 second'`);
      await client.query(`update ${table} set ${older.join(', ')}`, [seconds]);
    }
    await client.query('commit');
    client.release();
  } catch (error) {
    // Not back to the pool with a transaction that has failed.
    client.release(true);
    throw error;
  }
}

/** The jobs that dead workers hold; nothing of ours may need them. */
export async function lockedJobs(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query(
    'select id from graphile_worker._private_jobs where locked_at is not null',
  );
  return rows.map(({ id }) => id);
}

/** Until the living workers have nothing to do now. */
export async function idle(pool: pg.Pool, dead: string[], patienceMs?: number): Promise<void> {
  let left: object[] = [];
  const isIdle = async () => {
    const { rows } = await pool.query(
      `select task_id, attempts, locked_at, run_at, last_error from graphile_worker._private_jobs where id <> all($1)
       and (locked_at is not null or (run_at <= now() and attempts < max_attempts))`,
      [dead],
    );
    left = rows;
    return rows.length === 0;
  };
  await until('the workers have done every job', isIdle, patienceMs).catch((error: Error) => {
    throw new Error(`${error.message}; ${left.length} are left, as ${JSON.stringify(left.slice(0, 3))}`);
  });
}

/** What the crontab does every minute, whichever minute it is on the wall. */
export async function tick(db: Db): Promise<void> {
  await enqueueDuePosts(db);
  for (const sweeps of [SWEEPS.publishing, SWEEPS.everyMinute]) await runSweeps(sweeps, db, new Date());
}

/** Minutes with their ticks, each as long as the workers need. Answers how many it took to reach the goal. */
export async function minutes(
  { db, pool }: { db: Db; pool: pg.Pool },
  dead: string[],
  most: number,
  isReached: () => Promise<boolean>,
  patienceMs?: number,
): Promise<number> {
  for (let minute = 0; minute <= most; minute++) {
    if (minute > 0) await pass(pool, 60);
    await tick(db);
    await idle(pool, dead, patienceMs);
    if (await isReached()) return minute;
  }
  throw new Error(`It is not settled after ${most} minutes`);
}
