import type { Db, Trx } from '#app/db/client.ts';
import { SOCIAL_ERRORS } from '#app/domain/accounts/schema.ts';
import { endSessionsOf } from '#app/domain/accounts/sign-in/sessions.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';

/** Since when and why an account does nothing and lets nobody in; undefined when it does. */
export const findDisabled = (db: Db, userId: string) =>
  db
    .selectFrom('disabledAccounts')
    .select(['disabledAt', 'reason'])
    .where('userId', '=', userId)
    .executeTakeFirst();

/**
 * Refuses what an account that was stopped does no more. Under the lock of the user it stays as it is answered: whoever stops
 * the account waits for that lock.
 */
export async function requireEnabled(db: Db, userId: string): Promise<void> {
  if (await findDisabled(db, userId))
    throw new Refusal(403, 'account_disabled', SOCIAL_ERRORS.account_disabled);
}

/**
 * Takes the lock of the user for which every new session waits, as it refers to the user: one that is being made is seen and
 * ended here, and a later one is refused.
 */
async function lockAgainstSessions(trx: Trx, userId: string): Promise<{ isAdmin: boolean }> {
  const found = isId(userId)
    ? await trx.selectFrom('users').select('role').where('id', '=', userId).forUpdate().executeTakeFirst()
    : undefined;
  if (!found) throw notFound('This account');
  return { isAdmin: found.role === 'admin' };
}

/** Stops an account, and ends every session and token of it. Answers whether it is an admin's. */
export async function markDisabled(
  trx: Trx,
  { userId, reason }: { userId: string; reason: string },
  now: Date,
): Promise<{ isAdmin: boolean }> {
  const stopped = await lockAgainstSessions(trx, userId);
  const marked = await trx
    .insertInto('disabledAccounts')
    .values({ userId, reason, disabledAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst();
  if (!marked) throw new Refusal(409, 'already_disabled', 'This account is disabled already');
  await endSessionsOf(trx, userId, 'admin');
  return stopped;
}

/** Lets an account go on, and answers since when and why it was stopped. */
export async function unmarkDisabled(trx: Trx, userId: string) {
  await lockAgainstSessions(trx, userId);
  const ended = await trx
    .deleteFrom('disabledAccounts')
    .where('userId', '=', userId)
    .returning(['disabledAt', 'reason'])
    .executeTakeFirst();
  if (!ended) throw new Refusal(409, 'not_disabled', 'This account is not disabled');
  return ended;
}
