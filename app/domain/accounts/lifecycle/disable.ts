import type { Db, Trx } from '#app/db/client.ts';
import { SOCIAL_ERRORS } from '#app/domain/accounts/schema.ts';
import { endSessionsOf } from '#app/domain/accounts/sign-in/sessions.ts';
import { findOrRefuse } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';

export const findDisabled = (db: Db, userId: string) =>
  db
    .selectFrom('disabledAccounts')
    .select(['disabledAt', 'reason'])
    .where('userId', '=', userId)
    .executeTakeFirst();

/** Throws a Refusal when an admin has disabled the account. Under the user's lock the result stays true. */
export async function requireEnabled(db: Db, userId: string): Promise<void> {
  if (await findDisabled(db, userId))
    throw new Refusal(403, 'account_disabled', SOCIAL_ERRORS.account_disabled);
}

/** Sessions refer to the user: one that is being created is waited for and ended, a later one is refused. */
async function lockAgainstSessions(trx: Trx, userId: string): Promise<{ isAdmin: boolean }> {
  const user = await findOrRefuse('This account', userId, () =>
    trx.selectFrom('users').select('role').where('id', '=', userId).forUpdate().executeTakeFirst(),
  );
  return { isAdmin: user.role === 'admin' };
}

export async function markDisabled(
  trx: Trx,
  { userId, reason }: { userId: string; reason: string },
  now: Date,
): Promise<{ isAdmin: boolean }> {
  const user = await lockAgainstSessions(trx, userId);
  const disabled = await trx
    .insertInto('disabledAccounts')
    .values({ userId, reason, disabledAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst();
  if (!disabled) throw new Refusal(409, 'already_disabled', 'This account is disabled already');
  await endSessionsOf(trx, userId, 'admin');
  return user;
}

export async function unmarkDisabled(trx: Trx, userId: string) {
  await lockAgainstSessions(trx, userId);
  const enabled = await trx
    .deleteFrom('disabledAccounts')
    .where('userId', '=', userId)
    .returning(['disabledAt', 'reason'])
    .executeTakeFirst();
  if (!enabled) throw new Refusal(409, 'not_disabled', 'This account is not disabled');
  return enabled;
}
