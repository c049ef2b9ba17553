import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { lastAttemptAt, mayBeThere, refusedAttempts } from '#app/domain/publishing/facts.ts';
import { goesOutAt, hasFailed } from '#app/domain/queue/facts.ts';

const tests = (db: Db, userId: string) =>
  db.selectFrom('posts').where('userId', '=', userId).where('visibility', '=', 'CONNECTIONS');

/** The user's newest test post, deleted or not. */
export const findLatestTest = (db: Db, userId: string) =>
  tests(db, userId).select(['id', 'deletedAt']).orderBy('createdAt', 'desc').limit(1).executeTakeFirst();

/** The user's test posts of which something was asked after an instant, deleted or not. */
export function listTestsSince(db: Db, userId: string, since: Date, now: Date) {
  const askedAt: RawBuilder<Date> = sql`greatest(posts.created_at,
    ${lastAttemptAt('posts.id')}, ${goesOutAt('posts.id', now)})`;
  return tests(db, userId)
    .select(['id', 'createdAt', 'deletedAt'])
    .select([
      hasFailed('posts.id').as('hasFailed'),
      mayBeThere('posts.id').as('mayBeThere'),
      refusedAttempts('posts.id').as('refusedAt'),
      /** When it was last sent, or goes out while it waits. */
      askedAt.as('askedAt'),
    ])
    .where(askedAt, '>', since)
    .execute();
}
