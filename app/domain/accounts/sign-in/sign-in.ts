import type { Db } from '#app/db/client.ts';
import { hashPassword, isOutdated, matchingHashes } from '#app/domain/accounts/password/password.ts';
import type { LoginInput } from '#app/domain/accounts/schema.ts';
import { resendCode } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';

export type CheckedLogin =
  /** `passwordHash`: the sign-in is valid only while the account has this password. */
  | { isVerified: true; userId: string; isAdmin: boolean; passwordHash: string }
  /** `waits`: why no new code was sent; null when one was. */
  | { isVerified: false; signUpId: string; email: string; waits: string | null };

/**
 * Finds the account with this address and password, or the sign-up that waits for its code and is mailed a new one.
 * Throws the same Refusal after the same time for everything else, whether the address has an account, sign-ups or
 * neither.
 */
export async function checkLogin(
  db: Db,
  { email, password }: LoginInput,
  now = databaseNow(),
): Promise<CheckedLogin> {
  const [user, attempts] = await Promise.all([
    db
      .selectFrom('users')
      .select(['id', 'role', 'passwordHash'])
      .where('email', '=', email)
      .executeTakeFirst(),
    db
      .selectFrom('signUps')
      .select(['id', 'passwordHash'])
      .where('email', '=', email)
      .orderBy('createdAt', 'desc')
      .execute(),
  ]);
  const stored = [user, ...attempts].flatMap((row) => row?.passwordHash ?? []);
  const matching = await matchingHashes(stored, password);
  if (user?.passwordHash && matching.includes(user.passwordHash)) {
    const passwordHash = await rehashIfOutdated(db, user.id, user.passwordHash, password);
    if (passwordHash === undefined) return checkLogin(db, { email, password }, now);
    return { isVerified: true, userId: user.id, isAdmin: user.role === 'admin', passwordHash };
  }
  const attempt = attempts.find(({ passwordHash }) => matching.includes(passwordHash));
  if (!attempt) {
    emitEvent('sign_in_failed', { reason: 'credentials', userId: user?.id ?? null });
    throw new Refusal(401, 'invalid_credentials', 'Invalid email or password');
  }
  emitEvent('sign_in_failed', { reason: 'unverified', userId: null });
  const waiting = { signUpId: attempt.id, email };
  return { isVerified: false, ...waiting, waits: await resendSignUpCode(db, waiting, now) };
}

/** Returns why no code was sent, or null. */
async function resendSignUpCode(
  db: Db,
  attempt: { signUpId: string; email: string },
  now: Date,
): Promise<string | null> {
  try {
    await resendCode(db, attempt, now);
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'rate_limited') return error.message;
    throw error;
  }
}

/** Returns the current hash, or undefined when the password was changed meanwhile. */
async function rehashIfOutdated(
  db: Db,
  userId: string,
  stored: string,
  password: string,
): Promise<string | undefined> {
  if (!isOutdated(stored)) return stored;
  const passwordHash = await hashPassword(password);
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ passwordHash })
    .where('id', '=', userId)
    .where('passwordHash', '=', stored)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n ? passwordHash : undefined;
}
