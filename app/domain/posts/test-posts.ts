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

const testPostsOf = (db: Db, userId: string) =>
  db.selectFrom('posts').where('userId', '=', userId).where('visibility', '=', 'CONNECTIONS');

export const findLatestTest = (db: Db, userId: string) =>
  testPostsOf(db, userId)
    .select(['id', 'deletedAt'])
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();

type TestsInput = { userId: string; since: Date; now: Date };

/** The user's test posts with activity after an instant, deleted or not. */
export function testsSinceOf(db: Db, { userId, since, now }: TestsInput) {
  const activeAt: RawBuilder<Date> = sql`greatest(posts.created_at,
    ${lastAttemptAt('posts.id')}, ${publishesAt('posts.id', now)})`;
  return testPostsOf(db, userId)
    .select(['id', 'createdAt', 'deletedAt'])
    .select([
      hasFailed('posts.id').as('hasFailed'),
      mayBeOnLinkedIn('posts.id').as('mayBeThere'),
      refusedAttempts('posts.id').as('refusedAt'),
      activeAt.as('askedAt'),
    ])
    .where(activeAt, '>', since);
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
