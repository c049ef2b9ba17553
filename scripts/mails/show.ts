/** `npm run mails` renders every kind of mail on one page, in light and dark, in the widths of a phone and a desktop. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderMail } from '#app/domain/email/render/render.ts';
import { type MailKind, mailText } from '#app/domain/email/templates/templates.ts';
import { withTheme } from '#sandbox/pages/inbox.ts';
import { html, trusted } from '#sandbox/server/html.ts';
import { ROOT } from '#scripts/run.ts';
import { MAIL_EXAMPLES } from './examples.ts';

const folder = path.join(ROOT, '.data/mails');

const kinds = Object.keys(MAIL_EXAMPLES) as MailKind[];
const rendered = kinds.map((kind) => ({ kind, ...renderMail(mailText(kind, MAIL_EXAMPLES[kind] as never)) }));

const frame = (title: string, scheme: 'light' | 'dark', markup: string, width: number) =>
  html`<iframe title="${title}" sandbox srcdoc="${withTheme(markup, scheme)}" width="${width}" height="820" style="border:0;color-scheme:${scheme}"></iframe>`;
const section = ({ kind, subject, text, html: markup }: (typeof rendered)[number]) =>
  html`<section id="${kind}"><h2>${kind}</h2><p>${subject}</p><div>${frame(`${kind}, light`, 'light', markup, 640)}
${frame(`${kind}, dark, on a phone`, 'dark', markup, 390)}</div><details><summary>Text</summary><pre>${text}</pre></details></section>`;
const links = kinds.map((kind) => html`<a href="#${kind}">${kind}</a> `);
const style =
  'body{font:16px/1.5 system-ui;margin:24px}pre{white-space:pre-wrap;max-width:80ch}div{display:flex;gap:16px}';

mkdirSync(folder, { recursive: true });
const file = path.join(folder, 'index.html');
writeFileSync(
  file,
  html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Mails</title><style>${trusted(style)}</style><body><h1>${kinds.length} mails</h1><p>${links}</p>${rendered.map(section)}</body></html>`
    .markup,
);
console.log(`${kinds.length} mails: ${pathToFileURL(file)}`);
