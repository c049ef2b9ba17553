import { createHash, randomBytes } from 'node:crypto';
import {
  Answer,
  basicAuth,
  bearer,
  type Exchange,
  isForm,
  redirect,
  sendEmpty,
  sendHtml,
  sendJson,
} from './http.ts';
import type { SigningKey } from './keys.ts';
import { accountPage, googleErrorPage } from './pages/google.ts';
import { chosenPerson } from './person.ts';
import { DEMO_MEMBERS, type Grant, type State } from './state.ts';

const CODE_LIFE_MS = 10 * 60_000;
const SCOPES = ['openid', 'email', 'profile'];
const SCOPE_URLS: Record<string, string> = {
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
};
const GOOGLE_FIELDS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
] as const;

/** GET /google/.well-known/openid-configuration; the issuer is the base address itself. */
export function googleDiscovery({ res, origin }: Exchange) {
  const issuer = `${origin}/google`;
  sendJson(res, 200, {
    issuer,
    authorization_endpoint: `${issuer}/o/oauth2/v2/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    revocation_endpoint: `${issuer}/revoke`,
    jwks_uri: `${issuer}/certs`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: SCOPES,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['plain', 'S256'],
    authorization_response_iss_parameter_supported: true,
  });
}

/** Mistakes that Google shows on a page of its own, without a callback. */
function checkRequest(params: URLSearchParams) {
  const fail = (code: string, message: string): never => {
    throw new Answer(400, googleErrorPage(code, message));
  };
  const target = params.get('redirect_uri') ?? '';
  if (!params.get('client_id')) fail('invalid_request', 'Missing required parameter: client_id');
  if (target === '') fail('invalid_request', 'Missing required parameter: redirect_uri');
  if (!/^https?:\/\//.test(target) || !URL.canParse(target) || target.includes('#')) {
    fail('redirect_uri_mismatch', 'The redirect_uri is not a registered address.');
  }
  if (params.get('response_type') !== 'code')
    fail('unsupported_response_type', 'Only response_type=code is allowed');
  const scopes = (params.get('scope') ?? '').split(' ').filter(Boolean);
  if (scopes.length === 0) fail('invalid_request', 'Missing required parameter: scope');
  const foreign = scopes.find((scope) => !SCOPES.includes(scope));
  if (foreign) fail('invalid_scope', `Some requested scopes were invalid: ${foreign}`);
  const method = params.get('code_challenge_method') ?? 'plain';
  if (!['plain', 'S256'].includes(method))
    fail('invalid_request', 'Invalid parameter value for code_challenge_method');
}

function back(params: URLSearchParams, origin: string, answer: Record<string, string>): string {
  const target = new URL(params.get('redirect_uri') ?? '');
  const state = params.get('state');
  const all = { ...answer, ...(state ? { state } : {}), iss: `${origin}/google` };
  for (const [name, value] of Object.entries(all)) target.searchParams.set(name, value);
  return target.href;
}

/** GET of the authorization endpoint: the account chooser. */
export function showAccounts({ res, url, origin }: Exchange) {
  const params = url.searchParams;
  checkRequest(params);
  if (params.get('prompt') === 'none') {
    return redirect(res, back(params, origin, { error: 'interaction_required' }));
  }
  sendHtml(res, 200, accountPage({ params, hidden: hiddenOf(params), members: DEMO_MEMBERS }));
}

const hiddenOf = (params: URLSearchParams) =>
  GOOGLE_FIELDS.map((name) => [name, params.get(name) ?? ''] as const);

/** POST from the chooser. */
export function chooseAccount(state: State, { res, origin }: Exchange, form: URLSearchParams) {
  checkRequest(form);
  if (form.get('decision') !== 'allow') {
    return redirect(res, back(form, origin, { error: 'access_denied' }));
  }
  const person = chosenPerson(form);
  if (typeof person === 'string') {
    const chooser = { params: form, hidden: hiddenOf(form), members: DEMO_MEMBERS, problem: person };
    return sendHtml(res, 422, accountPage(chooser));
  }
  const email = person.email.toLowerCase();
  const sub = BigInt(
    `0x${createHash('sha256').update(`google:${email}`).digest('hex').slice(0, 17)}`,
  ).toString();
  const scopes = SCOPES.filter((scope) => (form.get('scope') ?? '').split(' ').includes(scope));
  const challenge = form.get('code_challenge');
  const code = `4/0A${randomBytes(40).toString('base64url')}`;
  state.googleCodes.set(code, {
    clientId: form.get('client_id') ?? '',
    redirectUri: form.get('redirect_uri') ?? '',
    member: { sub, email, name: person.name, headline: '' },
    scopes,
    expiresAt: Date.now() + CODE_LIFE_MS,
    nonce: form.get('nonce') || null,
    challenge: challenge ? { value: challenge, method: form.get('code_challenge_method') || 'plain' } : null,
    isVerified: form.get('unverified') !== 'on',
  });
  const scope = scopes.map((each) => SCOPE_URLS[each] ?? each).join(' ');
  redirect(res, back(form, origin, { code, scope, authuser: '0', prompt: 'consent' }));
}

function refuse(status: number, error: string, error_description: string): never {
  throw new Answer(status, { error, error_description });
}

/** POST of the token endpoint: secret by form or Basic, PKCE checked when it was begun. */
export async function googleToken(
  state: State,
  key: SigningKey,
  { req, res, origin }: Exchange,
  body: string,
) {
  if (!isForm(req)) refuse(400, 'invalid_request', 'The body must be a form.');
  const form = new URLSearchParams(body);
  const basic = basicAuth(req);
  const id = basic?.id ?? form.get('client_id') ?? '';
  const secret = basic?.secret ?? form.get('client_secret') ?? '';
  if (id === '') refuse(400, 'invalid_request', 'Could not determine client ID from request.');
  if (secret !== `${id}-secret`) refuse(401, 'invalid_client', 'Unauthorized');
  if (form.get('grant_type') !== 'authorization_code') {
    refuse(400, 'unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type') ?? ''}`);
  }
  const code = form.get('code') ?? '';
  const grant = state.googleCodes.get(code);
  if (!grant) refuse(400, 'invalid_grant', 'Malformed auth code.');
  if (grant.expiresAt <= Date.now() || grant.clientId !== id) refuse(400, 'invalid_grant', 'Bad Request');
  if (grant.redirectUri !== form.get('redirect_uri')) refuse(400, 'redirect_uri_mismatch', 'Bad Request');
  checkVerifier(grant, form.get('code_verifier') ?? '');
  state.googleCodes.delete(code);
  const accessToken = `ya29.${randomBytes(90).toString('base64url')}`;
  state.googleTokens.set(accessToken, grant);
  const half = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
  const idToken = await key.sign({
    ...claimsOf(grant),
    iss: `${origin}/google`,
    aud: id,
    azp: id,
    at_hash: half,
    ...(grant.nonce ? { nonce: grant.nonce } : {}),
  });
  const scope = grant.scopes.map((each) => SCOPE_URLS[each] ?? each).join(' ');
  sendJson(res, 200, {
    access_token: accessToken,
    expires_in: 3599,
    scope,
    token_type: 'Bearer',
    ...(grant.scopes.includes('openid') ? { id_token: idToken } : {}),
  });
}

function checkVerifier(grant: Grant, verifier: string) {
  if (!grant.challenge) return;
  if (verifier === '') refuse(400, 'invalid_grant', 'Missing code verifier.');
  const { value, method } = grant.challenge;
  const made = method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  if (made !== value) refuse(400, 'invalid_grant', 'Invalid code verifier.');
}

function claimsOf({ member, scopes, isVerified }: Grant) {
  const [given = member.name, ...rest] = member.name.split(' ');
  return {
    sub: member.sub,
    ...(scopes.includes('email') ? { email: member.email, email_verified: isVerified ?? true } : {}),
    ...(scopes.includes('profile')
      ? { name: member.name, given_name: given, family_name: rest.join(' ') }
      : {}),
  };
}

/** GET /google/userinfo */
export function googleUserinfo(state: State, { req, res }: Exchange) {
  const grant = state.googleTokens.get(bearer(req));
  if (!grant)
    return sendJson(res, 401, { error: 'invalid_request', error_description: 'Invalid Credentials' });
  sendJson(res, 200, claimsOf(grant));
}

/** POST /google/revoke */
export function googleRevoke(state: State, { res }: Exchange, form: URLSearchParams) {
  if (!state.googleTokens.delete(form.get('token') ?? ''))
    refuse(400, 'invalid_token', 'Token expired or revoked');
  sendEmpty(res, 200);
}
