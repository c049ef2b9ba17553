import type { Db } from '#app/db/client.ts';
import { mayBeThere } from '#app/domain/publishing/facts.ts';
import { hasFailed } from '#app/domain/queue/facts.ts';

const newest = (db: Db, userId: string) =>
  db
    .selectFrom('posts')
    .select(['id', 'createdAt', 'deletedAt'])
    .where('userId', '=', userId)
    .where('visibility', '=', 'CONNECTIONS')
    .orderBy('createdAt', 'desc')
    .limit(1);

/** The user's newest test post, deleted or not. */
export const findLatestTest = (db: Db, userId: string) => newest(db, userId).executeTakeFirst();

/** The newest but so many, deleted or not. */
export const findTestBefore = (db: Db, userId: string, newer: number) =>
  newest(db, userId).offset(newer).executeTakeFirst();

/** The newest one that uses up its day: not one that failed and was never on LinkedIn. */
export const findCountedTest = (db: Db, userId: string) =>
  newest(db, userId)
    .where(({ not, or }) => or([not(hasFailed('posts.id')), mayBeThere('posts.id')]))
    .executeTakeFirst();
