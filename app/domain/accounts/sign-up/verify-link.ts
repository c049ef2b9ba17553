import { type Db, transact } from '#app/db/client.ts';
import { isPassword } from '#app/domain/accounts/password/password.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { hashToken } from '#app/domain/platform/secrets.ts';
import { ATTEMPT_MS, completeSignUp, lockAttempts } from './sign-ups.ts';

const invalidLink = () => new Refusal(400, 'invalid_link', 'Invalid verification link');

/** Undefined once the sign-up is completed, has another link, or is a day old. */
export async function findSignUpByLink(
  db: Db,
  token: string,
  now = databaseNow(),
): Promise<{ id: string; email: string; passwordHash: string } | undefined> {
  return db
    .selectFrom('signUps')
    .select(['id', 'email', 'passwordHash'])
    .where('linkHash', '=', hashToken(token))
    .where('createdAt', '>', new Date(now.getTime() - ATTEMPT_MS))
    .executeTakeFirst();
}

/** A click alone is not enough, because a stranger can have signed up with this address. */
export type LinkOpener = { signUpId?: string | undefined; password?: string; isProgram?: true };

/** Creates the account. Throws a Refusal (`invalid_link`, or for a wrong password). */
export async function verifyByLink(
  db: Db,
  token: string,
  { signUpId, password = '', isProgram }: LinkOpener,
  now = databaseNow(),
): Promise<void> {
  const signUp = await findSignUpByLink(db, token, now);
  if (!signUp) {
    emitEvent('sign_in_failed', { reason: 'code' });
    throw invalidLink();
  }
  const isAllowed = isProgram || signUpId === signUp.id || (await isPassword(signUp.passwordHash, password));
  if (!isAllowed) {
    emitEvent('sign_in_failed', { reason: 'credentials' });
    const message = 'This is not the password that was chosen at the sign-up';
    throw new Refusal(422, 'invalid', message, { field: 'password' });
  }
  await transact(db, async (trx) => {
    await lockAttempts(trx, signUp.email, undefined);
    const attempt = await trx
      .deleteFrom('signUps')
      .where('id', '=', signUp.id)
      .where('linkHash', '=', hashToken(token))
      .returning(['email', 'name', 'passwordHash', 'timeZone'])
      .executeTakeFirst();
    if (!attempt || !(await completeSignUp(trx, attempt, now))) throw invalidLink();
  });
}
