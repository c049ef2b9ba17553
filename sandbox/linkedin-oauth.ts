import { randomBytes } from 'node:crypto';
import { strike } from './faults.ts';
import { type Exchange, redirect, sendHtml } from './http.ts';
import { recordConsent } from './linkedin-tokens.ts';
import { consentPage, refusalPage } from './pages/consent.ts';
import { chosenPerson } from './person.ts';
import { DEMO_MEMBERS, memberOf, type State } from './state.ts';

export const LINKEDIN_SCOPES = ['openid', 'profile', 'email', 'w_member_social'];
const CODE_LIFE_MS = 30 * 60_000;
const FIELDS = ['response_type', 'client_id', 'redirect_uri', 'state', 'scope'] as const;

/** The sentence for a request that LinkedIn answers with a page of its own instead of a redirect. */
function fatalProblem(params: URLSearchParams): { status: number; message: string } | null {
  if (params.has('code_challenge') || params.has('code_challenge_method')) {
    return {
      status: 400,
      message:
        'This application may not use PKCE: a code_challenge was sent, and the code could not be exchanged.',
    };
  }
  if (!params.get('client_id'))
    return { status: 401, message: 'You need to pass the "client_id" parameter.' };
  const target = params.get('redirect_uri');
  if (!target) return { status: 401, message: 'You need to pass the "redirect_uri" parameter.' };
  if (!/^https?:\/\//.test(target) || !URL.canParse(target) || target.includes('#')) {
    return { status: 401, message: 'The redirect_uri does not match the registered value.' };
  }
  if (!params.get('state'))
    return { status: 401, message: 'The state parameter is missing: the callback could be forged.' };
  return null;
}

export function scopesOf(value: string | null): string[] {
  return [...new Set((value ?? '').split(' ').filter(Boolean))].toSorted();
}

function back(params: URLSearchParams, answer: Record<string, string>): string {
  const target = new URL(params.get('redirect_uri') ?? '');
  for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value);
  target.searchParams.set('state', params.get('state') ?? '');
  return target.href;
}

/** What is wrong with the request in a way the application hears of at its callback. */
function callbackProblem(params: URLSearchParams): Record<string, string> | null {
  if (params.get('response_type') !== 'code') {
    return { error: 'invalid_request', error_description: 'The response_type must be "code".' };
  }
  const scopes = scopesOf(params.get('scope'));
  const foreign = scopes.find((scope) => !LINKEDIN_SCOPES.includes(scope));
  if (foreign === undefined && scopes.length > 0) return null;
  return {
    error: 'unauthorized_scope_error',
    error_description: `Scope "${foreign ?? ''}" is not authorized for your application`,
  };
}

/** GET /linkedin/oauth/v2/authorization: the consent page. */
export function showConsent({ res, url }: Exchange) {
  const params = url.searchParams;
  const fatal = fatalProblem(params);
  if (fatal) return sendHtml(res, fatal.status, refusalPage(fatal.message));
  const problem = callbackProblem(params);
  if (problem) return redirect(res, back(params, problem));
  const hidden = FIELDS.map((name) => [name, params.get(name) ?? ''] as const);
  sendHtml(res, 200, consentPage({ params, hidden, members: DEMO_MEMBERS }));
}

/** POST from the consent page: Allow or Cancel. */
export function decideConsent(state: State, { res }: Exchange, form: URLSearchParams) {
  const fatal = fatalProblem(form);
  if (fatal) return sendHtml(res, fatal.status, refusalPage(fatal.message));
  const problem = callbackProblem(form);
  if (problem) return redirect(res, back(form, problem));
  if (form.get('decision') !== 'allow') {
    const answer = {
      error: 'user_cancelled_authorize',
      error_description: 'The user cancelled the authorization',
    };
    return redirect(res, back(form, answer));
  }
  const person = chosenPerson(form);
  if (typeof person === 'string') {
    const hidden = FIELDS.map((name) => [name, form.get(name) ?? ''] as const);
    return sendHtml(res, 422, consentPage({ params: form, hidden, members: DEMO_MEMBERS, problem: person }));
  }
  if (strike(state, (kind) => kind === 'linkedin.oauth-error', person.email)) {
    return redirect(res, back(form, { error: 'server_error', error_description: 'Internal server error' }));
  }
  const member = memberOf(state, person);
  const scopes = scopesOf(form.get('scope'));
  const clientId = form.get('client_id') ?? '';
  const code = `AQ${randomBytes(60).toString('base64url')}`;
  state.codes.set(code, {
    clientId,
    redirectUri: form.get('redirect_uri') ?? '',
    member,
    scopes,
    expiresAt: Date.now() + CODE_LIFE_MS,
    nonce: null,
    challenge: null,
  });
  recordConsent(state, member, clientId, scopes);
  redirect(res, back(form, { code }));
}
