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
import { notify } from '#app/http/forms/flash.ts';
import { clearJourneyCookies, comeBack, type ProviderName } from '#app/http/oauth/oauth.ts';
import type { ProviderProfile } from '#app/http/oauth/strategies.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { signedInOf } from '#app/http/session/session.ts';
import { arrivalCookie, linkCookie, offerCookie } from '#app/http/session/social-cookies.ts';
import type { Route } from './+types/callback.ts';

type Context = Route.LoaderArgs['context'];
type Arrived = { journey: OauthFlow; told: ProviderProfile; viewer: Viewer | null; context: Context };

const SECURITY = '/app/account/security';
const query = (fields: Record<string, string>) => `${new URLSearchParams(fields)}`;

/** Where a provider sends the browser back to. What it brought is used here, and stands in no page. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  verbOf(PROVIDER_NAMES, params.provider);
  const provider = params.provider as ProviderName;
  const viewer = context.get(viewerContext);
  const { journey, told, refusal } = await comeBack(request, provider, viewer);
  if (!told) return clearJourneyCookies(request, refuse(refusal, provider, journey, { viewer, context }));
  try {
    return clearJourneyCookies(request, await ENDINGS[journey.intent]({ journey, told, viewer, context }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return clearJourneyCookies(request, refuse(error, provider, journey, { viewer, context }));
  }
}

/** What is done with what was proved: what the journey was begun for, and nothing else. */
const ENDINGS: Record<OauthFlow['intent'], (arrived: Arrived) => Promise<Response>> = {
  'sign-in': enter,
  async link({ told, context }) {
    await linkIdentity(db(), signedInOf(context), told);
    notify(context, 'success', `${PROVIDER_NAMES[told.provider]} is linked to your account.`);
    return redirect(SECURITY);
  },
  async connect({ journey, told, viewer }) {
    const userId = journey.userId!;
    if (viewer?.actor.userId === userId) {
      await connectMember(db(), userId, told.member!);
      return redirect('/app/linkedin?linkedin=connected');
    }
    const offerId = await createPendingConnection(db(), userId, told.member!);
    return offerCookie.remember(redirect('/auth/linkedin/publish'), { offerId });
  },
};

async function enter({ journey, told: proved }: Arrived): Promise<Response> {
  const { provider, member } = proved;
  const entered = await signInWithIdentity(db(), proved, journey);
  if (entered.kind === 'taken') {
    return linkCookie.remember(redirect('/auth/link'), { pendingId: entered.pendingId });
  }
  const { userId } = entered;
  const key = randomToken();
  const token = await issueExchangeCode(db(), { userId, browserKey: key });
  const isConnected = member && (await isUserConnected(db(), userId, new Date()));
  const told = { token, provider, ...(isConnected && { linkedin_connected: 'true' }) };
  const response = redirect(`/auth/oauth-callback?${query(told)}`);
  await arrivalCookie.remember(response, { key, ...(journey.target && { target: journey.target }) });
  const isAsked =
    member &&
    (await canOfferConnection(db(), userId, member)) &&
    !(await hasDeclinedPublishing(db(), userId));
  if (!isAsked) return offerCookie.forget(response);
  return offerCookie.remember(response, { offerId: await createPendingConnection(db(), userId, member) });
}

type Around = { viewer: Viewer | null; context: Context };

/** A refusal is told where the journey began. */
function refuse(
  refusal: Refusal,
  provider: ProviderName,
  journey: OauthFlow | undefined,
  { viewer, context }: Around,
): Response {
  const intent = journey?.intent ?? (viewer && provider === 'linkedin' ? 'connect' : 'sign-in');
  if (intent === 'link') {
    notify(context, 'error', refusal.message, 'sign-in-methods');
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
