import { z } from 'zod';
import { env } from '#app/env.ts';
import { parseJsonObject, type RemoteResponse, RemoteUncertain } from '#app/integrations/http/call.ts';
import { callLinkedIn, readProblem, retryAfter } from './responses.ts';

/** Always the same set: requesting another one would invalidate the member's earlier tokens. */
export const LINKEDIN_SCOPES = ['openid', 'profile', 'email', 'w_member_social'] as const;
const TIMEOUT_MS = 15_000;
/** How long a new token can be unknown to LinkedIn's other hosts. */
export const TOKEN_PROPAGATION_MS = 1_500;
const NO_CODE = 'refused';

/** LinkedIn refused the request. `code` is LinkedIn's, such as invalid_request. */
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

export class LinkedInUnreadable extends RemoteUncertain {
  readonly retryAfterSeconds: number | null;

  constructor(message: string, retryAfterSeconds: number | null) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const CLIENT_ERRORS =
  /^(?:invalid_client(?:_id)?|unauthorized_client|invalid_redirect_uri|redirect_uri_mismatch|unsupported_grant_type|invalid_scope)$/;
const GRANT_ENDED = /\b(?:grant|refresh token)\b.*\b(?:invalid|expired|revoked)\b|\brevoked\b/i;

/** Whether LinkedIn refuses our application itself. */
export const isClientFault = ({ code }: LinkedInRefused) => CLIENT_ERRORS.test(code);

/**
 * Returns the cause of a refused token refresh: the member's permission has ended, our application is misconfigured, or
 * neither, as LinkedIn cannot handle the request now.
 */
export function blamedParty(refusal: LinkedInRefused): 'member' | 'client' | 'nobody' {
  const { status, code, message } = refusal;
  if (status !== 400 && status !== 401) return 'nobody';
  if (isClientFault(refusal)) return 'client';
  if (code === 'invalid_grant' || GRANT_ENDED.test(message)) return 'member';
  return status === 401 || code !== NO_CODE ? 'client' : 'nobody';
}

const TokenResponse = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive(),
  refresh_token: z.string().min(1).optional(),
  // Only a hint, so an invalid value is ignored.
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
  /** When the refresh token expires; null if LinkedIn does not say. */
  refreshExpiresAt: Date | null;
  /** Undefined if LinkedIn names none: then those that were requested. */
  scopes: string[] | undefined;
};

const ProfileResponse = z.object({
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
  /** Also false if LinkedIn does not say. */
  isEmailVerified: boolean;
  picture: string | null;
};

/** The authorization URL. Without PKCE, which breaks LinkedIn's web flow, and without a nonce, which it ignores. */
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
 * Exchanges a code for tokens. `redirectUri` must equal that of the authorization URL. Throws LinkedInRefused,
 * RemoteUnreachable or RemoteUncertain.
 */
export function exchangeCode(input: { code: string; redirectUri: string }): Promise<LinkedInTokens> {
  const { code, redirectUri } = input;
  return requestToken({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
}

/** Exchanges a refresh token for new tokens, which may include a new refresh token. Throws like `exchangeCode`. */
export function refreshToken(token: string): Promise<LinkedInTokens> {
  return requestToken({ grant_type: 'refresh_token', refresh_token: token });
}

/** Revokes a token. The call is undocumented, so its response is ignored. */
export async function revokeToken(token: string): Promise<void> {
  await postForm('/oauth/v2/revoke', { token }, 5_000);
}

/** Fetches the token's member (GET /v2/userinfo). `sub` differs for each application. Throws like `exchangeCode`. */
export async function fetchProfile(accessToken: string): Promise<LinkedInProfile> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const url = `${env().LINKEDIN_API_URL}/v2/userinfo`;
  const response = await callLinkedIn({ method: 'GET', url, headers, timeoutMs: TIMEOUT_MS });
  const { sub, name, email, email_verified, picture } = parseResponse(ProfileResponse, response);
  return {
    sub,
    name,
    email: email ?? null,
    picture: picture ?? null,
    isEmailVerified: email_verified === true,
  };
}

export const personUrn = (sub: string) => `urn:li:person:${sub}`;

async function requestToken(form: Record<string, string>): Promise<LinkedInTokens> {
  const requestedAt = Date.now();
  const response = await postForm('/oauth/v2/accessToken', form, TIMEOUT_MS);
  const token = parseResponse(TokenResponse, response);
  const after = (seconds: number) => new Date(requestedAt + seconds * 1000);
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

function parseResponse<S extends z.ZodType>(schema: S, response: RemoteResponse): z.output<S> {
  const { status, body } = response;
  if (status >= 400 && status < 500) {
    const { error, error_description: description } = parseJsonObject(body) ?? {};
    const { code, message } = readProblem(body);
    const name = typeof error === 'string' ? error : (code ?? NO_CODE);
    const text = typeof description === 'string' ? description : message;
    throw new LinkedInRefused(status, name, text, retryAfter(response));
  }
  const parsed = schema.safeParse(parseJsonObject(body));
  if (status === 200 && parsed.success) return parsed.data;
  throw new LinkedInUnreadable(
    `LinkedIn answered ${status} with a body that can't be read`,
    retryAfter(response),
  );
}
