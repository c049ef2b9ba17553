import type { Insertable } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Database } from '#app/db/tables.ts';
import type { Actor } from '#app/domain/platform/actor.ts';

/** An attempt at a post as a row alone, under way unless it is said what became of it. No call is made. */
export const makeAttempt = (
  db: Db,
  { userId }: Actor,
  postId: string,
  change: Partial<Insertable<Database['publishAttempts']>> = {},
) =>
  db
    .insertInto('publishAttempts')
    .values({
      postId,
      userId,
      attempt: 1,
      authorUrn: 'urn:li:person:1',
      body: 'A text',
      leaseToken: '1',
      ...change,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
