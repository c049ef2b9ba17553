import { html, trusted } from '#sandbox/server/html.ts';
import type { Mail, State } from '#sandbox/state.ts';
import { layout, when } from './layout.ts';

/** The six-digit code of a mail, where it has one that stands by itself. */
function codeOf(mail: Mail): string | null {
  const source = `${mail.subject}\n${mail.text || mail.html.replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ')}`;
  return /(?<![\w#&/=.-])\d{6}(?![\w-])/.exec(source)?.[0] ?? null;
}

function line(mail: Mail) {
  const code = codeOf(mail);
  return html`<a class="card mail" href="/inbox/${mail.id}"><span><span class="name">${mail.subject || '(no subject)'}</span>
<span class="small">To ${mail.to.join(', ')}<br>${when(mail.at)}</span></span>
${code ? html`<span class="code" aria-label="Code">${code}</span>` : null}</a>`;
}

export function inboxPage(state: State): string {
  const mails = state.mails.toReversed();
  const empty = html`<div class="card empty"><strong>No mail yet</strong>
Every mail the application sends ends here, whoever it is for. This page looks again every five seconds.</div>`;
  return layout({
    title: 'Inbox',
    at: '/inbox',
    refresh: 5,
    body: html`<h1>Inbox</h1><p class="lead">All mail the application has sent, newest first. Codes stand beside their mail.</p>
${mails.length > 0 ? mails.slice(0, 200).map(line) : empty}`,
  });
}

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** The mail as who has chosen this theme gets to see it: a frame knows only the theme of the whole browser. */
export const inTheme = (markup: string, theme: Theme) =>
  markup.replace(
    /@media\s*\(prefers-color-scheme:\s*(light|dark)\)/gi,
    (_, asked: string) => `@media ${asked.toLowerCase() === theme ? 'all' : 'not all'}`,
  );

/** The mail as a program would show it whose reader has chosen this theme. No script of it runs. */
function looks(mail: Mail, theme: Theme) {
  const choices = THEMES.map(
    (each) =>
      html`<a class="button" href="?theme=${each}" ${trusted(each === theme ? 'aria-current="true"' : '')}>${each === 'light' ? 'Light' : 'Dark'}</a>`,
  );
  return html`<h2 id="looks">As it looks</h2><p class="buttons" role="group" aria-labelledby="looks">${choices}</p>
<iframe title="The mail as it looks" class="${theme}" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${`<base target="_blank">${inTheme(mail.html, theme)}`}"></iframe>`;
}

export function mailPage(state: State, id: string, asked: string | null): { status: number; page: string } {
  const mail = state.mails.find((each) => each.id === id);
  if (!mail) {
    const body = html`<div class="card empty"><strong>There is no such mail</strong><a href="/inbox">Back to the inbox</a></div>`;
    return { status: 404, page: layout({ title: 'Mail not found', at: '/inbox', body }) };
  }
  const code = codeOf(mail);
  const headers = Object.entries(mail.headers).map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`,
  );
  const body = html`<p><a href="/inbox">Inbox</a></p><h1>${mail.subject || '(no subject)'}</h1>
<div class="card"><dl><dt>From</dt><dd>${mail.from}</dd><dt>To</dt><dd>${mail.to.join(', ')}</dd><dt>Sent</dt><dd>${when(mail.at)}</dd></dl>
${code ? html`<p class="code">${code}</p>` : null}</div>
${mail.html ? looks(mail, asked === 'dark' ? 'dark' : 'light') : null}
<h2>Plain text</h2><div class="card"><pre>${mail.text || 'This mail has no plain text part.'}</pre></div>
<details><summary>Headers</summary><div class="card small"><dl>${headers}</dl></div></details>`;
  return { status: 200, page: layout({ title: mail.subject || 'Mail', at: '/inbox', body }) };
}
