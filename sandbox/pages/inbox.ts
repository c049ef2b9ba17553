import { html, trusted } from '#sandbox/server/html.ts';
import type { Mail, State } from '#sandbox/state.ts';
import { layout, timeAgo } from './layout.ts';

/** The first six-digit code of a mail that is no part of a longer word or a URL. */
function codeOf(mail: Mail): string | null {
  const source = `${mail.subject}\n${mail.text || mail.html.replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ')}`;
  return /(?<![\w#&/=.-])\d{6}(?![\w-])/.exec(source)?.[0] ?? null;
}

function line(mail: Mail) {
  const code = codeOf(mail);
  return html`<a class="card mail" href="/inbox/${mail.id}"><span><span class="name">${mail.subject || '(no subject)'}</span>
<span class="small">To ${mail.to.join(', ')}<br>${timeAgo(mail.at)}</span></span>
${code ? html`<span class="code" aria-label="Code">${code}</span>` : null}</a>`;
}

export function inboxPage(state: State): string {
  const mails = state.mails.toReversed();
  const empty = html`<div class="card empty"><strong>No mail yet</strong>
Every mail the application sends ends here, whoever it is for. This page looks again every five seconds.</div>`;
  return layout({
    title: 'Inbox',
    path: '/inbox',
    refresh: 5,
    body: html`<h1>Inbox</h1><p class="lead">All mail the application has sent, newest first. Codes stand beside their mail.</p>
${mails.length > 0 ? mails.slice(0, 200).map(line) : empty}`,
  });
}

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Replaces the media queries for the theme, because a frame always has the theme of the whole browser. */
export const withTheme = (markup: string, theme: Theme) =>
  markup.replace(
    /@media\s*\(prefers-color-scheme:\s*(light|dark)\)/gi,
    (_, queried: string) => `@media ${queried.toLowerCase() === theme ? 'all' : 'not all'}`,
  );

/** The sandbox attribute prevents scripts of the mail. */
function preview(mail: Mail, theme: Theme) {
  const choices = THEMES.map(
    (each) =>
      html`<a class="button" href="?theme=${each}" ${trusted(each === theme ? 'aria-current="true"' : '')}>${each === 'light' ? 'Light' : 'Dark'}</a>`,
  );
  return html`<h2 id="looks">As it looks</h2><p class="buttons" role="group" aria-labelledby="looks">${choices}</p>
<iframe title="The mail as it looks" class="${theme}" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${`<base target="_blank">${withTheme(mail.html, theme)}`}"></iframe>`;
}

export function mailPage(state: State, id: string, theme: string | null): { status: number; page: string } {
  const mail = state.mails.find((each) => each.id === id);
  if (!mail) {
    const body = html`<div class="card empty"><strong>There is no such mail</strong><a href="/inbox">Back to the inbox</a></div>`;
    return { status: 404, page: layout({ title: 'Mail not found', path: '/inbox', body }) };
  }
  const code = codeOf(mail);
  const headers = Object.entries(mail.headers).map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`,
  );
  const body = html`<p><a href="/inbox">Inbox</a></p><h1>${mail.subject || '(no subject)'}</h1>
<div class="card"><dl><dt>From</dt><dd>${mail.from}</dd><dt>To</dt><dd>${mail.to.join(', ')}</dd><dt>Sent</dt><dd>${timeAgo(mail.at)}</dd></dl>
${code ? html`<p class="code">${code}</p>` : null}</div>
${mail.html ? preview(mail, theme === 'dark' ? 'dark' : 'light') : null}
<h2>Plain text</h2><div class="card"><pre>${mail.text || 'This mail has no plain text part.'}</pre></div>
<details><summary>Headers</summary><div class="card small"><dl>${headers}</dl></div></details>`;
  return { status: 200, page: layout({ title: mail.subject || 'Mail', path: '/inbox', body }) };
}
