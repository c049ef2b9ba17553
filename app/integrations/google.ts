import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { env } from '#app/env.ts';
import { boundedFetch } from '#app/integrations/http/bounded-fetch.ts';
import { callRemote, RemoteUncertain, readObject } from '#app/integrations/http/call.ts';

export const GOOGLE_SCOPES = ['openid', 'email', 'profile'];
const TIMEOUT_MS = 10_000;
const HOUR_MS = 60 * 60_000;
const MOST_BYTES_OF_KEYS = 256 * 1024;
/** An id token is looked at within seconds of being made; an old one was kept by somebody. */
const OLDEST = '10 minutes';
const CLOCKS_DIFFER_SECONDS = 60;

/** Google answered, and the answer is no, or is not Google's. `code` is its word, such as invalid_grant. */
export class GoogleRefused extends Error {
  override name = 'GoogleRefused';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Whether an operator has given us a client at Google. */
export const isGoogleConfigured = () => Boolean(env().GOOGLE_CLIENT_ID && env().GOOGLE_CLIENT_SECRET);

const Discovered = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});

export type GoogleProvider = { issuer: string; authorizeAt: string; tokenAt: string; keys: JWTVerifyGetKey };

let cached: { issuer: string; until: number; provider: GoogleProvider } | undefined;

/** Where Google's parts are, from its own description, which is kept for an hour. Throws GoogleRefused or RemoteError. */
export async function discoverGoogle(): Promise<GoogleProvider> {
  const issuer = env().GOOGLE_ISSUER_URL;
  if (cached?.issuer === issuer && cached.until > Date.now()) return cached.provider;
  const url = `${issuer}/.well-known/openid-configuration`;
  const { status, body } = await callRemote({ method: 'GET', url, timeoutMs: TIMEOUT_MS });
  const found = Discovered.safeParse(readObject(body));
  if (status !== 200 || !found.success) throw new RemoteUncertain(`Google described itself with ${status}`);
  if (found.data.issuer !== issuer) throw new GoogleRefused('issuer', `It calls itself ${found.data.issuer}`);
  const keys = createRemoteJWKSet(new URL(found.data.jwks_uri), {
    timeoutDuration: TIMEOUT_MS,
    cacheMaxAge: HOUR_MS,
    // A token with a key that we don't know yet comes from Google itself: its keys have changed.
    cooldownDuration: 0,
    [customFetch]: boundedFetch(MOST_BYTES_OF_KEYS),
  });
  const { authorization_endpoint: authorizeAt, token_endpoint: tokenAt } = found.data;
  const provider = { issuer, authorizeAt, tokenAt, keys };
  cached = { issuer, until: Date.now() + HOUR_MS, provider };
  return provider;
}

const TokenAnswer = z.object({ id_token: z.string().min(1) });
const Problem = z.object({ error: z.string().max(100), error_description: z.string().max(300).default('') });

type Exchange = { code: string; codeVerifier: string; redirectUri: string };

/**
 * Trades a code for the id token. `redirectUri` is the very string of the authorize address. Throws GoogleRefused,
 * RemoteUnreachable or RemoteUncertain.
 */
export async function exchangeGoogleCode(google: GoogleProvider, given: Exchange): Promise<string> {
  const { GOOGLE_CLIENT_ID = '', GOOGLE_CLIENT_SECRET = '' } = env();
  const form = {
    grant_type: 'authorization_code',
    code: given.code,
    code_verifier: given.codeVerifier,
    redirect_uri: given.redirectUri,
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
  const read = readObject(body);
  const problem = Problem.safeParse(read);
  if (status >= 400 && status < 500 && problem.success) {
    throw new GoogleRefused(problem.data.error, problem.data.error_description);
  }
  const answer = TokenAnswer.safeParse(read);
  if (status === 200 && answer.success) return answer.data.id_token;
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

/** Real Google has also named itself without the scheme. */
export const issuersOf = (issuer: string) => [issuer, issuer.replace(/^https:\/\//, '')];

/**
 * What an id token says, once it is certain that Google made it: for us, just now, and for the sign-in with this nonce.
 * Throws GoogleRefused, RemoteUnreachable or RemoteUncertain.
 */
export async function readIdToken(
  google: GoogleProvider,
  idToken: string,
  nonce: string,
): Promise<GoogleClaims> {
  const audience = env().GOOGLE_CLIENT_ID!;
  const payload = await verified(google, idToken, audience);
  const claims = Claims.safeParse(payload);
  if (!claims.success) throw new GoogleRefused('id_token', 'A claim is missing');
  const { sub, email, email_verified: isEmailVerified, name, azp } = claims.data;
  if (claims.data.nonce !== nonce) throw new GoogleRefused('id_token', 'It is for another sign-in');
  if (azp !== undefined && azp !== audience) throw new GoogleRefused('id_token', 'It is for another client');
  return { sub, email: email ?? null, isEmailVerified, name };
}

async function verified({ issuer, keys }: GoogleProvider, idToken: string, audience: string) {
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer: issuersOf(issuer),
      audience,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
      maxTokenAge: OLDEST,
      clockTolerance: CLOCKS_DIFFER_SECONDS,
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWKSTimeout)
      throw new RemoteUncertain('Google’s keys did not come', { cause: error });
    if (error instanceof errors.JOSEError) throw new GoogleRefused('id_token', error.message);
    throw new RemoteUncertain('Google’s keys could not be read', { cause: error });
  }
}
