import { randomBytes } from 'node:crypto';
import { chosenMember } from '#sandbox/chosen-member.ts';
import { consentPage, refusalPage, signedOutPage } from '#sandbox/pages/consent.ts';
import { takeFault } from '#sandbox/server/faults.ts';
import { type Exchange, redirect, sendHtml } from '#sandbox/server/http.ts';
import { DEMO_MEMBERS, type Member, memberOf, type State } from '#sandbox/state.ts';
import { isRegistered } from './apps.ts';
import { hasConsented, recordConsent } from './tokens.ts';

export const LINKEDIN_SCOPES = ['openid', 'profile', 'email', 'w_member_social'];
const CODE_LIFE_MS = 30 * 60_000;
const FIELDS = ['response_type', 'client_id', 'redirect_uri', 'state', 'scope'] as const;
/** Contains the member who is signed in to LinkedIn in this browser. */
const COOKIE = 'linkedin_member';

/** Errors that LinkedIn shows on its own page instead of redirecting to the application. */
function fatalProblem(state: State, params: URLSearchParams): { status: number; message: string } | null {
  if (params.has('code_challenge') || params.has('code_challenge_method')) {
    return {
      status: 400,
      message:
        'This application may not use PKCE: a code_challenge was sent, and the code could not be exchanged.',
    };
  }
  const refused = (message: string) => ({ status: 401, message });
  const clientId = params.get('client_id');
  if (!clientId) return refused('You need to pass the "client_id" parameter.');
  const app = state.apps.get(clientId);
  if (!app) return refused(`The passed in client_id is invalid "${clientId}".`);
  const target = params.get('redirect_uri');
  if (!target) return refused('You need to pass the "redirect_uri" parameter.');
  if (!isRegistered(app, target)) return refused('The redirect_uri does not match the registered value.');
  return params.get('state')
    ? null
    : refused('The state parameter is missing: the callback could be forged.');
}

/** Spaces are documented, but LinkedIn's own client uses commas. */
export function scopesOf(value: string | null): string[] {
  return [...new Set((value ?? '').split(/[ ,]+/).filter(Boolean))].toSorted();
}

function callbackUrl(params: URLSearchParams, result: Record<string, string>): string {
  const target = new URL(params.get('redirect_uri') ?? '');
  for (const [name, value] of Object.entries(result)) target.searchParams.set(name, value);
  target.searchParams.set('state', params.get('state') ?? '');
  return target.href;
}

/** Errors that are sent to the application's callback. */
function callbackProblem(params: URLSearchParams): Record<string, string> | null {
  if (params.get('response_type') !== 'code') {
    return { error: 'invalid_request', error_description: 'The response_type must be "code".' };
  }
  const scopes = scopesOf(params.get('scope'));
  const unknown = scopes.find((scope) => !LINKEDIN_SCOPES.includes(scope));
  if (unknown === undefined && scopes.length > 0) return null;
  return {
    error: 'unauthorized_scope_error',
    error_description: `Scope "${unknown ?? ''}" is not authorized for your application`,
  };
}

/** GET /linkedin/oauth/v2/authorization: shows the consent page, or redirects when the member has consented before. */
export function showConsent(state: State, { req, res, url }: Exchange) {
  const params = url.searchParams;
  const fatal = fatalProblem(state, params);
  if (fatal) return sendHtml(res, fatal.status, refusalPage(fatal.message));
  const problem = callbackProblem(params);
  if (problem) return redirect(res, callbackUrl(params, problem));
  const email = new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(req.headers.cookie ?? '')?.[1];
  if (email) {
    const clientId = params.get('client_id') ?? '';
    const member = memberOf(state, { email: decodeURIComponent(email), name: '' }, clientId);
    if (hasConsented(state, member, clientId, scopesOf(params.get('scope')))) {
      return redirect(res, callbackUrl(params, { code: codeFor(state, params, member) }));
    }
  }
  const hidden = FIELDS.map((name) => [name, params.get(name) ?? ''] as const);
  sendHtml(res, 200, consentPage({ params, hidden, members: DEMO_MEMBERS }));
}

const CANCELLED: Record<string, Record<string, string>> = {
  'cancel-login': {
    error: 'user_cancelled_login',
    error_description: 'The user cancelled LinkedIn login',
  },
  cancel: {
    error: 'user_cancelled_authorize',
    error_description: 'The user cancelled the authorization',
  },
};

export function decideConsent(state: State, { res }: Exchange, form: URLSearchParams) {
  const fatal = fatalProblem(state, form);
  if (fatal) return sendHtml(res, fatal.status, refusalPage(fatal.message));
  const problem = callbackProblem(form);
  if (problem) return redirect(res, callbackUrl(form, problem));
  const decision = form.get('decision') ?? '';
  if (decision !== 'allow') return redirect(res, callbackUrl(form, CANCELLED[decision] ?? CANCELLED.cancel!));
  const chosen = chosenMember(form);
  if (typeof chosen === 'string') {
    const hidden = FIELDS.map((name) => [name, form.get(name) ?? ''] as const);
    return sendHtml(res, 422, consentPage({ params: form, hidden, members: DEMO_MEMBERS, problem: chosen }));
  }
  if (takeFault(state, (kind) => kind === 'linkedin.oauth-error', chosen.email)) {
    return redirect(
      res,
      callbackUrl(form, { error: 'server_error', error_description: 'Internal server error' }),
    );
  }
  const member = memberOf(state, chosen, form.get('client_id') ?? '');
  const cookie = `${COOKIE}=${encodeURIComponent(member.email)}; Path=/linkedin; HttpOnly; SameSite=Lax`;
  res.setHeader('set-cookie', cookie);
  redirect(res, callbackUrl(form, { code: codeFor(state, form, member) }));
}

/** Records the consent and issues a code. */
function codeFor(state: State, params: URLSearchParams, member: Member): string {
  const scopes = scopesOf(params.get('scope'));
  const clientId = params.get('client_id') ?? '';
  const code = `AQ${randomBytes(60).toString('base64url')}`;
  state.codes.set(code, {
    clientId,
    redirectUri: params.get('redirect_uri') ?? '',
    member,
    scopes,
    expiresAt: Date.now() + CODE_LIFE_MS,
    nonce: null,
    challenge: null,
  });
  recordConsent(state, member, clientId, scopes);
  return code;
}

/** GET /linkedin/logout */
export function signOut({ res }: Exchange) {
  res.setHeader('set-cookie', `${COOKIE}=; Path=/linkedin; Max-Age=0`);
  sendHtml(res, 200, signedOutPage());
}
