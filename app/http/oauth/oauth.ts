import { Authenticator } from 'remix-auth';
import { OAuth2RequestError } from 'remix-auth-oauth2';
import type { Viewer } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import type { PROVIDER_NAMES } from '#app/domain/accounts/limits.ts';
import { socialRefusal } from '#app/domain/accounts/oauth/identities.ts';
import { finishOauthFlow, type OauthFlow, startOauthFlow } from '#app/domain/accounts/oauth/oauth-states.ts';
import { CONNECT_ERRORS } from '#app/domain/linkedin/schema.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { GoogleRefused, isGoogleConfigured } from '#app/integrations/google.ts';
import { RemoteUncertain, RemoteUnreachable } from '#app/integrations/http/call.ts';
import { logger } from '#app/log.ts';
import {
  GoogleStrategy,
  type JourneyState,
  LinkedInStrategy,
  type ProviderProfile,
  stateCookieName,
} from './strategies.ts';

export type ProviderName = keyof typeof PROVIDER_NAMES;

const IS_CONFIGURED: Record<ProviderName, () => boolean> = {
  google: isGoogleConfigured,
  linkedin: () => env().LINKEDIN_CLIENT_ID !== '',
};

export const configuredProviders = (): ProviderName[] =>
  (Object.keys(IS_CONFIGURED) as ProviderName[]).filter((name) => IS_CONFIGURED[name]());

/** Throws a Refusal with 503 if the operator has not configured this provider. */
export function requireProvider(provider: ProviderName): void {
  if (IS_CONFIGURED[provider]()) return;
  throw new Refusal(503, 'not_configured', 'This way to sign in is not set up here.');
}

/** The URL that an API client opens in a browser to sign in. It is our page, so that the browser gets the state cookie. */
export function signInUrl(provider: ProviderName): string {
  requireProvider(provider);
  return `${env().APP_URL}/auth/${provider}`;
}

const authenticator = (journeyState: JourneyState) =>
  new Authenticator<ProviderProfile>()
    .use(new GoogleStrategy(journeyState))
    .use(new LinkedInStrategy(journeyState));

const isProviderError = (error: unknown) =>
  [GoogleRefused, RemoteUncertain, RemoteUnreachable].some((type) => error instanceof type);

function providerFailed(cause: unknown): Refusal {
  logger().warn({ err: cause }, 'a provider said no');
  return Object.assign(socialRefusal('provider_failed', 502), { cause });
}

/** Returns the redirect to the provider, with the cookie that binds the callback to this browser. */
export async function redirectToProvider(request: Request, journey: OauthFlow): Promise<Response> {
  const { provider } = journey;
  requireProvider(provider);
  const state = await startOauthFlow(db(), journey);
  const journeyState = {
    state,
    end: () => Promise.reject(new Error('A redirect to the provider ends no journey')),
  };
  const headers = { Cookie: request.headers.get('Cookie') ?? '' };
  try {
    await authenticator(journeyState).authenticate(provider, new Request(env().APP_URL, { headers }));
  } catch (thrown) {
    if (isProviderError(thrown)) throw providerFailed(thrown);
    if (!(thrown instanceof Response)) throw thrown;
    // URLSearchParams writes a space as "+", and LinkedIn documents %20.
    const location = thrown.headers.get('Location')!.replaceAll('+', '%20');
    const cookies = thrown.headers.getSetCookie().map((line) => ['Set-Cookie', line] as [string, string]);
    return new Response(null, { status: 302, headers: [['Location', location], ...cookies] });
  }
  throw new Error('remix-auth did not redirect to the provider');
}

/** Without a journey, the callback belongs to none that this browser has started. */
export type CallbackResult =
  | { journey: OauthFlow; profile: ProviderProfile; refusal?: never }
  | { journey?: OauthFlow; profile?: never; refusal: Refusal };

export const isOtherUser = (viewer: Viewer | null, userId: string) =>
  viewer !== null && viewer.actor.userId !== userId;

export function refuseOtherUser(viewer: Viewer | null, userId: string): void {
  if (isOtherUser(viewer, userId)) throw new Refusal(403, 'other_account', CONNECT_ERRORS.other_account);
}

/**
 * Handles the callback of a provider. A state that is unknown, used, expired or from another browser is refused before any
 * request to the provider, and so is a browser that is signed in as another user.
 */
export async function handleCallback(
  request: Request,
  provider: ProviderName,
  viewer: Viewer | null,
): Promise<CallbackResult> {
  const state = new URL(request.url).searchParams.get('state') ?? '';
  const invalid = () => socialRefusal('state_invalid', 400);
  if (!state) return { refusal: invalid() };
  let journey: OauthFlow | undefined;
  const end = async () => {
    journey = await finishOauthFlow(db(), { provider, state, sessionId: viewer?.sessionId ?? null });
    if (!journey) throw invalid();
    if (journey.userId) refuseOtherUser(viewer, journey.userId);
  };
  try {
    const profile = await authenticator({ state, end }).authenticate(provider, request);
    return { journey: journey!, profile };
  } catch (error) {
    if (error instanceof OAuth2RequestError) return handleProviderError(error, end, () => journey);
    if (error instanceof Refusal) {
      if (error.cause) logger().warn({ err: error.cause }, 'a provider said no');
      return { ...(journey && { journey }), refusal: error };
    }
    if (isProviderError(error)) return { ...(journey && { journey }), refusal: providerFailed(error) };
    // remix-auth throws these for a state that the browser does not have, and for a callback without a code.
    const isInvalidCallback = error instanceof RangeError || error instanceof ReferenceError;
    if (!isInvalidCallback || journey) throw error;
    logger().info({ reason: error.message }, 'a browser came back from a provider without having begun');
    return { refusal: invalid() };
  }
}

const DENIED = /^(access_denied$|user_cancelled_)/;

/** The provider redirected back with an error, such as when the user declined. */
async function handleProviderError(
  { code, message }: OAuth2RequestError,
  end: () => Promise<void>,
  journeyOf: () => OauthFlow | undefined,
): Promise<CallbackResult> {
  try {
    await end();
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    throw error;
  }
  const refusal = DENIED.test(code) ? socialRefusal('access_denied') : providerFailed(new Error(message));
  return { journey: journeyOf()!, refusal };
}

export function clearJourneyCookies(request: Request, response: Response): Response {
  const state = new URL(request.url).searchParams.get('state');
  const secure = env().APP_URL.startsWith('https:') ? '; Secure' : '';
  for (const cookie of (request.headers.get('Cookie') ?? '').split(/; */)) {
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    if (!state || !name.startsWith(stateCookieName()) || !value.includes(state)) continue;
    response.headers.append('Set-Cookie', `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure}`);
  }
  return response;
}
