import { z } from 'zod';
import { env } from '#app/env.ts';
import { type RemoteResponse, RemoteUncertain, readObject } from '#app/integrations/http/call.ts';
import { callLinkedIn, readProblem, retryAfter } from './responses.ts';

/** One set for everything: asking for another one would end the member's earlier tokens. */
export const LINKEDIN_SCOPES = ['openid', 'profile', 'email', 'w_member_social'] as const;
const TIMEOUT_MS = 15_000;
/** How long a token that was made just now can be unknown to LinkedIn's other hosts. */
export const TOKEN_SETTLES_MS = 1_500;
/** The word for a refusal that brings none. */
const UNNAMED = 'refused';

/** LinkedIn answered, and the answer is no. `code` is its word, such as invalid_request. */
export class LinkedInRefused extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, code: string, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = 'LinkedInRefused';
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** LinkedIn answered with what can't be read; it may have said when to come again. */
export class LinkedInUnclear extends RemoteUncertain {
  readonly retryAfterSeconds: number | null;

  constructor(message: string, retryAfterSeconds: number | null) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const CLIENT_FAULTS =
  /^(?:invalid_client(?:_id)?|unauthorized_client|invalid_redirect_uri|redirect_uri_mismatch|unsupported_grant_type|invalid_scope)$/;
const GRANT_ENDED = /\b(?:grant|refresh token)\b.*\b(?:invalid|expired|revoked)\b|\brevoked\b/i;

/** LinkedIn refuses this application by name, whatever it asked for. */
export const isClientFault = ({ code }: LinkedInRefused) => CLIENT_FAULTS.test(code);

/**
 * Whom a refused renewal is about: the member, whose permission has ended; this application,
 * which only its operator can mend; or nobody, because LinkedIn does not deal with it now.
 */
export function blamedParty(refusal: LinkedInRefused): 'member' | 'client' | 'nobody' {
  const { status, code, message } = refusal;
  if (status !== 400 && status !== 401) return 'nobody';
  if (isClientFault(refusal)) return 'client';
  if (code === 'invalid_grant' || GRANT_ENDED.test(message)) return 'member';
  return status === 401 || code !== UNNAMED ? 'client' : 'nobody';
}

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive(),
  refresh_token: z.string().min(1).optional(),
  // Only a hint: a connection does not fail for want of it.
  refresh_token_expires_in: z.coerce.number().nonnegative().optional().catch(undefined),
  // Documented with spaces, sent with commas.
  scope: z
    .string()
    .optional()
    .transform((scope) => scope?.split(/[ ,]+/).filter(Boolean)),
});

export type LinkedInTokens = {
  accessToken: string;
  refreshToken: string | null;
  expiresAt: Date;
  /** When the refresh token ends; null when LinkedIn did not say so. */
  refreshExpiresAt: Date | null;
  /** Undefined when LinkedIn named none, which means those that were asked for. */
  scopes: string[] | undefined;
};

const ProfileAnswer = z.object({
  sub: z.string().min(1),
  name: z.string().default(''),
  email: z.string().nullish(),
  email_verified: z.union([z.boolean(), z.stringbool()]).nullish().catch(undefined),
  picture: z.string().nullish(),
});

export type LinkedInProfile = {
  sub: string;
  name: string;
  email: string | null;
  /** False also when LinkedIn does not say. */
  isEmailVerified: boolean;
  picture: string | null;
};

/**
 * Where the browser goes to allow us in. No PKCE and no nonce: LinkedIn's web flow breaks with the first
 * and ignores the second.
 */
export function authorizeUrl({ state, redirectUri }: { state: string; redirectUri: string }): string {
  const query = [
    ['response_type', 'code'],
    ['client_id', env().LINKEDIN_CLIENT_ID],
    ['redirect_uri', redirectUri],
    ['state', state],
    ['scope', LINKEDIN_SCOPES.join(' ')],
  ].map(([name, value]) => `${name}=${encodeURIComponent(value!)}`);
  return `${env().LINKEDIN_AUTH_URL}/oauth/v2/authorization?${query.join('&')}`;
}

/**
 * Trades a code for tokens. `redirectUri` is the very string of the authorize address. Throws
 * LinkedInRefused, RemoteUnreachable or RemoteUncertain.
 */
export function exchangeCode(input: { code: string; redirectUri: string }): Promise<LinkedInTokens> {
  const { code, redirectUri } = input;
  return requestToken({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
}

/** Trades a refresh token for new tokens; the answer may bring a new refresh token. Throws as exchangeCode. */
export function refreshToken(token: string): Promise<LinkedInTokens> {
  return requestToken({ grant_type: 'refresh_token', refresh_token: token });
}

/** Ends a token at LinkedIn. The call is undocumented, so its answer is not looked at. */
export async function revokeToken(token: string): Promise<void> {
  await postForm('/oauth/v2/revoke', { token }, 5_000);
}

/** Who the token speaks for (GET /v2/userinfo). `sub` differs for each LinkedIn application. Throws as exchangeCode. */
export async function fetchProfile(accessToken: string): Promise<LinkedInProfile> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const url = `${env().LINKEDIN_API_URL}/v2/userinfo`;
  const answer = await callLinkedIn({ method: 'GET', url, headers, timeoutMs: TIMEOUT_MS });
  const { sub, name, email, email_verified, picture } = read(ProfileAnswer, answer);
  return {
    sub,
    name,
    email: email ?? null,
    picture: picture ?? null,
    isEmailVerified: email_verified === true,
  };
}

/** The author of a member's posts. */
export const personUrn = (sub: string) => `urn:li:person:${sub}`;

async function requestToken(form: Record<string, string>): Promise<LinkedInTokens> {
  const askedAt = Date.now();
  const answer = await postForm('/oauth/v2/accessToken', form, TIMEOUT_MS);
  const token = read(TokenAnswer, answer);
  const after = (seconds: number) => new Date(askedAt + seconds * 1000);
  const refreshSeconds = token.refresh_token_expires_in;
  return {
    accessToken: token.access_token,
    refreshToken: token.refresh_token ?? null,
    expiresAt: after(token.expires_in),
    refreshExpiresAt: refreshSeconds === undefined ? null : after(refreshSeconds),
    scopes: token.scope,
  };
}

function postForm(path: string, form: Record<string, string>, timeoutMs: number): Promise<RemoteResponse> {
  const { LINKEDIN_AUTH_URL, LINKEDIN_CLIENT_ID, LINKEDIN_CLIENT_SECRET } = env();
  const client = { client_id: LINKEDIN_CLIENT_ID, client_secret: LINKEDIN_CLIENT_SECRET };
  return callLinkedIn({
    method: 'POST',
    url: `${LINKEDIN_AUTH_URL}${path}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    body: new URLSearchParams({ ...form, ...client }).toString(),
    timeoutMs,
  });
}

function read<S extends z.ZodType>(schema: S, answer: RemoteResponse): z.output<S> {
  const { status, body } = answer;
  if (status >= 400 && status < 500) {
    const { error, error_description: description } = readObject(body) ?? {};
    const { code, message } = readProblem(body);
    const name = typeof error === 'string' ? error : (code ?? UNNAMED);
    const words = typeof description === 'string' ? description : message;
    throw new LinkedInRefused(status, name, words, retryAfter(answer));
  }
  const parsed = schema.safeParse(readObject(body));
  if (status === 200 && parsed.success) return parsed.data;
  throw new LinkedInUnclear(`LinkedIn answered ${status} with a body that can't be read`, retryAfter(answer));
}
