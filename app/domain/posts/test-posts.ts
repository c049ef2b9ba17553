import { type RawBuilder, type ShallowDehydrateObject, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { jsonReader } from '#app/db/json-rows.ts';
import {
  hasFailed,
  lastAttemptAt,
  mayBeOnLinkedIn,
  publishesAt,
  refusedAttempts,
} from '#app/domain/publishing/predicates.ts';

const tests = (db: Db, userId: string) =>
  db.selectFrom('posts').where('userId', '=', userId).where('visibility', '=', 'CONNECTIONS');

/** The user's newest test post, deleted or not. */
export const findLatestTest = (db: Db, userId: string) =>
  tests(db, userId).select(['id', 'deletedAt']).orderBy('createdAt', 'desc').limit(1).executeTakeFirst();

type TestsInput = { userId: string; since: Date; now: Date };

/** The user's test posts of which something was asked after an instant, deleted or not. */
export function testsSinceOf(db: Db, { userId, since, now }: TestsInput) {
  const askedAt: RawBuilder<Date> = sql`greatest(posts.created_at,
    ${lastAttemptAt('posts.id')}, ${publishesAt('posts.id', now)})`;
  return tests(db, userId)
    .select(['id', 'createdAt', 'deletedAt'])
    .select([
      hasFailed('posts.id').as('hasFailed'),
      mayBeOnLinkedIn('posts.id').as('mayBeThere'),
      refusedAttempts('posts.id').as('refusedAt'),
      /** When it was last sent, or goes out while it waits. */
      askedAt.as('askedAt'),
    ])
    .where(askedAt, '>', since);
}

export type TestPost = Awaited<ReturnType<ReturnType<typeof testsSinceOf>['executeTakeFirstOrThrow']>>;

const readInstants = jsonReader<Omit<TestPost, 'refusedAt'>>({
  createdAt: true,
  deletedAt: true,
  askedAt: true,
});

export const readTestPost = ({ refusedAt, ...row }: ShallowDehydrateObject<TestPost>): TestPost => ({
  ...readInstants(row),
  refusedAt: refusedAt.map((at) => new Date(at)),
});
