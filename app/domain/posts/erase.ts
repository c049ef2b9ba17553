import type { Db } from '#app/db/client.ts';

const BATCH = 500;

/** Deletes some posts of a user with everything that refers to them. Returns the number of deleted posts. */
export async function erasePosts(db: Db, userId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('posts')
    .where('id', 'in', (eb) => eb.selectFrom('posts').select('id').where('userId', '=', userId).limit(BATCH))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
