import type { Link, MailLine, MailText } from '#app/domain/email/content.ts';
import { cut } from '#app/domain/platform/input-schema.ts';
import { env } from '#app/env.ts';

/** The colours of mails, light and dark: those of app/ui/styles/theme.css, as programs for mail understand them. */
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

/** What a colour is used for: by the property, with the letter of its class. */
const USES = { bg: 'background-color', fg: 'color', bd: 'border-color' } as const;
type Use = keyof typeof USES;

const listed = Object.entries(COLOURS) as [Colour, readonly [string, string]][];

const classOf = (use: Use, colour: Colour) => `${use}-${colour}`;

/** The rules that turn every coloured thing dark, for those who want that. */
const darkRules = listed
  .flatMap(([colour, [, dark]]) =>
    (Object.keys(USES) as Use[]).map((use) => `.${classOf(use, colour)}{${USES[use]}:${dark}!important}`),
  )
  .join('');

/** The attributes of an element in these colours, with more of its own style. */
function painted(colours: Partial<Record<Use, Colour>>, style = ''): string {
  const pairs = Object.entries(colours) as [Use, Colour][];
  const own = pairs.map(([use, colour]) => `${USES[use]}:${COLOURS[colour][0]}`).join(';');
  const names = pairs.map(([use, colour]) => classOf(use, colour)).join(' ');
  return `class="${names}" style="${[style, own].filter(Boolean).join(';')}"`;
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
/** Control characters end lines of headers, or what is read of a text. */
const printable = (text: string) => text.replace(/[^\P{Cc}\n]/gu, ' ');
const inHtml = (text: string) => escapeHtml(printable(text)).replaceAll('\n', '<br>');
/** A time zone that follows a time is kept on one line: browsers would break it after its slash. One that is longer than a line still breaks. */
const ZONE = /(?<= )\([A-Z]\w+(?:\/[\w+ -]+)+\)/g;
const prose = (text: string) => inHtml(text).replaceAll(ZONE, '<span style="display:inline-block">$&</span>');
const oneLine = (text: string, most: number) => cut(printable(text).replace(/\s+/g, ' ').trim(), most);

const UNSUBSCRIBE = 'Stop mails like this one';
const BECAUSE = 'You get this mail because of your Tidepost account.';

export type RenderedMail = { subject: string; text: string; html: string };

/** The first sentence behind the greeting. */
const firstSentence = ({ lines }: MailText) =>
  lines.filter((line) => typeof line === 'string').find((line) => !/^Hello\b.{0,200},$/.test(line)) ?? '';

const paragraph = (text: string) =>
  `<p ${painted({ fg: 'ink' }, `margin:0 0 16px;${WRAP}`)}>${prose(text)}</p>`;

const anchor = ({ label, url }: Link) =>
  `<a href="${escapeHtml(url)}" ${painted({ fg: 'brand-ink' }, `font-weight:600;${WRAP}`)}>${inHtml(label)}</a>`;

/** The column of names is as wide as the longest word in it, so none is broken but one that no line holds. */
const wrapOfName = (name: string) => (/\S{17}/.test(name) ? WRAP : 'overflow-wrap:break-word');

const factRow = ([name, value]: [string, string]) =>
  `<tr><th scope="row" align="left" valign="top" ${painted({ fg: 'ink-2', bd: 'line' }, `padding:8px 12px 8px 0;font-weight:400;font-size:14px;line-height:20px;border-bottom:1px solid;${wrapOfName(name)}`)}>${inHtml(name)}</th><td valign="top" ${painted({ fg: 'ink', bd: 'line' }, `padding:8px 0;font-size:14px;line-height:20px;border-bottom:1px solid;${WRAP}`)} dir="auto">${prose(value)}</td></tr>`;

function htmlOf(line: MailLine): string {
  if (typeof line === 'string') return paragraph(line);
  if ('quote' in line)
    return `<blockquote dir="auto" ${painted({ bg: 'sunken', fg: 'ink', bd: 'brand' }, `margin:0 0 16px;padding:12px 16px;border-left:3px solid;${WRAP}`)}>${inHtml(line.quote)}</blockquote>`;
  if ('code' in line)
    return `<p ${painted({ bg: 'sunken', fg: 'ink' }, `margin:8px 0 24px;padding:16px 8px;border-radius:10px;text-align:center;font-size:32px;line-height:40px;font-weight:600;letter-spacing:6px;${MONO}`)}>${inHtml(line.code)}</p>`;
  if ('facts' in line)
    return `<table border="0" cellpadding="0" cellspacing="0" width="100%" style="margin:0 0 24px;border-collapse:collapse">${line.facts.map(factRow).join('')}</table>`;
  return `<p style="margin:0 0 24px">${anchor(line)}</p>`;
}

function plainOf(line: MailLine): string {
  if (typeof line === 'string') return line;
  if ('quote' in line) return line.quote.replaceAll(/^/gm, '    ');
  if ('code' in line) return `    ${line.code}`;
  if ('facts' in line) return line.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${line.label}: ${line.url}`;
}

/** With room around its words that no program takes away, and its address below, for who cannot press it. */
function buttonOf({ label, url, shown = url }: Link): string {
  const inside = painted(
    { bg: 'brand', fg: 'on-brand', bd: 'brand' },
    `display:inline-block;padding:12px 24px;border:1px solid;border-radius:10px;font-weight:600;line-height:20px;text-decoration:none;${WRAP};${SANS}`,
  );
  return `<table ${PLAIN_TABLE} style="margin:8px 0 16px"><tr><td align="center" bgcolor="${COLOURS.brand[0]}" ${painted({ bg: 'brand' }, 'border-radius:10px')}><a href="${escapeHtml(url)}" ${inside}>${inHtml(label)}</a></td></tr></table>
<p ${painted({ fg: 'ink-2' }, `margin:0;font-size:13px;line-height:18px;${WRAP}`)}>If the button does not work, open this address: <a href="${escapeHtml(url)}" ${painted({ fg: 'brand-ink' }, WRAP)}>${inHtml(shown)}</a></p>`;
}

/** A tide mark, made of cells: pictures from elsewhere would tell who reads when. */
const TIDE = `<table ${PLAIN_TABLE} width="100%"><tr>${[
  ['64%', 'brand'] as const,
  ['24%', 'brand-line'] as const,
  ['12%', 'accent'] as const,
]
  .map(
    ([width, colour]) =>
      `<td width="${width}" height="4" bgcolor="${COLOURS[colour][0]}" ${painted({ bg: colour }, 'height:4px;line-height:4px;font-size:0')}>&nbsp;</td>`,
  )
  .join('')}</tr></table>`;

function footOf({ why = BECAUSE }: MailText, unsubscribe: string | undefined): string {
  const { APP_URL, SUPPORT_EMAIL } = env();
  const link = (url: string, label: string) =>
    `<a href="${escapeHtml(url)}" ${painted({ fg: 'ink-2' }, 'text-decoration:underline')}>${inHtml(label)}</a>`;
  const help = `Questions? Write to ${link(`mailto:${SUPPORT_EMAIL}`, SUPPORT_EMAIL)}.`;
  const more = unsubscribe ? `<br>${link(unsubscribe, UNSUBSCRIBE)}` : '';
  return `<p ${painted({ fg: 'ink-2' }, `margin:0;font-size:13px;line-height:20px;${WRAP}`)}>${inHtml(why)} ${help}<br>${link(APP_URL, 'Tidepost')}${more}</p>`;
}

const STYLES = `:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;width:100%;-webkit-text-size-adjust:100%}
@media (max-width:480px){.card{padding:24px 20px!important}}
@media (prefers-color-scheme:dark){${darkRules}}`;

/** What a list of mails shows after the subject, and room behind it, so that it shows nothing more. */
const previewOf = (text: string) =>
  `<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px">${inHtml(text)}${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>`;

function renderHtml(mail: MailText, subject: string, unsubscribe: string | undefined): string {
  const { title = subject, preview = firstSentence(mail), lines, button } = mail;
  const body = lines.map(htmlOf).join('\n') + (button ? buttonOf(button) : '');
  return `<!doctype html>
<html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${inHtml(subject)}</title><style>${STYLES}</style></head>
<body ${painted({ bg: 'canvas', fg: 'ink' }, `margin:0;padding:0;font-size:16px;line-height:24px;${SANS}`)}>
${previewOf(oneLine(preview, PREVIEW_MAX))}
<table ${PLAIN_TABLE} width="100%" bgcolor="${COLOURS.canvas[0]}" ${painted({ bg: 'canvas' }, 'table-layout:fixed')}><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table ${PLAIN_TABLE} width="${WIDTH}"><tr><td><![endif]-->
<table ${PLAIN_TABLE} width="100%" style="max-width:${WIDTH}px;table-layout:fixed"><tr><td ${painted({ fg: 'brand-ink' }, `padding:0 4px 12px;font-size:22px;line-height:28px;font-weight:600;${DISPLAY}`)}>Tidepost</td></tr>
<tr><td>${TIDE}</td></tr>
<tr><td bgcolor="${COLOURS.surface[0]}" ${painted({ bg: 'surface', fg: 'ink', bd: 'line' }, `padding:32px;border:1px solid;border-top:0;border-radius:0 0 16px 16px;font-size:16px;line-height:24px;${SANS}`).replace('class="', 'class="card ')}>
<h1 ${painted({ fg: 'ink' }, `margin:0 0 20px;font-size:26px;line-height:32px;font-weight:600;${WRAP};${DISPLAY}`)}>${inHtml(title)}</h1>
${body}</td></tr>
<tr><td style="padding:16px 4px 0;${SANS}">${footOf(mail, unsubscribe)}</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table></body></html>`;
}

function renderText({ lines, button, why = BECAUSE }: MailText, unsubscribe: string | undefined): string {
  const { APP_URL, SUPPORT_EMAIL } = env();
  const said = [...lines, ...(button ? [button] : [])].map(plainOf).join('\n\n');
  const stop = unsubscribe ? `${UNSUBSCRIBE}: ${unsubscribe}\n` : '';
  return printable(
    `${said}\n\n-- \n${why} Questions? Write to ${SUPPORT_EMAIL}.\nTidepost: ${APP_URL}\n${stop}`,
  );
}

/**
 * Both parts of a mail and its subject, in the look of the product. Each part says everything by itself; nothing in it is
 * fetched from elsewhere.
 *
 * @param unsubscribe Where its reader ends mails like this one.
 */
export function renderMail(mail: MailText, unsubscribe?: string): RenderedMail {
  const subject = oneLine(mail.subject, SUBJECT_MAX);
  return { subject, text: renderText(mail, unsubscribe), html: renderHtml(mail, subject, unsubscribe) };
}
