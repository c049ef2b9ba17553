import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { until } from '#tests/harness/worker/until.ts';

const countWaiting = async (db: Db) => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(db);
  return rows.length;
};

/** Until so many wait for what others have under lock. */
export const othersWait = (db: Db, howMany = 1) =>
  until(`${howMany} wait`, async () => (await countWaiting(db)) >= howMany);

/** Begins all of them while somebody has the post under lock, so that they go on at one instant. */
export async function atOnce<T>(db: Db, postId: string, acts: (() => Promise<T>)[]) {
  const { results } = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('posts').select('id').where('id', '=', postId).forUpdate().execute();
    const results = Promise.allSettled(acts.map((act) => act()));
    await othersWait(db, acts.length);
    return { results };
  });
  return results;
}
