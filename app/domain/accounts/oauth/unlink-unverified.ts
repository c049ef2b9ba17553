import type { Trx } from '#app/db/client.ts';
import type { Provider } from '#app/db/tables/accounts.ts';
import { emitEvent } from '#app/domain/platform/events.ts';

export type Unlinked = { provider: Provider; email: string | null };

/** An attacker who was signed in may have linked identities that do not prove the owner's mailbox. */
export async function unlinkUnverified(trx: Trx, userId: string, address: string): Promise<Unlinked[]> {
  await trx.deleteFrom('pendingIdentities').where('userId', '=', userId).execute();
  const unlinked = await trx
    .deleteFrom('identities')
    .where('userId', '=', userId)
    .where((eb) =>
      eb.or([eb('isEmailVerified', '=', false), eb('email', 'is', null), eb('email', '<>', address)]),
    )
    .returning(['provider', 'email'])
    .execute();
  for (const { provider } of unlinked) emitEvent('identity_unlinked', { provider, userId }, trx);
  return unlinked.sort((one, other) => one.provider.localeCompare(other.provider));
}
