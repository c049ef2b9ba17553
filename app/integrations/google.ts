import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { env } from '#app/env.ts';
import { boundedFetch } from '#app/integrations/http/bounded-fetch.ts';
import { callRemote, parseJsonObject, RemoteUncertain } from '#app/integrations/http/call.ts';

export const GOOGLE_SCOPES = ['openid', 'email', 'profile'];
const TIMEOUT_MS = 10_000;
const HOUR_MS = 60 * 60_000;
const KEYS_BYTES_MAX = 256 * 1024;
/** We verify an id token seconds after it was issued, so an old one is a replay. */
const TOKEN_AGE_MAX = '10 minutes';
const CLOCK_TOLERANCE_SECONDS = 60;

/** Google refused the request, or the response is not Google's. `code` is Google's, such as invalid_grant. */
export class GoogleRefused extends Error {
  override name = 'GoogleRefused';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export const isGoogleConfigured = () => Boolean(env().GOOGLE_CLIENT_ID && env().GOOGLE_CLIENT_SECRET);

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});

export type GoogleProvider = { issuer: string; authorizeAt: string; tokenAt: string; keys: JWTVerifyGetKey };

let cached: { issuer: string; until: number; provider: GoogleProvider } | undefined;

/**
 * Fetches Google's discovery document, and caches it for an hour. Throws GoogleRefused, RemoteUnreachable or
 * RemoteUncertain.
 */
export async function discoverGoogle(): Promise<GoogleProvider> {
  const issuer = env().GOOGLE_ISSUER_URL;
  if (cached?.issuer === issuer && cached.until > Date.now()) return cached.provider;
  const url = `${issuer}/.well-known/openid-configuration`;
  const { status, body } = await callRemote({ method: 'GET', url, timeoutMs: TIMEOUT_MS });
  const discovery = Discovery.safeParse(parseJsonObject(body));
  if (status !== 200 || !discovery.success)
    throw new RemoteUncertain(`Google described itself with ${status}`);
  if (discovery.data.issuer !== issuer) {
    throw new GoogleRefused('issuer', `It calls itself ${discovery.data.issuer}`);
  }
  const keys = createRemoteJWKSet(new URL(discovery.data.jwks_uri), {
    timeoutDuration: TIMEOUT_MS,
    cacheMaxAge: HOUR_MS,
    // Id tokens come directly from Google, so an unknown key means that its keys have changed: fetch them immediately.
    cooldownDuration: 0,
    [customFetch]: boundedFetch(KEYS_BYTES_MAX),
  });
  const { authorization_endpoint: authorizeAt, token_endpoint: tokenAt } = discovery.data;
  const provider = { issuer, authorizeAt, tokenAt, keys };
  cached = { issuer, until: Date.now() + HOUR_MS, provider };
  return provider;
}

const TokenResponse = z.object({ id_token: z.string().min(1) });
const ErrorBody = z.object({
  error: z.string().max(100),
  error_description: z.string().max(300).default(''),
});

type Exchange = { code: string; codeVerifier: string; redirectUri: string };

/**
 * Exchanges a code for the id token. `redirectUri` must equal that of the authorization URL. Throws GoogleRefused,
 * RemoteUnreachable or RemoteUncertain.
 */
export async function exchangeGoogleCode(google: GoogleProvider, input: Exchange): Promise<string> {
  const { GOOGLE_CLIENT_ID = '', GOOGLE_CLIENT_SECRET = '' } = env();
  const form = {
    grant_type: 'authorization_code',
    code: input.code,
    code_verifier: input.codeVerifier,
    redirect_uri: input.redirectUri,
    client_id: GOOGLE_CLIENT_ID,
    client_secret: GOOGLE_CLIENT_SECRET,
  };
  const { status, body } = await callRemote({
    method: 'POST',
    url: google.tokenAt,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
    timeoutMs: TIMEOUT_MS,
  });
  const json = parseJsonObject(body);
  const error = ErrorBody.safeParse(json);
  if (status >= 400 && status < 500 && error.success) {
    throw new GoogleRefused(error.data.error, error.data.error_description);
  }
  const token = TokenResponse.safeParse(json);
  if (status === 200 && token.success) return token.data.id_token;
  throw new RemoteUncertain(`Google answered ${status} with a body that can't be read`);
}

const Claims = z.object({
  sub: z.string().min(1).max(255),
  nonce: z.string(),
  azp: z.string().optional(),
  email: z.string().max(320).optional(),
  email_verified: z.boolean().default(false),
  name: z.string().default(''),
});

export type GoogleClaims = { sub: string; email: string | null; isEmailVerified: boolean; name: string };

/** Google also sends its issuer without the scheme. */
export const issuersOf = (issuer: string) => [issuer, issuer.replace(/^https:\/\//, '')];

/**
 * Verifies an id token and returns its claims: signed by Google, for our client, recent, and with this nonce. Throws
 * GoogleRefused or RemoteUncertain.
 */
export async function readIdToken(
  google: GoogleProvider,
  idToken: string,
  nonce: string,
): Promise<GoogleClaims> {
  const audience = env().GOOGLE_CLIENT_ID!;
  const payload = await verifyIdToken(google, idToken, audience);
  const claims = Claims.safeParse(payload);
  if (!claims.success) throw new GoogleRefused('id_token', 'A claim is missing');
  const { sub, email, email_verified: isEmailVerified, name, azp } = claims.data;
  if (claims.data.nonce !== nonce) throw new GoogleRefused('id_token', 'It is for another sign-in');
  if (azp !== undefined && azp !== audience) throw new GoogleRefused('id_token', 'It is for another client');
  return { sub, email: email ?? null, isEmailVerified, name };
}

async function verifyIdToken({ issuer, keys }: GoogleProvider, idToken: string, audience: string) {
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer: issuersOf(issuer),
      audience,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
      maxTokenAge: TOKEN_AGE_MAX,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWKSTimeout)
      throw new RemoteUncertain('Google’s keys did not come', { cause: error });
    if (error instanceof errors.JOSEError) throw new GoogleRefused('id_token', error.message);
    throw new RemoteUncertain('Google’s keys could not be read', { cause: error });
  }
}
