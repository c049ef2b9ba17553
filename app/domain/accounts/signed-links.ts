import type { Db } from '#app/db/client.ts';
import { findDisabled } from '#app/domain/accounts/lifecycle/disable.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isSigned, sign } from '#app/domain/platform/secrets.ts';

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

/** Signs what the links in a mail to a user say. With a `passwordHash` they are void once the user has another. */
export async function linkSigner(
  db: Db,
  userId: string,
  passwordHash?: string,
): Promise<(said: string) => string> {
  const user = await read(db, userId);
  if (!user) throw new Error('There is no such user to mail a link to');
  return (said) => sign(boundTo({ ...user, ...(passwordHash && { passwordHash }) }, said));
}

async function findBound(db: Db, userId: string, said: string, signature: string) {
  const user = await read(db, userId);
  return user && isSigned(boundTo(user, said), signature) ? user : undefined;
}

/**
 * The user to whom a link was mailed that says this; undefined when it was not, or when they have another address or
 * password since, or the account was stopped. Whoever holds it is let do what it says, and is signed in to nothing.
 */
export async function findLinkUser(
  db: Db,
  userId: string,
  said: string,
  signature: string,
): Promise<Actor | undefined> {
  const user = await findBound(db, userId, said, signature);
  if (!user || (await findDisabled(db, userId))) return undefined;
  const { name, email, timeZone, role } = user;
  return { userId, name, email, timeZone, isAdmin: role === 'admin' };
}

/** The address and the password with which a browser made the first step that says this; undefined as in `findLinkUser`. */
export async function findFirstStep(
  db: Db,
  userId: string,
  said: string,
  signature: string,
): Promise<{ email: string; passwordHash: string | undefined } | undefined> {
  const user = await findBound(db, userId, said, signature);
  return user && { email: user.email, passwordHash: user.passwordHash ?? undefined };
}
