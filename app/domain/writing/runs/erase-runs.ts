import type { Db } from '#app/db/client.ts';

const BATCH = 500;

/** Deletes some runs of a user, with their places. Answers how many. */
export async function eraseRuns(db: Db, userId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('runs')
    .where('id', 'in', (eb) => eb.selectFrom('runs').select('id').where('userId', '=', userId).limit(BATCH))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
