import type { Trx } from '#app/db/client.ts';
import { PROVIDER_NAMES } from '#app/domain/accounts/limits.ts';
import type { Unlinked } from '#app/domain/accounts/oauth/unlink-unverified.ts';
import { securityUrl } from '#app/domain/accounts/two-step/security-url.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import { env } from '#app/env.ts';

const toListItem = ({ provider, email }: Unlinked): [string, string] => [
  PROVIDER_NAMES[provider],
  email ?? 'linked',
];

/** The mail lists what an intruder may have left: other sign-in methods and the LinkedIn connection. */
export async function notifyPasswordChanged(
  trx: Trx,
  userId: string,
  unlinked: Unlinked[] = [],
): Promise<void> {
  const identities = await trx
    .selectFrom('identities')
    .select(['provider', 'email'])
    .where('userId', '=', userId)
    .orderBy('provider')
    .execute();
  const passkeys = await trx
    .selectFrom('passkeys')
    .select('name')
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();
  const waysIn: [string, string][] = [
    ...identities.map(toListItem),
    ...passkeys.map(({ name }): [string, string] => ['Passkey', name]),
  ];
  const connection = await trx
    .selectFrom('linkedinConnections')
    .select('name')
    .where('userId', '=', userId)
    .executeTakeFirst();
  await mailUser(trx, userId, 'passwordChanged', {
    ...(unlinked.length > 0 && { unlinked: unlinked.map(toListItem) }),
    ...(connection && {
      publishes: { as: connection.name, url: new URL('/app/linkedin', env().APP_URL).href },
    }),
    ...(waysIn.length > 0 && { others: { waysIn, url: securityUrl() } }),
    url: new URL('/forgot-password', env().APP_URL).href,
  });
}
