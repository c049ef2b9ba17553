import { randomUUID } from 'node:crypto';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';

/** A verified user, or an admin. */
export async function makeUser(db: Db, { isAdmin = false } = {}): Promise<Actor> {
  const name = isAdmin ? 'Ada Admin' : 'Uma User';
  const email = `${randomUUID()}@example.com`;
  const { id } = await db
    .insertInto('users')
    .values({ name, email, role: isAdmin ? 'admin' : 'user' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { userId: id, name, email, isAdmin, timeZone: 'UTC' };
}
