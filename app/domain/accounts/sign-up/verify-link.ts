import { type Db, transact } from '#app/db/client.ts';
import { isPassword } from '#app/domain/accounts/password/password.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { hashToken } from '#app/domain/platform/secrets.ts';
import { ATTEMPT_MS, completeSignUp, lockAttempts } from './sign-ups.ts';

const invalidLink = () => new Refusal(400, 'invalid_link', 'Invalid verification link');

/** The sign-up to which this link was mailed last; undefined once it is completed, has another link, or is a day old. */
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

/**
 * Who follows the link: the browser that began the sign-up, somebody who knows its password, or a program that was
 * given the token. A stranger can have begun it with an address of ours: then whoever merely clicks would make their account.
 */
export type LinkOpener = { signUpId?: string | undefined; password?: string; isProgram?: true };

/** Makes the account of the sign-up to which the link was mailed; refuses with `invalid_link`, or a wrong password. */
export async function verifyByLink(
  db: Db,
  token: string,
  { signUpId, password = '', isProgram }: LinkOpener,
  now = databaseNow(),
): Promise<void> {
  const linked = await findSignUpByLink(db, token, now);
  if (!linked) {
    emitEvent('sign_in_failed', { reason: 'code' });
    throw invalidLink();
  }
  const isKnown = isProgram || signUpId === linked.id || (await isPassword(linked.passwordHash, password));
  if (!isKnown) {
    emitEvent('sign_in_failed', { reason: 'credentials' });
    const message = 'This is not the password that was chosen at the sign-up';
    throw new Refusal(422, 'invalid', message, { field: 'password' });
  }
  await transact(db, async (trx) => {
    await lockAttempts(trx, linked.email, undefined);
    const attempt = await trx
      .deleteFrom('signUps')
      .where('id', '=', linked.id)
      .where('linkHash', '=', hashToken(token))
      .returning(['email', 'name', 'passwordHash', 'timeZone'])
      .executeTakeFirst();
    if (!attempt || !(await completeSignUp(trx, attempt, now))) throw invalidLink();
  });
}
