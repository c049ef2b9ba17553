import { idTokenOf } from '#sandbox/google/id-tokens.ts';
import type { SigningKey } from '#sandbox/google/keys.ts';
import { portraitUrl } from '#sandbox/images/portrait.ts';
import { takeFault } from '#sandbox/server/faults.ts';
import { type Exchange, isForm, sendEmpty, sendJson, ThrownResponse } from '#sandbox/server/http.ts';
import type { Member, State } from '#sandbox/state.ts';
import { memberOfToken, mintToken, readToken, revokeConsent, type Token, tokenStatus } from './tokens.ts';

const MISMATCH =
  'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. ' +
  'Or authorization code expired. Or external member binding exists';

function refuse(status: number, error: string, error_description: string): never {
  throw new ThrownResponse(status, { error, error_description });
}

function checkClient(state: State, form: URLSearchParams) {
  const id = form.get('client_id') ?? '';
  const app = state.apps.get(id);
  if (!app) refuse(400, 'invalid_client_id', `The passed in client_id is invalid "${id}"`);
  if (form.get('client_secret') !== app.secret) refuse(401, 'invalid_client', 'Client authentication failed');
}

/** POST /linkedin/oauth/v2/accessToken. Takes the secret only in a form body: no Basic, JSON or PKCE. */
export async function issueToken(
  state: State,
  key: SigningKey,
  { req, res, url, origin }: Exchange,
  body: string,
) {
  const form = new URLSearchParams(isForm(req) ? body : '');
  if (url.searchParams.has('client_secret')) {
    refuse(400, 'invalid_request', 'The client_secret must not stand in the URL');
  }
  const names =
    form.get('grant_type') === 'refresh_token'
      ? ['refresh_token', 'client_id', 'client_secret']
      : ['grant_type', 'code', 'client_id', 'client_secret', 'redirect_uri'];
  for (const name of names) {
    if (!form.get(name)) refuse(400, 'invalid_request', `A required parameter "${name}" is missing`);
  }
  checkClient(state, form);
  if (form.get('grant_type') === 'refresh_token')
    return sendJson(res, 200, await refreshTokens(state, key, origin, form));
  if (form.get('grant_type') !== 'authorization_code') {
    refuse(400, 'invalid_request', 'The grant_type is not supported');
  }
  const grant = state.codes.get(form.get('code') ?? '');
  if (!grant || grant.expiresAt <= Date.now()) {
    refuse(401, 'invalid_request', 'Unable to retrieve access token: authorization code not found');
  }
  const matches = grant.clientId === form.get('client_id') && grant.redirectUri === form.get('redirect_uri');
  if (!matches || form.has('code_verifier')) refuse(400, 'invalid_request', MISMATCH);
  state.codes.delete(form.get('code') ?? '');
  sendJson(res, 200, await tokenResponse(state, key, origin, grant));
}

async function tokenResponse(
  state: State,
  key: SigningKey,
  origin: string,
  grant: { member: Member; clientId: string; scopes: string[] },
) {
  const { member, clientId, scopes } = grant;
  const claims = {
    ...claimsOf(state, member, scopes, origin),
    iss: `${origin}/linkedin/oauth`,
    aud: clientId,
  };
  const matchText = `${member.email} ${member.sub}`;
  const idToken = scopes.includes('openid')
    ? await idTokenOf(state, key, { provider: 'linkedin', claims, matchText, header: { zip: 'RS256' } })
    : undefined;
  const isExpired = takeFault(state, (kind) => kind === 'linkedin.token-expired', matchText);
  return {
    access_token: mintToken(state, grant, 'access', isExpired ? -1000 : undefined),
    expires_in: 5_183_999,
    ...(state.apps.get(clientId)?.hasRefreshTokens
      ? { refresh_token: mintToken(state, grant, 'refresh'), refresh_token_expires_in: 31_535_999 }
      : {}),
    scope: scopes.join(','),
    token_type: 'Bearer',
    ...(idToken ? { id_token: idToken } : {}),
  };
}

async function refreshTokens(state: State, key: SigningKey, origin: string, form: URLSearchParams) {
  const token = readToken(form.get('refresh_token') ?? '');
  const isActive =
    token?.kind === 'refresh' &&
    token.clientId === form.get('client_id') &&
    tokenStatus(state, token) === 'active';
  if (!isActive) {
    refuse(
      400,
      'invalid_request',
      'The provided authorization grant or refresh token is invalid, expired or revoked',
    );
  }
  const remainingSeconds = Math.floor((token.expiresAt - Date.now()) / 1000);
  const response = await tokenResponse(state, key, origin, {
    ...token,
    member: memberOfToken(state, token),
  });
  return { ...response, refresh_token: token.raw, refresh_token_expires_in: remainingSeconds };
}

/** The locale is an object, as in LinkedIn's responses. */
export function claimsOf(state: State, member: Member, scopes: string[], origin: string) {
  const isBare = takeFault(state, (kind) => kind === 'linkedin.userinfo-bare', member.email) !== null;
  const isVerified = !takeFault(state, (kind) => kind === 'linkedin.userinfo-unverified', member.email);
  const [givenName = member.name, ...rest] = member.name.split(' ');
  return {
    sub: member.sub,
    name: member.name,
    given_name: givenName,
    family_name: rest.join(' '),
    locale: { country: 'US', language: 'en' },
    ...(isBare ? {} : { picture: portraitUrl(origin, member.sub) }),
    ...(scopes.includes('email') && !isBare ? { email: member.email, email_verified: isVerified } : {}),
  };
}

function tokenFromForm(state: State, form: URLSearchParams): Token | null {
  for (const name of ['token', 'client_id', 'client_secret']) {
    if (!form.get(name)) refuse(400, 'invalid_request', `A required parameter "${name}" is missing`);
  }
  checkClient(state, form);
  const token = readToken(form.get('token') ?? '');
  return token?.clientId === form.get('client_id') ? token : null;
}

/** POST /linkedin/oauth/v2/introspectToken */
export function introspect(state: State, { res }: Exchange, form: URLSearchParams) {
  const token = tokenFromForm(state, form);
  if (!token) return sendJson(res, 200, { active: false });
  const status = tokenStatus(state, token);
  const seconds = (ms: number) => Math.floor(ms / 1000);
  sendJson(res, 200, {
    active: status === 'active',
    client_id: token.clientId,
    authorized_at: seconds(token.issuedAt),
    created_at: seconds(token.issuedAt),
    status,
    expires_at: seconds(token.expiresAt),
    scope: token.scopes.join(','),
    auth_type: '3L',
  });
}

/** POST /linkedin/oauth/v2/revoke */
export function revoke(state: State, { res }: Exchange, form: URLSearchParams) {
  const token = tokenFromForm(state, form);
  if (token) {
    state.revokedTokens.add(token.raw);
    revokeConsent(state, token.sub, token.clientId);
  }
  sendEmpty(res, 200);
}

/** GET /linkedin/oauth/.well-known/openid-configuration */
export function discovery({ res, origin }: Exchange) {
  sendJson(res, 200, {
    issuer: `${origin}/linkedin/oauth`,
    authorization_endpoint: `${origin}/linkedin/oauth/v2/authorization`,
    token_endpoint: `${origin}/linkedin/oauth/v2/accessToken`,
    userinfo_endpoint: `${origin}/linkedin-api/v2/userinfo`,
    jwks_uri: `${origin}/linkedin/oauth/openid/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email'],
    claims_supported: [
      'iss',
      'aud',
      'iat',
      'exp',
      'sub',
      'name',
      'given_name',
      'family_name',
      'picture',
      'email',
      'email_verified',
      'locale',
    ],
  });
}
