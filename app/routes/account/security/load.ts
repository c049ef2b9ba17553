import type { Db } from '#app/db/client.ts';
import { PROVIDER_NAMES } from '#app/domain/accounts/limits.ts';
import { listSignInMethods } from '#app/domain/accounts/oauth/identities.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate } from '#app/domain/platform/dates.ts';
import { configuredProviders, type ProviderName } from '#app/http/oauth/oauth.ts';

export async function loadMethods(db: Db, actor: Actor) {
  const { hasPassword, identities, isOnlyOne } = await listSignInMethods(db, actor);
  const linked = identities.map(({ provider, email, linkedAt }) => ({
    provider,
    name: PROVIDER_NAMES[provider],
    linked: { email, since: formatDate(linkedAt, actor.timeZone), isOnly: isOnlyOne },
  }));
  const isLinked = (name: ProviderName) => identities.some(({ provider }) => provider === name);
  const unlinked = configuredProviders()
    .filter((name) => !isLinked(name))
    .map((provider) => ({ provider, name: PROVIDER_NAMES[provider], linked: null }));
  return { email: actor.email, hasPassword, providers: [...linked, ...unlinked] };
}

export type Methods = Awaited<ReturnType<typeof loadMethods>>;
