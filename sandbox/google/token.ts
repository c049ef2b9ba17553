import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { takeFault } from '#sandbox/server/faults.ts';
import {
  basicAuth,
  bearer,
  type Exchange,
  isForm,
  sendEmpty,
  sendJson,
  ThrownResponse,
} from '#sandbox/server/http.ts';
import type { GoogleGrant, GoogleToken, State } from '#sandbox/state.ts';
import { SCOPE_URLS } from './google.ts';
import { idTokenOf } from './id-tokens.ts';
import type { SigningKey } from './keys.ts';

const ACCESS_LIFE_MS = 3599_000;

function refuse(status: number, error: string, error_description: string): never {
  throw new ThrownResponse(status, { error, error_description });
}

/** POST of the token endpoint: takes the secret by form or Basic, and checks PKCE when the grant has a challenge. */
export async function googleToken(state: State, key: SigningKey, call: Exchange, body: string) {
  if (!isForm(call.req)) refuse(400, 'invalid_request', 'The body must be a form.');
  const form = new URLSearchParams(body);
  const basic = basicAuth(call.req);
  const id = basic?.id ?? form.get('client_id') ?? '';
  if (id === '') refuse(400, 'invalid_request', 'Could not determine client ID from request.');
  const app = state.apps.get(id);
  if (!app) refuse(401, 'invalid_client', 'The OAuth client was not found.');
  const secret = basic?.secret ?? form.get('client_secret') ?? '';
  if (secret !== app.secret) refuse(401, 'invalid_client', 'Unauthorized');
  if (form.get('grant_type') === 'refresh_token') return refreshTokens(state, key, call, form, id);
  if (form.get('grant_type') !== 'authorization_code') {
    refuse(400, 'unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type') ?? ''}`);
  }
  const grant = state.googleCodes.get(form.get('code') ?? '');
  if (!grant) refuse(400, 'invalid_grant', 'Malformed auth code.');
  const isUnusable = grant.isUsed || grant.expiresAt <= Date.now() || grant.clientId !== id;
  if (isUnusable) refuse(400, 'invalid_grant', 'Bad Request');
  if (grant.redirectUri !== form.get('redirect_uri')) refuse(400, 'redirect_uri_mismatch', 'Bad Request');
  checkVerifier(grant, form.get('code_verifier') ?? '');
  grant.isUsed = true;
  const refreshToken = grant.isOffline ? newToken(state, grant, 'refresh') : null;
  const tokens = await tokenResponse(state, key, call.origin, grant);
  sendJson(call.res, 200, { ...tokens, ...(refreshToken ? { refresh_token: refreshToken } : {}) });
}

function checkVerifier(grant: GoogleGrant, verifier: string) {
  if (!grant.challenge) {
    if (verifier !== '') refuse(400, 'invalid_grant', 'code_verifier or verifier is not needed.');
    return;
  }
  if (verifier === '') refuse(400, 'invalid_grant', 'Missing code verifier.');
  const { value, method } = grant.challenge;
  const computed = method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  if (computed !== value) refuse(400, 'invalid_grant', 'Invalid code verifier.');
}

async function refreshTokens(
  state: State,
  key: SigningKey,
  { res, origin }: Exchange,
  form: URLSearchParams,
  id: string,
) {
  const token = tokenOf(state, form.get('refresh_token') ?? '', 'refresh');
  if (token?.grant.clientId !== id) refuse(400, 'invalid_grant', 'Token has been expired or revoked.');
  sendJson(res, 200, await tokenResponse(state, key, origin, { ...token.grant, nonce: null }));
}

function newToken(state: State, grant: GoogleGrant, kind: GoogleToken['kind']): string {
  const token = `${kind === 'access' ? 'ya29.' : '1//0'}${randomBytes(90).toString('base64url')}`;
  const expiresAt = kind === 'access' ? Date.now() + ACCESS_LIFE_MS : Number.POSITIVE_INFINITY;
  state.googleTokens.set(token, { grant, kind, expiresAt });
  return token;
}

function tokenOf(state: State, raw: string, kind: GoogleToken['kind']): GoogleToken | null {
  const token = state.googleTokens.get(raw);
  return token?.kind === kind && token.expiresAt > Date.now() ? token : null;
}

const scopeOf = ({ scopes }: GoogleGrant) => scopes.map((each) => SCOPE_URLS[each] ?? each).join(' ');

async function tokenResponse(state: State, key: SigningKey, origin: string, grant: GoogleGrant) {
  const accessToken = newToken(state, grant, 'access');
  const accessTokenHash = createHash('sha256')
    .update(accessToken)
    .digest()
    .subarray(0, 16)
    .toString('base64url');
  const claims = {
    ...claimsOf(grant, origin),
    iss: `${origin}/google`,
    aud: grant.clientId,
    azp: grant.clientId,
    at_hash: accessTokenHash,
    ...(grant.nonce ? { nonce: grant.nonce } : {}),
  };
  const matchText = `${grant.member.email} ${grant.member.sub}`;
  const idToken = grant.scopes.includes('openid')
    ? await idTokenOf(state, key, { provider: 'google', claims, matchText })
    : undefined;
  return {
    access_token: accessToken,
    expires_in: ACCESS_LIFE_MS / 1000,
    scope: scopeOf(grant),
    token_type: 'Bearer',
    ...(idToken ? { id_token: idToken } : {}),
  };
}

function claimsOf({ member, scopes, isVerified, organisation }: GoogleGrant, origin: string) {
  const [givenName = member.name, ...rest] = member.name.split(' ');
  return {
    sub: member.sub,
    ...(organisation ? { hd: organisation } : {}),
    ...(scopes.includes('email') ? { email: member.email, email_verified: isVerified } : {}),
    ...(scopes.includes('profile')
      ? {
          name: member.name,
          given_name: givenName,
          family_name: rest.join(' '),
          picture: `${origin}/google/a/${member.sub}=s96-c`,
        }
      : {}),
  };
}

/** From the Authorization header, or from the query, where passport sends it. */
export function accessTokenOf({ req, url }: Exchange): string {
  return bearer(req) || (url.searchParams.get('access_token') ?? '');
}

/** GET /google/userinfo */
export function googleUserinfo(state: State, call: Exchange) {
  const { res, origin } = call;
  const token = tokenOf(state, accessTokenOf(call), 'access');
  if (!token)
    return sendJson(res, 401, { error: 'invalid_request', error_description: 'Invalid Credentials' });
  const { email } = token.grant.member;
  const isOther = takeFault(state, (kind) => kind === 'google.profile-other-subject', email);
  const isUnverified = takeFault(state, (kind) => kind === 'google.profile-unverified', email);
  sendJson(res, 200, {
    ...claimsOf(token.grant, origin),
    ...(isOther ? { sub: '100000000000000000000' } : {}),
    ...(isUnverified ? { email_verified: false } : {}),
  });
}

/** /google/tokeninfo takes an access token in the header, or an access or id token in the query or the form. */
export async function googleTokenInfo(state: State, key: SigningKey, call: Exchange, body: string) {
  const form = new URLSearchParams(isForm(call.req) ? body : '');
  const parameter = (name: string) => call.url.searchParams.get(name) || form.get(name) || '';
  const idToken = parameter('id_token');
  if (idToken !== '') return sendJson(call.res, 200, await readIdToken(key, call.origin, idToken));
  const token = tokenOf(state, parameter('access_token') || accessTokenOf(call), 'access');
  if (!token) refuse(400, 'invalid_token', 'Invalid Value');
  const { clientId, member, isVerified, isOffline } = token.grant;
  sendJson(call.res, 200, {
    azp: clientId,
    aud: clientId,
    sub: member.sub,
    scope: scopeOf(token.grant),
    exp: String(Math.floor(token.expiresAt / 1000)),
    expires_in: String(Math.floor((token.expiresAt - Date.now()) / 1000)),
    email: member.email,
    email_verified: String(isVerified),
    access_type: isOffline ? 'offline' : 'online',
  });
}

/** Returns the claims and the header, all values as strings. */
async function readIdToken(key: SigningKey, origin: string, idToken: string) {
  const keys = createLocalJWKSet(key.jwks as JSONWebKeySet);
  const verified = await jwtVerify(idToken, keys, { issuer: `${origin}/google` }).catch(() => null);
  if (!verified) refuse(400, 'invalid_token', 'Invalid Value');
  const all = { ...verified.payload, ...decodeProtectedHeader(idToken) };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)]));
}

/** POST /google/revoke, with the token in the query or the form. Revokes all tokens of the grant. */
export function googleRevoke(state: State, { res, url }: Exchange, form: URLSearchParams) {
  const token = state.googleTokens.get(url.searchParams.get('token') || form.get('token') || '');
  if (!token) refuse(400, 'invalid_token', 'Token expired or revoked');
  for (const [raw, { grant }] of state.googleTokens) {
    if (grant.id === token.grant.id) state.googleTokens.delete(raw);
  }
  state.googleConsents.delete(`${token.grant.clientId} ${token.grant.member.sub}`);
  sendEmpty(res, 200);
}
