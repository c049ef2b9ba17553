import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { isSigned, sign } from '#app/domain/secrets.ts';

const read = (db: Db, userId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'passwordHash', 'name', 'role', 'timeZone'])
    .where('id', '=', userId)
    .executeTakeFirst();

type Bound = { id: string; email: string; passwordHash: string | null };

/** What a link says, for this account alone: with another address or another password it is no word of ours. */
const boundTo = ({ id, email, passwordHash }: Bound, said: string) =>
  [said, id, email, passwordHash ?? ''].join('\n');

/** Signs what the links in a mail to a user say. */
export async function linkSigner(db: Db, userId: string): Promise<(said: string) => string> {
  const user = await read(db, userId);
  if (!user) throw new Error('There is no such user to mail a link to');
  return (said) => sign(boundTo(user, said));
}

/**
 * The user to whom a link was mailed that says this; undefined when it was not, or when they have another address or
 * password since. Whoever holds it is let do what it says, and is signed in to nothing.
 */
export async function holderOf(
  db: Db,
  userId: string,
  said: string,
  signature: string,
): Promise<Actor | undefined> {
  const user = await read(db, userId);
  if (!user || !isSigned(boundTo(user, said), signature)) return undefined;
  const { name, email, timeZone, role } = user;
  return { userId, name, email, timeZone, isAdmin: role === 'admin' };
}
