import type { Db } from '#app/db/client.ts';

/** The user's newest test post, deleted or not. */
export const findLatestTest = (db: Db, userId: string) =>
  db
    .selectFrom('posts')
    .select(['id', 'createdAt', 'deletedAt'])
    .where('userId', '=', userId)
    .where('visibility', '=', 'CONNECTIONS')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
