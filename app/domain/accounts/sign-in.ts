import type { Db } from '#app/db/client.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { hashPassword, isOutdated, isPassword } from './password.ts';
import type { LoginInput } from './schema.ts';

/** At most this many waiting attempts are looked through, so that a sign-in stays cheap. */
const MOST_ATTEMPTS = 5;

export type CheckedLogin =
  | { isVerified: true; userId: string; isAdmin: boolean }
  | { isVerified: false; signUpId: string; email: string };

/**
 * Whose e-mail and password these are: an account, or a sign-up that waits for its code. Anything else is
 * refused, with the same words and after the same time whether or not the address is known.
 */
export async function checkLogin(db: Db, { email, password }: LoginInput): Promise<CheckedLogin> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'role', 'passwordHash'])
    .where('email', '=', email)
    .executeTakeFirst();
  if ((await isPassword(user?.passwordHash, password)) && user?.passwordHash) {
    if (isOutdated(user.passwordHash)) await storeAgain(db, user.id, password);
    return { isVerified: true, userId: user.id, isAdmin: user.role === 'admin' };
  }
  const attempts = await db
    .selectFrom('signUps')
    .select(['id', 'passwordHash'])
    .where('email', '=', email)
    .orderBy('createdAt', 'desc')
    .limit(MOST_ATTEMPTS)
    .execute();
  for (const { id, passwordHash } of attempts) {
    if (await isPassword(passwordHash, password)) return { isVerified: false, signUpId: id, email };
  }
  throw new Refusal(401, 'invalid_credentials', 'Invalid email or password');
}

async function storeAgain(db: Db, userId: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  await db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
}
