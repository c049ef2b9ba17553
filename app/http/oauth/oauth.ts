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
  LinkedInStrategy,
  type Passage,
  type ProviderProfile,
  stateCookieName,
} from './strategies.ts';

export type ProviderName = keyof typeof PROVIDER_NAMES;

const IS_CONFIGURED: Record<ProviderName, () => boolean> = {
  google: isGoogleConfigured,
  linkedin: () => env().LINKEDIN_CLIENT_ID !== '',
};

/** Those by which people can sign in here. */
export const configuredProviders = (): ProviderName[] =>
  (Object.keys(IS_CONFIGURED) as ProviderName[]).filter((name) => IS_CONFIGURED[name]());

/** Refuses with 503 a provider that the operator has not set up. */
export function requireProvider(provider: ProviderName): void {
  if (IS_CONFIGURED[provider]()) return;
  throw new Refusal(503, 'not_configured', 'This way to sign in is not set up here.');
}

/** Where a program sends a browser to sign in: a page of ours, so that the journey begins in that browser. */
export function signInAddress(provider: ProviderName): string {
  requireProvider(provider);
  return `${env().APP_URL}/auth/${provider}`;
}

const authenticator = (passage: Passage) =>
  new Authenticator<ProviderProfile>().use(new GoogleStrategy(passage)).use(new LinkedInStrategy(passage));

const isOfProvider = (error: unknown) =>
  [GoogleRefused, RemoteUncertain, RemoteUnreachable].some((kind) => error instanceof kind);

function failed(cause: unknown): Refusal {
  logger().warn({ err: cause }, 'a provider said no');
  return Object.assign(socialRefusal('provider_failed', 502), { cause });
}

/** Sends the browser to the provider: the redirect, with the cookie that binds the way back to this browser. */
export async function beginAtProvider(request: Request, journey: OauthFlow): Promise<Response> {
  const { provider } = journey;
  requireProvider(provider);
  const state = await startOauthFlow(db(), journey);
  const passage = { state, end: () => Promise.reject(new Error('This journey only begins')) };
  const headers = { Cookie: request.headers.get('Cookie') ?? '' };
  try {
    await authenticator(passage).authenticate(provider, new Request(env().APP_URL, { headers }));
  } catch (thrown) {
    if (isOfProvider(thrown)) throw failed(thrown);
    if (!(thrown instanceof Response)) throw thrown;
    // URLSearchParams writes a space as "+", and LinkedIn documents %20.
    const to = thrown.headers.get('Location')!.replaceAll('+', '%20');
    const cookies = thrown.headers.getSetCookie().map((line) => ['Set-Cookie', line] as [string, string]);
    return new Response(null, { status: 302, headers: [['Location', to], ...cookies] });
  }
  throw new Error('A journey that begins leads to the provider');
}

/** A journey that has ended: what was proved, or why nothing was. Without a journey nobody here has begun it. */
export type Back =
  | { journey: OauthFlow; told: ProviderProfile; refusal?: never }
  | { journey?: OauthFlow; told?: never; refusal: Refusal };

/** Whether a browser is signed in to another account than this one. */
export const isOther = (viewer: Viewer | null, userId: string) =>
  viewer !== null && viewer.actor.userId !== userId;

/** Refuses to connect an account in a browser that is signed in to another one. */
export function refuseOther(viewer: Viewer | null, userId: string): void {
  if (isOther(viewer, userId)) throw new Refusal(403, 'other_account', CONNECT_ERRORS.other_account);
}

/**
 * What came of a journey, when a browser comes back from a provider. A state that is unknown, used, over, or another
 * browser's is refused before the provider is asked for anything, and so is a browser that is signed in as somebody else.
 */
export async function comeBack(
  request: Request,
  provider: ProviderName,
  viewer: Viewer | null,
): Promise<Back> {
  const state = new URL(request.url).searchParams.get('state') ?? '';
  const invalid = () => socialRefusal('state_invalid', 400);
  if (!state) return { refusal: invalid() };
  let journey: OauthFlow | undefined;
  const end = async () => {
    journey = await finishOauthFlow(db(), { provider, state, sessionId: viewer?.sessionId ?? null });
    if (!journey) throw invalid();
    if (journey.userId) refuseOther(viewer, journey.userId);
  };
  try {
    const told = await authenticator({ state, end }).authenticate(provider, request);
    return { journey: journey!, told };
  } catch (error) {
    if (error instanceof OAuth2RequestError) return saidNo(error, end, () => journey);
    if (error instanceof Refusal) {
      if (error.cause) logger().warn({ err: error.cause }, 'a provider said no');
      return { ...(journey && { journey }), refusal: error };
    }
    if (isOfProvider(error)) return { ...(journey && { journey }), refusal: failed(error) };
    // What remix-auth says of a browser that has no such state, and of an answer without a code.
    const isOfBrowser = error instanceof RangeError || error instanceof ReferenceError;
    if (!isOfBrowser || journey) throw error;
    logger().info({ reason: error.message }, 'a browser came back from a provider without having begun');
    return { refusal: invalid() };
  }
}

const DENIED = /^(access_denied$|user_cancelled_)/;

async function saidNo(
  { code, message }: OAuth2RequestError,
  end: () => Promise<void>,
  journeyOf: () => OauthFlow | undefined,
): Promise<Back> {
  try {
    await end();
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    throw error;
  }
  const refusal = DENIED.test(code) ? socialRefusal('access_denied') : failed(new Error(message));
  return { journey: journeyOf()!, refusal };
}

/** Lets the browser forget the cookies of journeys: those of the one that has ended. */
export function clearJourneyCookies(request: Request, response: Response): Response {
  const state = new URL(request.url).searchParams.get('state');
  const secure = env().APP_URL.startsWith('https:') ? '; Secure' : '';
  for (const cookie of (request.headers.get('Cookie') ?? '').split(/; */)) {
    const at = cookie.indexOf('=');
    const name = cookie.slice(0, at);
    if (!state || !name.startsWith(stateCookieName()) || !cookie.slice(at).includes(state)) continue;
    response.headers.append('Set-Cookie', `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure}`);
  }
  return response;
}
