import type { Link, MailLine, MailText } from '#app/domain/email/content.ts';
import { cut } from '#app/domain/platform/input-schema.ts';
import { env } from '#app/env.ts';

/** The colours of app/ui/styles/theme.css, light and dark, as hexadecimal values, which mail clients support. */
export const COLOURS = {
  canvas: ['#f7fafb', '#09141b'],
  surface: ['#ffffff', '#101e26'],
  sunken: ['#edf4f5', '#050f15'],
  line: ['#d7e2e5', '#27373f'],
  ink: ['#13222d', '#eaf2f3'],
  'ink-2': ['#42545f', '#afbec3'],
  brand: ['#03657d', '#4cc8d9'],
  'on-brand': ['#ffffff', '#001925'],
  'brand-ink': ['#025c74', '#69d3e2'],
  'brand-line': ['#9ed5e3', '#185c6c'],
  accent: ['#f59d46', '#faaa51'],
} as const satisfies Record<string, [light: string, dark: string]>;

type Colour = keyof typeof COLOURS;

const PROPERTIES = { bg: 'background-color', fg: 'color', bd: 'border-color' } as const;
type Property = keyof typeof PROPERTIES;

const colours = Object.entries(COLOURS) as [Colour, readonly [string, string]][];

const classOf = (use: Property, colour: Colour) => `${use}-${colour}`;

const darkRules = colours
  .flatMap(([colour, [, dark]]) =>
    (Object.keys(PROPERTIES) as Property[]).map(
      (use) => `.${classOf(use, colour)}{${PROPERTIES[use]}:${dark}!important}`,
    ),
  )
  .join('');

function colouredStyle(colours: Partial<Record<Property, Colour>>, style = ''): string {
  const pairs = Object.entries(colours) as [Property, Colour][];
  const colourStyles = pairs.map(([use, colour]) => `${PROPERTIES[use]}:${COLOURS[colour][0]}`).join(';');
  const names = pairs.map(([use, colour]) => classOf(use, colour)).join(' ');
  return `class="${names}" style="${[style, colourStyles].filter(Boolean).join(';')}"`;
}

const WIDTH = 600;
const SUBJECT_MAX = 200;
const PREVIEW_MAX = 140;
const SANS = "font-family:'Inter Variable',Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const DISPLAY = "font-family:'Newsreader Variable',Newsreader,Georgia,'Times New Roman',serif";
const MONO = "font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace";
const WRAP = 'overflow-wrap:anywhere;word-break:break-word';
const PLAIN_TABLE = 'role="presentation" border="0" cellpadding="0" cellspacing="0"';

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
/** Control characters could end header lines or the visible text. */
const withoutControls = (text: string) => text.replace(/[^\P{Cc}\n]/gu, ' ');
const inHtml = (text: string) => escapeHtml(withoutControls(text)).replaceAll('\n', '<br>');
/** Keeps a time zone on one line if it fits: browsers would break it after the slash. */
const ZONE = /(?<= )\([A-Z]\w+(?:\/[\w+ -]+)+\)/g;
const prose = (text: string) => inHtml(text).replaceAll(ZONE, '<span style="display:inline-block">$&</span>');
const oneLine = (text: string, maxLength: number) =>
  cut(withoutControls(text).replace(/\s+/g, ' ').trim(), maxLength);

const UNSUBSCRIBE = 'Stop mails like this one';
const DEFAULT_REASON = 'You get this mail because of your Tidepost account.';

export type RenderedMail = { subject: string; text: string; html: string };

const firstSentence = ({ lines }: MailText) =>
  lines.filter((line) => typeof line === 'string').find((line) => !/^Hello\b.{0,200},$/.test(line)) ?? '';

const paragraph = (text: string) =>
  `<p ${colouredStyle({ fg: 'ink' }, `margin:0 0 16px;${WRAP}`)}>${prose(text)}</p>`;

const anchor = ({ label, url }: Link) =>
  `<a href="${escapeHtml(url)}" ${colouredStyle({ fg: 'brand-ink' }, `font-weight:600;${WRAP}`)}>${inHtml(label)}</a>`;

/** Breaks only words that do not fit into a line, so the column is as wide as its longest word. */
const nameWrap = (name: string) => (/\S{17}/.test(name) ? WRAP : 'overflow-wrap:break-word');

const factRow = ([name, value]: [string, string]) =>
  `<tr><th scope="row" align="left" valign="top" ${colouredStyle({ fg: 'ink-2', bd: 'line' }, `padding:8px 12px 8px 0;font-weight:400;font-size:14px;line-height:20px;border-bottom:1px solid;${nameWrap(name)}`)}>${inHtml(name)}</th><td valign="top" ${colouredStyle({ fg: 'ink', bd: 'line' }, `padding:8px 0;font-size:14px;line-height:20px;border-bottom:1px solid;${WRAP}`)} dir="auto">${prose(value)}</td></tr>`;

function lineToHtml(line: MailLine): string {
  if (typeof line === 'string') return paragraph(line);
  if ('quote' in line)
    return `<blockquote dir="auto" ${colouredStyle({ bg: 'sunken', fg: 'ink', bd: 'brand' }, `margin:0 0 16px;padding:12px 16px;border-left:3px solid;${WRAP}`)}>${inHtml(line.quote)}</blockquote>`;
  if ('code' in line)
    return `<p ${colouredStyle({ bg: 'sunken', fg: 'ink' }, `margin:8px 0 24px;padding:16px 8px;border-radius:10px;text-align:center;font-size:32px;line-height:40px;font-weight:600;letter-spacing:6px;${MONO}`)}>${inHtml(line.code)}</p>`;
  if ('facts' in line)
    return `<table border="0" cellpadding="0" cellspacing="0" width="100%" style="margin:0 0 24px;border-collapse:collapse">${line.facts.map(factRow).join('')}</table>`;
  return `<p style="margin:0 0 24px">${anchor(line)}</p>`;
}

function lineToText(line: MailLine): string {
  if (typeof line === 'string') return line;
  if ('quote' in line) return line.quote.replaceAll(/^/gm, '    ');
  if ('code' in line) return `    ${line.code}`;
  if ('facts' in line) return line.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${line.label}: ${line.url}`;
}

/** A bordered link keeps its padding in every client. The URL is repeated for readers who can't click. */
function buttonHtml({ label, url, shown = url }: Link): string {
  const linkStyle = colouredStyle(
    { bg: 'brand', fg: 'on-brand', bd: 'brand' },
    `display:inline-block;padding:12px 24px;border:1px solid;border-radius:10px;font-weight:600;line-height:20px;text-decoration:none;${WRAP};${SANS}`,
  );
  return `<table ${PLAIN_TABLE} style="margin:8px 0 16px"><tr><td align="center" bgcolor="${COLOURS.brand[0]}" ${colouredStyle({ bg: 'brand' }, 'border-radius:10px')}><a href="${escapeHtml(url)}" ${linkStyle}>${inHtml(label)}</a></td></tr></table>
<p ${colouredStyle({ fg: 'ink-2' }, `margin:0;font-size:13px;line-height:18px;${WRAP}`)}>If the button does not work, open this address: <a href="${escapeHtml(url)}" ${colouredStyle({ fg: 'brand-ink' }, WRAP)}>${inHtml(shown)}</a></p>`;
}

/** Coloured cells instead of an image: remote images would reveal when a mail is read. */
const TIDE = `<table ${PLAIN_TABLE} width="100%"><tr>${[
  ['64%', 'brand'] as const,
  ['24%', 'brand-line'] as const,
  ['12%', 'accent'] as const,
]
  .map(
    ([width, colour]) =>
      `<td width="${width}" height="4" bgcolor="${COLOURS[colour][0]}" ${colouredStyle({ bg: colour }, 'height:4px;line-height:4px;font-size:0')}>&nbsp;</td>`,
  )
  .join('')}</tr></table>`;

function footerHtml({ why = DEFAULT_REASON }: MailText, unsubscribe: string | undefined): string {
  const { APP_URL, SUPPORT_EMAIL } = env();
  const link = (url: string, label: string) =>
    `<a href="${escapeHtml(url)}" ${colouredStyle({ fg: 'ink-2' }, 'text-decoration:underline')}>${inHtml(label)}</a>`;
  const help = `Questions? Write to ${link(`mailto:${SUPPORT_EMAIL}`, SUPPORT_EMAIL)}.`;
  const more = unsubscribe ? `<br>${link(unsubscribe, UNSUBSCRIBE)}` : '';
  return `<p ${colouredStyle({ fg: 'ink-2' }, `margin:0;font-size:13px;line-height:20px;${WRAP}`)}>${inHtml(why)} ${help}<br>${link(APP_URL, 'Tidepost')}${more}</p>`;
}

const STYLES = `:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;width:100%;-webkit-text-size-adjust:100%}
@media (max-width:480px){.card{padding:24px 20px!important}}
@media (prefers-color-scheme:dark){${darkRules}}`;

const previewHtml = (text: string) =>
  `<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px">${inHtml(text)}${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>`;

function renderHtml(mail: MailText, subject: string, unsubscribe: string | undefined): string {
  const { title = subject, preview = firstSentence(mail), lines, button } = mail;
  const body = lines.map(lineToHtml).join('\n') + (button ? buttonHtml(button) : '');
  return `<!doctype html>
<html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${inHtml(subject)}</title><style>${STYLES}</style></head>
<body ${colouredStyle({ bg: 'canvas', fg: 'ink' }, `margin:0;padding:0;font-size:16px;line-height:24px;${SANS}`)}>
${previewHtml(oneLine(preview, PREVIEW_MAX))}
<table ${PLAIN_TABLE} width="100%" bgcolor="${COLOURS.canvas[0]}" ${colouredStyle({ bg: 'canvas' }, 'table-layout:fixed')}><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table ${PLAIN_TABLE} width="${WIDTH}"><tr><td><![endif]-->
<table ${PLAIN_TABLE} width="100%" style="max-width:${WIDTH}px;table-layout:fixed"><tr><td ${colouredStyle({ fg: 'brand-ink' }, `padding:0 4px 12px;font-size:22px;line-height:28px;font-weight:600;${DISPLAY}`)}>Tidepost</td></tr>
<tr><td>${TIDE}</td></tr>
<tr><td bgcolor="${COLOURS.surface[0]}" ${colouredStyle({ bg: 'surface', fg: 'ink', bd: 'line' }, `padding:32px;border:1px solid;border-top:0;border-radius:0 0 16px 16px;font-size:16px;line-height:24px;${SANS}`).replace('class="', 'class="card ')}>
<h1 ${colouredStyle({ fg: 'ink' }, `margin:0 0 20px;font-size:26px;line-height:32px;font-weight:600;${WRAP};${DISPLAY}`)}>${inHtml(title)}</h1>
${body}</td></tr>
<tr><td style="padding:16px 4px 0;${SANS}">${footerHtml(mail, unsubscribe)}</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table></body></html>`;
}

function renderText(
  { lines, button, why = DEFAULT_REASON }: MailText,
  unsubscribe: string | undefined,
): string {
  const { APP_URL, SUPPORT_EMAIL } = env();
  const body = [...lines, ...(button ? [button] : [])].map(lineToText).join('\n\n');
  const stop = unsubscribe ? `${UNSUBSCRIBE}: ${unsubscribe}\n` : '';
  return withoutControls(
    `${body}\n\n-- \n${why} Questions? Write to ${SUPPORT_EMAIL}.\nTidepost: ${APP_URL}\n${stop}`,
  );
}

/** Renders both parts of a mail. Each has the complete content, and nothing is loaded from elsewhere. */
export function renderMail(mail: MailText, unsubscribe?: string): RenderedMail {
  const subject = oneLine(mail.subject, SUBJECT_MAX);
  return { subject, text: renderText(mail, unsubscribe), html: renderHtml(mail, subject, unsubscribe) };
}
