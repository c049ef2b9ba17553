import { type Html, html, trusted } from '#sandbox/server/html.ts';

const STYLE = `
:root{color-scheme:light dark;--canvas:light-dark(#f3f5f7,#12181d);--surface:light-dark(#fff,#1b232a);
--sunken:light-dark(#eef1f4,#151c22);--line:light-dark(#d9dfe5,#33404b);--ink:light-dark(#17212b,#eef3f7);
--ink2:light-dark(#4b5a68,#a9b8c5);--brand:light-dark(#0a5c80,#7cc9ec);--on-brand:light-dark(#fff,#0c2331);
--danger:light-dark(#a32020,#ff9c94);--danger-soft:light-dark(#fdeceb,#43201f);--ok:light-dark(#17663c,#7fdca6);
--ok-soft:light-dark(#e5f5ec,#17372a);--warn-soft:light-dark(#fff4dc,#3b2f14);--warn:light-dark(#6d4a00,#f3cf7e)}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
-webkit-text-size-adjust:100%}
a{color:var(--brand)}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
.top{background:var(--surface);border-bottom:1px solid var(--line)}
.top>div,main{max-width:46rem;margin:0 auto;padding-inline:1rem}
.top>div{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.25rem;padding-block:.7rem}
.top strong{font-size:1.05rem;letter-spacing:-.01em}.top strong a{color:inherit;text-decoration:none}
.top .note{color:var(--ink2);font-size:.875rem}
.top nav{display:flex;gap:.25rem;margin-inline-start:auto}
.top nav a{padding:.35rem .7rem;border-radius:.5rem;text-decoration:none;font-weight:600;font-size:.925rem}
.top nav a[aria-current]{background:var(--sunken);color:var(--ink)}
main{padding-block:1.75rem 4rem}
h1{font-size:1.6rem;line-height:1.2;letter-spacing:-.02em;margin:0 0 .4rem}
h2{font-size:1.1rem;margin:2rem 0 .75rem}
.lead{color:var(--ink2);margin:0 0 1.5rem;max-width:38rem}
main>p:first-child{margin:0 0 .75rem}h1+.card{margin-top:1rem}.card>:last-child{margin-bottom:0}
.card{background:var(--surface);border:1px solid var(--line);border-radius:.85rem;padding:1.1rem 1.25rem;margin-block:0 1rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:1rem}
.tile{display:block;color:inherit;text-decoration:none;margin:0}.tile:hover{border-color:var(--brand)}
.tile b{font-size:2rem;line-height:1.1;display:block;font-variant-numeric:tabular-nums}.tile span{color:var(--ink2)}
.empty{text-align:center;padding:2.75rem 1.25rem;color:var(--ink2)}.empty strong{display:block;color:var(--ink);font-size:1.1rem;margin-bottom:.25rem}
.row{display:flex;gap:.8rem;align-items:center}
.avatar{flex:none;width:3rem;height:3rem;border-radius:50%;display:grid;place-items:center;font-weight:700;color:#fff;background:hsl(var(--hue) 45% 36%)}
.name{font-weight:650;line-height:1.3}.small{color:var(--ink2);font-size:.85rem;line-height:1.4;overflow-wrap:anywhere}
.text{white-space:pre-line;overflow-wrap:anywhere;margin:.85rem 0 0}.tag{color:var(--brand);font-weight:600}
.post img{display:block;width:calc(100% + 2.5rem);max-width:none;margin:1rem -1.25rem 0;border-block:1px solid var(--line)}
.flag{background:var(--danger-soft);color:var(--danger);border-radius:.6rem;padding:.6rem .8rem;margin:.85rem 0 0;font-weight:600}
.foot{display:flex;flex-wrap:wrap;gap:.35rem 1rem;margin-top:.9rem;padding-top:.7rem;border-top:1px solid var(--line)}
.foot code,.small code{overflow-wrap:anywhere}
code{font:0.85em ui-monospace,Menlo,Consolas,monospace}
.mail{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;justify-content:space-between;color:inherit;text-decoration:none}
.mail:hover{border-color:var(--brand)}.mail>span:first-child{min-width:0;flex:1 1 16rem}.mail .name,.mail .small{display:block}
.code{font:700 1.9rem/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.14em;color:var(--brand)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem .9rem;margin:0}dt{color:var(--ink2)}dd{margin:0;overflow-wrap:anywhere}
iframe{width:100%;height:40rem;resize:vertical;border:1px solid var(--line);border-radius:.6rem}
iframe.light{color-scheme:light;background:#fff}iframe.dark{color-scheme:dark;background:#000}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:0.9rem/1.5 ui-monospace,Menlo,Consolas,monospace;margin:0}
button,.button{font:inherit;font-weight:650;min-height:2.75rem;padding:.5rem 1.1rem;border-radius:.6rem;border:1px solid var(--line);background:var(--surface);color:var(--ink);cursor:pointer}
button.primary{background:var(--brand);border-color:var(--brand);color:var(--on-brand)}button:hover{filter:brightness(1.06)}
label{font-weight:600;font-size:.9rem;display:block}
input:not([type=radio],[type=checkbox]),select{font:inherit;font-weight:400;font-size:1rem;width:100%;min-height:2.75rem;padding:.45rem .7rem;border:1px solid light-dark(#7d8b98,#6d7f8e);border-radius:.6rem;background:var(--surface);color:var(--ink);margin-top:.25rem}
.fields{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:.9rem;margin-bottom:1rem}
.choice{display:flex;gap:.8rem;align-items:center;padding:.65rem .8rem;border:1px solid var(--line);border-radius:.7rem;margin-bottom:.5rem;cursor:pointer;font-weight:400;font-size:1rem}
.choice>span:last-child{min-width:0}.choice .name,.choice .small{display:block}
.choice:has(:checked){border-color:var(--brand);box-shadow:inset 0 0 0 1px var(--brand)}.choice input{flex:none;width:1.15rem;height:1.15rem;margin:0;accent-color:var(--brand)}
.buttons{display:flex;flex-wrap:wrap;gap:.7rem;margin-top:1.25rem}.buttons .primary{flex:1 1 10rem}
a.button{text-decoration:none;display:inline-grid;place-items:center}a.button[aria-current]{border-color:var(--brand);box-shadow:inset 0 0 0 1px var(--brand)}
.narrow{max-width:30rem}.narrow .card{padding:1.5rem}
ul.plain{list-style:none;margin:0 0 1.1rem;padding:0}ul.plain li{padding:.3rem 0 .3rem 1.6rem;position:relative}
ul.plain li::before{content:"✓";position:absolute;left:.2rem;color:var(--ok);font-weight:700}
summary{cursor:pointer;font-weight:600;padding:.4rem 0}
.kind{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;justify-content:space-between;padding:.75rem 0;border-top:1px solid var(--line)}
.kind:first-of-type{border-top:0}.kind>div{flex:1 1 18rem;min-width:0}.kind p{margin:0;color:var(--ink2);font-size:.9rem}
.pill{display:inline-block;border-radius:1rem;padding:.05rem .6rem;font-size:.8rem;font-weight:650;background:var(--warn-soft);color:var(--warn)}
.pill.ok{background:var(--ok-soft);color:var(--ok)}
@media (max-width:30rem){.top nav{margin-inline-start:-.7rem;width:100%}.code{font-size:1.6rem}}
`;

const NAVIGATION = [
  ['/feed', 'Feed'],
  ['/inbox', 'Inbox'],
  ['/faults', 'Faults'],
] as const;

/** `path`: the current page in the navigation. `refresh`: seconds between reloads. */
export function layout(options: {
  title: string;
  path?: string;
  refresh?: number;
  narrow?: boolean;
  body: Html;
}) {
  const { title, path, refresh, narrow, body } = options;
  const links = NAVIGATION.map(
    ([href, name]) =>
      html`<a href="${href}" ${trusted(href === path ? 'aria-current="page"' : '')}>${name}</a>`,
  );
  return html`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${refresh ? html`<meta http-equiv="refresh" content="${refresh}">` : null}
<title>${title} – Sandbox</title><link rel="icon" href="data:,"><style>${trusted(STYLE)}</style></head>
<body><header class="top"><div><strong><a href="/">Sandbox</a></strong>
<span class="note">Sandbox – nothing here reaches the real LinkedIn</span><nav aria-label="Sandbox">${links}</nav></div></header>
<main class="${narrow ? 'narrow' : ''}">${body}</main></body></html>`.markup;
}

export function avatar(name: string) {
  const initials = name
    .split(/\s+/)
    .map((part) => [...part][0] ?? '')
    .filter(Boolean);
  const label = (
    initials.length > 1 ? `${initials[0]}${initials.at(-1)}` : (initials[0] ?? '?')
  ).toUpperCase();
  const hue = [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 360, 7);
  return html`<span class="avatar" style="--hue:${hue}" aria-hidden="true">${label}</span>`;
}

/** "3 min ago" and the time in UTC. */
export function timeAgo(at: string) {
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
