import { html } from '#sandbox/server/html.ts';
import type { Member } from '#sandbox/state.ts';
import { avatar, layout } from './layout.ts';

const SCOPE_LABELS: Record<string, string> = {
  openid: 'Recognise you when you come back',
  profile: 'See your name, headline and photo',
  email: 'See your primary e-mail address',
  w_member_social: 'Create, change and delete posts on your behalf',
};

export type Chooser = {
  params: URLSearchParams;
  hidden: (readonly [string, string])[];
  members: Omit<Member, 'sub'>[];
  problem?: string;
};

/** Shows "tidepost-local" as "Tidepost". */
export function appName(clientId: string): string {
  const words = clientId.replace(/[-_.](local|dev|test|sandbox)$/i, '').split(/[-_.\s]+/);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ');
}

/** The choice of a demo member, or of a name and an e-mail address. */
export function memberFields({ members, params, problem }: Chooser) {
  const isOther = params.get('email') || params.get('name') || problem;
  const choices = members.map(
    (member, index) => html`<label class="choice"><input type="radio" name="member" value="${member.email}"
${index === 0 ? html` checked` : null}>${avatar(member.name)}<span><span class="name">${member.name}</span>
<span class="small">${member.headline}<br>${member.email}</span></span></label>`,
  );
  return html`${choices}<details ${isOther ? html`open` : null}><summary>Somebody else</summary>
${problem ? html`<p class="flag" role="alert">${problem}</p>` : null}
<div class="fields"><label>Name<input name="name" autocomplete="off" value="${params.get('name') ?? ''}"></label>
<label>E-mail<input name="email" type="email" autocomplete="off" value="${params.get('email') ?? ''}"></label></div></details>`;
}

export function hiddenFields(fields: Chooser['hidden']) {
  return fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}

export function consentPage(chooser: Chooser): string {
  const { params, hidden } = chooser;
  const app = appName(params.get('client_id') ?? '');
  const scopes = (params.get('scope') ?? '').split(/[ ,]+/).filter(Boolean);
  const target = new URL(params.get('redirect_uri') ?? 'http://localhost');
  return layout({
    title: `Allow ${app}`,
    narrow: true,
    body: html`<div class="card"><h1>${app} would like to</h1>
<ul class="plain">${scopes.map((scope) => html`<li>${SCOPE_LABELS[scope] ?? scope} <span class="small">(${scope})</span></li>`)}</ul>
<form method="post" action="/linkedin/oauth/v2/authorization">${hiddenFields(hidden)}
<h2>Continue as</h2>${memberFields(chooser)}
<div class="buttons"><button class="primary" name="decision" value="allow">Allow</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button>
<button name="decision" value="cancel-login" formnovalidate>Do not sign in</button></div></form>
<p class="small">You will be sent back to ${target.host}.</p></div>`,
  });
}

export function signedOutPage(): string {
  return layout({
    title: 'Signed out',
    narrow: true,
    body: html`<div class="card"><h1>You are signed out of LinkedIn</h1>
<p>The next application that wants to connect asks for your consent again. <a href="/">Start page</a></p></div>`,
  });
}

/** For errors that must not be sent to the application's callback. */
export function refusalPage(message: string): string {
  return layout({
    title: 'Request refused',
    narrow: true,
    body: html`<div class="card"><h1>Bummer, something went wrong</h1><p class="flag" role="alert">${message}</p>
<p class="small">LinkedIn shows a page such as this one and does not send you back to the application.</p></div>`,
  });
}
