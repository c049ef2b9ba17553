import type { Trx } from '#app/db/client.ts';
import { SOCIAL_ERRORS } from '#app/domain/accounts/schema.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';

/** Refuses who knew a password that is the account's no longer, also when it is changed at this moment. */
export async function requirePassword(trx: Trx, userId: string, passwordHash: string): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('passwordHash', '=', passwordHash)
    .forShare()
    .executeTakeFirst();
  if (!user) throw new Refusal(401, 'invalid_credentials', 'Invalid email or password');
}

/**
 * For who has just made a session: how many of its kind the account has. Refuses when the account is being erased or was
 * stopped by an admin, also when that begins at this moment: as the session refers to the user, one of both waits for the other.
 */
export async function countSessions(trx: Trx, userId: string, kind: 'web' | 'api'): Promise<number> {
  const { count, erasingAt, disabledAt } = await trx
    .selectNoFrom((eb) => [
      eb
        .selectFrom('sessions')
        .select((own) => own.fn.countAll<string>().as('count'))
        .where('userId', '=', userId)
        .where('kind', '=', kind)
        .where('name', 'is', null)
        .as('count'),
      eb.selectFrom('accountDeletions').select('erasingAt').where('userId', '=', userId).as('erasingAt'),
      eb.selectFrom('disabledAccounts').select('disabledAt').where('userId', '=', userId).as('disabledAt'),
    ])
    .executeTakeFirstOrThrow();
  if (erasingAt) throw new Refusal(403, 'account_erased', SOCIAL_ERRORS.account_erased);
  if (disabledAt) throw new Refusal(403, 'account_disabled', SOCIAL_ERRORS.account_disabled);
  return Number(count);
}
