import { type Html, html, trusted } from '#sandbox/server/html.ts';
import { STYLE } from './style.ts';

const PLACES = [
  ['/feed', 'Feed'],
  ['/inbox', 'Inbox'],
  ['/faults', 'Faults'],
] as const;

/** A whole page. `refresh` reloads it every so many seconds. */
export function layout(options: {
  title: string;
  at?: string;
  refresh?: number;
  narrow?: boolean;
  body: Html;
}) {
  const { title, at, refresh, narrow, body } = options;
  const places = PLACES.map(
    ([href, name]) =>
      html`<a href="${href}" ${trusted(href === at ? 'aria-current="page"' : '')}>${name}</a>`,
  );
  return html`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${refresh ? html`<meta http-equiv="refresh" content="${refresh}">` : null}
<title>${title} – Sandbox</title><link rel="icon" href="data:,"><style>${trusted(STYLE)}</style></head>
<body><header class="top"><div><strong><a href="/">Sandbox</a></strong>
<span class="note">Sandbox – nothing here reaches the real LinkedIn</span><nav aria-label="Sandbox">${places}</nav></div></header>
<main class="${narrow ? 'narrow' : ''}">${body}</main></body></html>`.markup;
}

export function avatar(name: string) {
  const initials = name
    .split(/\s+/)
    .map((part) => [...part][0] ?? '')
    .filter(Boolean);
  const shown = (
    initials.length > 1 ? `${initials[0]}${initials.at(-1)}` : (initials[0] ?? '?')
  ).toUpperCase();
  const hue = [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 360, 7);
  return html`<span class="avatar" style="--hue:${hue}" aria-hidden="true">${shown}</span>`;
}

/** "3 min ago", and the instant itself for those who need it. */
export function when(at: string) {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000));
  const steps: [limit: number, size: number, unit: string][] = [
    [60, 1, 's'],
    [3600, 60, 'min'],
    [86_400, 3600, 'h'],
    [Number.POSITIVE_INFINITY, 86_400, 'd'],
  ];
  const [, size, unit] = steps.find(([limit]) => seconds < limit) ?? [0, 1, 's'];
  const ago = seconds < 5 ? 'just now' : `${Math.floor(seconds / size)} ${unit} ago`;
  return html`<time datetime="${at}">${ago} · ${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time>`;
}
