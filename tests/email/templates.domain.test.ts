import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { COLOURS, renderMail } from '#app/domain/email/render/render.ts';
import { type MailKind, mailText } from '#app/domain/email/templates/templates.ts';
import { openingOf } from '#app/domain/publishing/mails.ts';
import { env } from '#app/env.ts';
import { MAIL_EXAMPLES } from '#scripts/mails/examples.ts';
import { textOf } from '#tests/project/architecture-imports.ts';

const kinds = Object.keys(MAIL_EXAMPLES) as MailKind[];
/** Programs for mail cut off what is longer. */
const LONGEST_HTML = 100_000;
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&amp;\r\nBcc: victim@example.com`;

/** The data of a kind with every text of it made by `change`; what is an address stays one. */
function changed(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return /^https?:/.test(value) ? value : change(value);
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, changed(held, change)]));
}

/** Every text of the data, as a reader should find it. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const rendered = (kind: MailKind, data: unknown = MAIL_EXAMPLES[kind], stop?: string) =>
  renderMail(mailText(kind, data as never), stop);

/** The example with every number at one and at none, every yes and no turned round, and every list long and empty. */
function variantsOf(kind: MailKind): object[] {
  const example = MAIL_EXAMPLES[kind] as Record<string, unknown>;
  const others = Object.entries(example).flatMap(([name, value]): Record<string, unknown>[] => {
    if (typeof value === 'number') return [{ [name]: 0 }, { [name]: 1 }];
    if (typeof value === 'boolean') return [{ [name]: !value }];
    if (!Array.isArray(value)) return [];
    return [{ [name]: value.slice(0, 1) }, { [name]: Array.from({ length: 30 }, () => value[0]) }];
  });
  return [example, ...others.map((other) => ({ ...example, ...other }))];
}

const unescaped = (html: string) =>
  html
    .replace(/<style[\s\S]*?<\/style>|<br>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('every kind of mail', () => {
  for (const kind of kinds) {
    test(`${kind} says whole sentences`, () => {
      for (const data of variantsOf(kind)) {
        const { lines, subject } = mailText(kind, data as never);
        for (const line of [subject, ...lines]) {
          if (typeof line === 'string') assert.doesNotMatch(line, /^\p{Ll}/u);
        }
      }
    });

    test(`${kind} says the same in both of its parts`, () => {
      const { subject, text, html } = rendered(kind);
      assert.ok(subject.length > 5 && subject.length <= 200);
      assert.match(html, /^<!doctype html>/);
      assert.ok(html.length < LONGEST_HTML);
      const words = unescaped(html);
      for (const said of textsIn(MAIL_EXAMPLES[kind])) {
        const lines = said.split('\n');
        for (const line of lines) {
          assert.ok(text.includes(line), `${line} in the text of ${kind}`);
          assert.ok(
            words.includes(line) || html.includes(line.replaceAll('&', '&amp;')),
            `${line} in ${kind}`,
          );
        }
      }
    });

    test(`${kind} links to nothing but the product, and fetches nothing`, () => {
      const { html } = rendered(kind);
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);
      const own = (href: string) =>
        href.startsWith('https://app.tidepost.example/') ||
        href === env().APP_URL ||
        href === `mailto:${env().SUPPORT_EMAIL}`;
      assert.deepEqual(
        links.filter((href) => !own(href)),
        [],
      );
      assert.doesNotMatch(html, /<(?:img|link|script|form|iframe|object|video)|\ssrc=|url\(|@import/i);
    });

    test(`${kind} shows hostile data as the text that it is`, () => {
      const { subject, html, text } = rendered(
        kind,
        changed(MAIL_EXAMPLES[kind], () => HOSTILE),
      );
      assert.doesNotMatch(html, /<script|<img|onerror=alert\(1\)>'&amp;\r/);
      assert.doesNotMatch(subject, /[\r\n]/);
      assert.doesNotMatch(text, /\r/);
    });

    test(`${kind} says markup that somebody typed: escaped in HTML, as typed in the text and the subject`, () => {
      const typed = new Map<string, string>();
      const data = changed(MAIL_EXAMPLES[kind], (was) => {
        const now = `${typed.size}<b>&"'`;
        typed.set(was, now);
        return now;
      });
      const { subject, html, text } = rendered(kind, data);
      assert.equal(textsIn(data).filter((one) => one.includes('<b>')).length > 0, typed.size > 0);
      for (const said of textsIn(data).filter((one) => one.includes('<b>'))) {
        assert.ok(text.includes(said), `${said} in the text`);
        const escaped = said.replace(`<b>&"'`, '&lt;b&gt;&amp;&quot;&#39;');
        assert.ok(html.includes(escaped), `${escaped} in the HTML`);
      }
      assert.doesNotMatch(html, /<b>|&(?!amp;|lt;|gt;|quot;|#39;|#847;|zwnj;|nbsp;)/);
      assert.doesNotMatch(`${text}${subject}`, /&(?:amp|lt|gt|quot|#39);/);
    });
  }
});

test('a mail lists in short what it is about, and not how it greets', () => {
  const { html } = rendered('planEnded');
  assert.match(
    /<div style="display:none[^>]*>([^&]*)/.exec(html)![1]!,
    /^Your plan of 3 posts a day has ended/,
  );
});

test('a time zone is kept whole in facts and sentences, and nothing else is', () => {
  const zone = '(America/Port-au-Prince)';
  const time = `Tue, Mar 3, 09:00 ${zone}`;
  const address = 'https://app.tidepost.example/(Reports/of)/2026';
  const { html, text } = renderMail({
    subject: `Moved from ${time}`,
    lines: [{ facts: [['Time', time]] }, `It goes out at ${time}.`, `Read <b> at ${address}`],
  });
  assert.equal(html.split(`<span style="display:inline-block">${zone}</span>`).length, 3);
  assert.equal(html.split('<span').length, 3);
  assert.ok(html.includes(`<title>Moved from ${time}</title>`));
  assert.equal(text.split(zone).length, 3);
});

test('where mails like it are ended is said in both parts, when there is such a place', () => {
  const stop = 'https://app.tidepost.example/unsubscribe?a=1&b=2';
  const { html, text } = rendered('topicPaused', undefined, stop);
  assert.ok(html.includes('href="https://app.tidepost.example/unsubscribe?a=1&amp;b=2"'));
  assert.ok(text.includes(`Stop mails like this one: ${stop}`));
  assert.doesNotMatch(rendered('topicPaused').html, /Stop mails/);
});

/** What an oklch colour is in 8-bit sRGB (https://www.w3.org/TR/css-color-4/#color-conversion-code). */
function hexOf(lightness: number, chroma: number, hue: number): string {
  const [a, b] = [Math.cos, Math.sin].map((turn) => chroma * turn((hue * Math.PI) / 180)) as [number, number];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const byte = (part: number) => {
    const shown = part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, shown)) * 255);
  };
  return `#${linear.map((part) => byte(part).toString(16).padStart(2, '0')).join('')}`;
}

test('what a mail cuts ends with a whole sign', () => {
  const title = `${'a'.repeat(199)}🌊 and on`;
  const { subject } = renderMail({ subject: title, lines: [title] });
  assert.equal(subject, 'a'.repeat(199));
  assert.equal(openingOf(`${'b'.repeat(78)}🌊 and on`), `${'b'.repeat(78)}…`);
});

test('the colours of mails are those of the pages, in both themes', () => {
  const sheet = textOf('app/ui/styles/theme.css');
  for (const [name, pair] of Object.entries(COLOURS)) {
    const values = new RegExp(`--color-${name}: light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)\\)`).exec(
      sheet,
    );
    assert.ok(values, name);
    const hexes = values
      .slice(1)
      .map((value) => hexOf(...(value.split(' ').map(Number) as [number, number, number])));
    assert.deepEqual(hexes, [...pair], name);
  }
});
