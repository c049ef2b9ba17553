import { redirect } from 'react-router';
import { type Viewer, viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { PROVIDER_NAMES } from '#app/domain/accounts/limits.ts';
import { issueExchangeCode } from '#app/domain/accounts/oauth/exchange-codes.ts';
import {
  hasDeclinedPublishing,
  linkIdentity,
  signInWithIdentity,
} from '#app/domain/accounts/oauth/identities.ts';
import type { OauthFlow } from '#app/domain/accounts/oauth/oauth-states.ts';
import { socialErrorText } from '#app/domain/accounts/schema.ts';
import { connectMember } from '#app/domain/linkedin/connect/connect.ts';
import { canOfferConnection, createPendingConnection } from '#app/domain/linkedin/connect/pending.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { randomToken } from '#app/domain/platform/secrets.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { clearJourneyCookies, handleCallback, type ProviderName } from '#app/http/oauth/oauth.ts';
import type { ProviderProfile } from '#app/http/oauth/strategies.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { signedInOf } from '#app/http/session/session.ts';
import { arrivalCookie, linkCookie, offerCookie } from '#app/http/session/social-cookies.ts';
import type { Route } from './+types/callback.ts';

type Context = Route.LoaderArgs['context'];
type Completed = { journey: OauthFlow; profile: ProviderProfile; viewer: Viewer | null; context: Context };

const SECURITY = '/app/account/security';
const query = (fields: Record<string, string>) => `${new URLSearchParams(fields)}`;

/** The provider redirects here. Its code and state are used up and never reach a page. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  verbOf(PROVIDER_NAMES, params.provider);
  const provider = params.provider as ProviderName;
  const viewer = context.get(viewerContext);
  const { journey, profile, refusal } = await handleCallback(request, provider, viewer);
  if (!profile) return clearJourneyCookies(request, refuse(refusal, provider, journey, { viewer, context }));
  try {
    const response = await HANDLERS[journey.intent]({ journey, profile, viewer, context });
    return clearJourneyCookies(request, response);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return clearJourneyCookies(request, refuse(error, provider, journey, { viewer, context }));
  }
}

const HANDLERS: Record<OauthFlow['intent'], (completed: Completed) => Promise<Response>> = {
  'sign-in': signInWithProvider,
  async link({ profile, context }) {
    await linkIdentity(db(), signedInOf(context), profile);
    setFlash(context, 'success', `${PROVIDER_NAMES[profile.provider]} is linked to your account.`);
    return redirect(SECURITY);
  },
  async connect({ journey, profile, viewer }) {
    const userId = journey.userId!;
    if (viewer?.actor.userId === userId) {
      await connectMember(db(), userId, profile.member!);
      return redirect('/app/linkedin?linkedin=connected');
    }
    const offerId = await createPendingConnection(db(), userId, profile.member!);
    return offerCookie.remember(redirect('/auth/linkedin/publish'), { offerId });
  },
};

async function signInWithProvider({ journey, profile }: Completed): Promise<Response> {
  const { provider, member } = profile;
  const result = await signInWithIdentity(db(), profile, journey);
  if (result.kind === 'taken') {
    return linkCookie.remember(redirect('/auth/link'), { pendingId: result.pendingId });
  }
  const { userId } = result;
  const key = randomToken();
  const token = await issueExchangeCode(db(), { userId, browserKey: key });
  const isConnected = member && (await isUserConnected(db(), userId, new Date()));
  const fields = { token, provider, ...(isConnected && { linkedin_connected: 'true' }) };
  const response = redirect(`/auth/oauth-callback?${query(fields)}`);
  await arrivalCookie.remember(response, { key, ...(journey.target && { target: journey.target }) });
  const canOffer =
    member &&
    (await canOfferConnection(db(), userId, member)) &&
    !(await hasDeclinedPublishing(db(), userId));
  if (!canOffer) return offerCookie.forget(response);
  return offerCookie.remember(response, { offerId: await createPendingConnection(db(), userId, member) });
}

/** Redirects to the page on which the flow began, which shows the refusal. */
function refuse(
  refusal: Refusal,
  provider: ProviderName,
  journey: OauthFlow | undefined,
  { viewer, context }: Pick<Completed, 'viewer' | 'context'>,
): Response {
  const intent = journey?.intent ?? (viewer && provider === 'linkedin' ? 'connect' : 'sign-in');
  if (intent === 'link') {
    setFlash(context, 'error', refusal.message, 'sign-in-methods');
    return redirect(SECURITY);
  }
  if (intent === 'connect') {
    const to = viewer ? '/app/linkedin' : '/auth/linkedin/publish';
    const name = viewer ? 'error' : 'state';
    const isConnectError = refusal.code !== 'provider_failed';
    return redirect(`${to}?${query({ [name]: isConnectError ? refusal.code : 'connect_failed' })}`);
  }
  emitEvent('sign_in_failed', { reason: 'provider', userId: null });
  const error = socialErrorText(refusal.code) ? refusal.code : 'provider_failed';
  return redirect(`/auth/oauth-callback?${query({ error, provider })}`);
}
