import type { Db } from '#app/db/client.ts';
import { findDisabled } from '#app/domain/accounts/lifecycle/disable.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isSigned, sign } from '#app/domain/platform/secrets.ts';

const findSigner = (db: Db, userId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'passwordHash', 'name', 'role', 'timeZone'])
    .where('id', '=', userId)
    .executeTakeFirst();

type LinkUser = { id: string; email: string; passwordHash: string | null };

/** Signed together with the address and the password hash, so that a change of either invalidates the link. */
const signedText = ({ id, email, passwordHash }: LinkUser, purpose: string) =>
  [purpose, id, email, passwordHash ?? ''].join('\n');

/** Signs links in a mail to a user. With `passwordHash` they become invalid when the password changes. */
export async function linkSigner(
  db: Db,
  userId: string,
  passwordHash?: string,
): Promise<(purpose: string) => string> {
  const user = await findSigner(db, userId);
  if (!user) throw new Error('There is no such user to mail a link to');
  return (purpose) => sign(signedText({ ...user, ...(passwordHash && { passwordHash }) }, purpose));
}

async function verifyLink(db: Db, userId: string, purpose: string, signature: string) {
  const user = await findSigner(db, userId);
  return user && isSigned(signedText(user, purpose), signature) ? user : undefined;
}

/** Undefined when the signature is invalid, the address or password has changed, or the account is disabled. */
export async function findLinkUser(
  db: Db,
  userId: string,
  purpose: string,
  signature: string,
): Promise<Actor | undefined> {
  const user = await verifyLink(db, userId, purpose, signature);
  if (!user || (await findDisabled(db, userId))) return undefined;
  const { name, email, timeZone, role } = user;
  return { userId, name, email, timeZone, isAdmin: role === 'admin' };
}

/** The address and password hash with which the first step of a sign-in was made; undefined when the signature is invalid. */
export async function findFirstStep(
  db: Db,
  userId: string,
  purpose: string,
  signature: string,
): Promise<{ email: string; passwordHash: string | undefined } | undefined> {
  const user = await verifyLink(db, userId, purpose, signature);
  return user && { email: user.email, passwordHash: user.passwordHash ?? undefined };
}
