import { createHash, randomBytes } from 'node:crypto';
import { chosenMember } from '#sandbox/chosen-member.ts';
import { accountPage, googleErrorPage } from '#sandbox/pages/google.ts';
import type { FaultKind } from '#sandbox/server/fault-kinds.ts';
import { takeFault } from '#sandbox/server/faults.ts';
import { type Exchange, redirect, sendHtml, sendJson, ThrownResponse } from '#sandbox/server/http.ts';
import { DEMO_MEMBERS, type GoogleGrant, type State } from '#sandbox/state.ts';

const CODE_LIFE_MS = 10 * 60_000;
const SCOPES = ['openid', 'email', 'profile'];
/** Google returns scopes as URLs, except openid. */
export const SCOPE_URLS: Record<string, string> = {
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
  'access_type',
  'prompt',
] as const;

/** GET /google/.well-known/openid-configuration; the issuer is the base URL. */
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

/** Throws for errors that Google shows on its own page instead of redirecting to the application. */
function checkRequest(state: State, params: URLSearchParams) {
  const fail = (code: string, message: string, status = 400): never => {
    throw new ThrownResponse(status, googleErrorPage(status, code, message));
  };
  const clientId = params.get('client_id');
  const target = params.get('redirect_uri');
  if (!clientId) fail('invalid_request', 'Missing required parameter: client_id');
  if (!target) fail('invalid_request', 'Missing required parameter: redirect_uri');
  const app = state.apps.get(clientId ?? '');
  if (!app) fail('invalid_client', 'The OAuth client was not found.', 401);
  if (!app?.redirectUris.includes(target ?? ''))
    fail('redirect_uri_mismatch', 'The redirect_uri is not a registered address.');
  if (params.get('response_type') !== 'code')
    fail('unsupported_response_type', 'Only response_type=code is allowed');
  const scopes = (params.get('scope') ?? '').split(' ').filter(Boolean);
  if (scopes.length === 0) fail('invalid_request', 'Missing required parameter: scope');
  const unknown = scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown) fail('invalid_scope', `Some requested scopes were invalid: ${unknown}`);
  const method = params.get('code_challenge_method') || 'plain';
  if (!['plain', 'S256'].includes(method))
    fail('invalid_request', 'Invalid parameter value for code_challenge_method');
}

function callbackUrl(params: URLSearchParams, origin: string, result: Record<string, string>): string {
  const target = new URL(params.get('redirect_uri') ?? '');
  const state = params.get('state');
  const all = { iss: `${origin}/google`, ...(state ? { state } : {}), ...result };
  for (const [name, value] of Object.entries(all)) target.searchParams.set(name, value);
  return target.href;
}

/** GET of the authorization endpoint: the account chooser. */
export function showAccounts(state: State, { res, url, origin }: Exchange) {
  const params = url.searchParams;
  checkRequest(state, params);
  if (params.get('prompt') === 'none') {
    return redirect(res, callbackUrl(params, origin, { error: 'interaction_required' }));
  }
  sendHtml(res, 200, accountPage({ params, hidden: hiddenOf(params), members: DEMO_MEMBERS }));
}

const hiddenOf = (params: URLSearchParams) =>
  GOOGLE_FIELDS.map((name) => [name, params.get(name) ?? ''] as const);

export function chooseAccount(state: State, { res, origin }: Exchange, form: URLSearchParams) {
  checkRequest(state, form);
  if (form.get('decision') !== 'allow') {
    return redirect(res, callbackUrl(form, origin, { error: 'access_denied' }));
  }
  const member = chosenMember(form);
  if (typeof member === 'string') {
    const chooser = { params: form, hidden: hiddenOf(form), members: DEMO_MEMBERS, problem: member };
    return sendHtml(res, 422, accountPage(chooser));
  }
  const hasFault = (name: FaultKind) => takeFault(state, (kind) => kind === name, member.email) !== null;
  if (hasFault('google.oauth-error'))
    return redirect(res, callbackUrl(form, origin, { error: 'server_error' }));
  const { code, grant } = grantFor(state, form, member);
  redirect(
    res,
    callbackUrl(form, origin, {
      code,
      scope: grant.scopes.map((each) => SCOPE_URLS[each] ?? each).join(' '),
      authuser: '0',
      ...(grant.organisation ? { hd: grant.organisation } : {}),
      prompt: 'consent',
      ...(hasFault('google.callback-other-issuer') ? { iss: 'https://accounts.somebody-else.example' } : {}),
      ...(hasFault('google.callback-other-state') ? { state: 'the state of somebody else' } : {}),
    }),
  );
}

/** Unlike LinkedIn, Google uses the same subject for every application. */
function subjectOf(email: string): string {
  const hash = createHash('sha256').update(`google:${email}`).digest('hex');
  return BigInt(`0x${hash.slice(0, 17)}`).toString();
}

/** Records the consent and issues a code. A refresh token is issued for the first consent, or with prompt=consent. */
function grantFor(state: State, form: URLSearchParams, account: { email: string; name: string }) {
  const email = account.email.toLowerCase();
  const member = { sub: subjectOf(email), email, name: account.name, headline: '' };
  const clientId = form.get('client_id') ?? '';
  const consent = `${clientId} ${member.sub}`;
  const asksForConsent =
    !state.googleConsents.has(consent) || (form.get('prompt') ?? '').split(' ').includes('consent');
  state.googleConsents.add(consent);
  const challenge = form.get('code_challenge');
  const code = `4/0A${randomBytes(40).toString('base64url')}`;
  const grant: GoogleGrant = {
    id: code,
    clientId,
    redirectUri: form.get('redirect_uri') ?? '',
    member,
    scopes: SCOPES.filter((scope) => (form.get('scope') ?? '').split(' ').includes(scope)),
    expiresAt: Date.now() + CODE_LIFE_MS,
    nonce: form.get('nonce') || null,
    challenge: challenge ? { value: challenge, method: form.get('code_challenge_method') || 'plain' } : null,
    isVerified: form.get('unverified') !== 'on',
    organisation: form.get('organisation') === 'on' ? (email.split('@')[1] ?? null) : null,
    isOffline: form.get('access_type') === 'offline' && asksForConsent,
    isUsed: false,
  };
  state.googleCodes.set(code, grant);
  return { code, grant };
}
