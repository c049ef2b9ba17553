import type { Fault, Gate } from './gate.ts';
import { quote } from './quote.ts';

/** Markup that LinkedIn shows raw. A star or an underscore between spaces or digits is allowed. */
const MARKDOWN: { what: string; pattern: RegExp }[] = [
  { what: 'bold', pattern: /\*\*\S|\S\*\*|__\S[^\n]*?\S__/ },
  {
    what: 'emphasis',
    pattern: /(?<![\p{L}\p{N}*])\*[\p{L}\p{N}"“„«»¿¡](?:[^*\n]*[^\s*])?\*(?![\p{L}\p{N}*])/u,
  },
  {
    what: 'emphasis',
    pattern: /(?<![\p{L}\p{N}_/.])_[\p{L}\p{N}"“„«»¿¡](?:[^_\n]*[^\s_])?_(?![\p{L}\p{N}_])/u,
  },
  { what: 'strikethrough', pattern: /~~\S/ },
  { what: 'code', pattern: /`[^`\n]+`|```/ },
  { what: 'a heading', pattern: /^ {0,3}#{1,6}\s|^[^\n]+\n(?:={3,}|-{3,})[ \t]*$/m },
  { what: 'a list', pattern: /^[ \t]*[*+][ \t]+\S/m },
  { what: 'a rule', pattern: /^[ \t]*(?:[-*_][ \t]*){3,}$/m },
  { what: 'a link', pattern: /!?\[[^\]\n]+\]\((?:[^)\n]+)\)|^\[[^\]\n]+\]:\s*\S/m },
  { what: 'a table', pattern: /^[ \t]*\|.+\|[ \t]*$|^[ \t]*:?-{2,}:?[ \t]*\|/m },
  { what: 'a quotation', pattern: /^[ \t]*>[ \t]?\S/m },
  {
    what: 'HTML',
    pattern:
      /<(?:!--|\/?(?:b|i|u|p|br|strong|em|ul|ol|li|a|h[1-6]|div|span|code|blockquote|img|script|style|svg|iframe|object|embed|form|input|button|link|meta|base|video|audio|details|table|t[dhr])\b[^>\n]*>)/i,
  },
];

const markdown: Gate = {
  name: 'markdown',
  find: ({ content }) => {
    const found = MARKDOWN.find(({ pattern }) => pattern.test(content));
    return (
      found && {
        forWriter: `It contains Markdown (${found.what}), which LinkedIn shows raw; use plain text.`,
        forUser: 'It had signs of formatting that LinkedIn shows as they are',
      }
    );
  },
};

/** Names of a gap between guillemets; anything else between them is a quotation. */
const GAP_NAME =
  /^\s*(?:(?:your|the|ihr|dein|tu|su|votre|ton|आपका|आपकी)e?\s+)?(?:name|company|product|city|nom|nombre|empresa|entreprise|firma|firmenname|unternehmen|ville|stadt|ciudad|produit|producto|produkt|नाम|कंपनी)(?![\p{L}\p{M}])/iu;
const GAP_WORDS_MAX = 5;
const BRACKETED =
  /\[([^[\]\n]{1,60})\](?!\()|\{+([^{}\n]{1,60})\}+|<([^<>\n]{1,60})>|«([^«»\n]{1,60})»|‹([^‹›\n]{1,60})›|【([^【】\n]{1,60})】|%([A-Z_]{3,30})%|\$\{?([A-Z_]{3,30})\}?|\b(?:XXX+|TODO|TBD|Lorem ipsum)\b/gu;

/** An aside of the author, in contrast to a gap that asks for something. */
const ASIDE =
  /^\p{Ll}.*\b(?:is|are|was|were|it|they|isn['’]t|aren['’]t|does|doesn['’]t|usually|never|of course)\b/u;
const GAP_WORD = /\b(?:your|insert|add|name|company|number|client|here)\b/iu;
const KEY =
  /^(?:enter|return|tab|esc(?:ape)?|space|del(?:ete)?|backspace|home|end|(?:ctrl|alt|shift|strg|cmd)(?:[ +-]\p{L})?|f\d\d?)$/iu;

function isPlaceholder(match: RegExpExecArray): boolean {
  const [whole, square, curly, angle, ...others] = match;
  const inside = square ?? curly ?? angle ?? others.find(Boolean);
  if (inside === undefined) return true;
  if (curly !== undefined || whole.startsWith('%') || whole.startsWith('$')) return true;
  if (square !== undefined && ASIDE.test(inside) && !GAP_WORD.test(inside)) return false;
  if (angle !== undefined && KEY.test(inside)) return false;
  // Allows "[sic]", "[…]" and a changed letter in a quotation.
  if (square !== undefined) return !/^(?:sic|…|\.\.\.|\p{L})$/iu.test(inside) && /\p{L}/u.test(inside);
  if (angle !== undefined) return /^\p{L}[\p{L}\p{M} _-]*$/u.test(inside);
  return GAP_NAME.test(inside) && inside.trim().split(/\s+/).length <= GAP_WORDS_MAX;
}

const placeholder: Gate = {
  name: 'placeholder',
  find: ({ content, context }): Fault | undefined => {
    const found = [...content.matchAll(BRACKETED)].find(
      (match) => isPlaceholder(match) && !context.userInput.includes(match[0]),
    );
    return (
      found && {
        forWriter: `It contains a placeholder (${quote(found[0])}); write the real words or leave them out.`,
        forUser: 'It left a gap to be filled in',
      }
    );
  },
};

export const MARKUP_GATES: Gate[] = [markdown, placeholder];
