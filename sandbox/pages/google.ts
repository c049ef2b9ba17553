import { html } from '#sandbox/server/html.ts';
import { appName, type Chooser, hiddenFields, memberFields } from './consent.ts';
import { layout } from './layout.ts';

export function accountPage(chooser: Chooser): string {
  const app = appName(chooser.params.get('client_id') ?? '');
  return layout({
    title: 'Choose an account',
    narrow: true,
    body: html`<div class="card"><h1>Choose an account</h1>
<p class="lead">to continue to ${app}. This stands in for the sign-in page of Google.</p>
<form method="post" action="/google/o/oauth2/v2/auth">${hiddenFields(chooser.hidden)}${memberFields(chooser)}
<label class="choice"><input type="checkbox" name="unverified"><span>Say that this e-mail address is not verified</span></label>
<label class="choice"><input type="checkbox" name="organisation"><span>The account belongs to an organisation</span></label>
<div class="buttons"><button class="primary" name="decision" value="allow">Continue</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button></div></form></div>`,
  });
}

export function googleErrorPage(status: number, code: string, message: string): string {
  return layout({
    title: `Error ${status}: ${code}`,
    narrow: true,
    body: html`<div class="card"><h1>Access blocked</h1><p class="flag" role="alert">Error ${status}: ${code}</p><p>${message}</p>
<p class="small">Google shows a page such as this one and does not send you back to the application.</p></div>`,
  });
}
