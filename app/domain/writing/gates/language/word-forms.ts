const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** A faster check for these scripts, which most texts lack. */
const MAYBE_UNSPACED = /[\u0e00-\u1fff\u2e80-\uffff]/;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

const unaccent = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');

const BEYOND_ASCII = /[^\0-\x7f]/;
const isAscii = (text: string) => !BEYOND_ASCII.test(text);

/** Returns a text in lower case, normalised and without accents. The vowel signs of other scripts stay. */
export const fold = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : unaccent(text).toLowerCase().replaceAll('ß', 'ss').replace(/[’‘ʼ]/g, "'");

export function foundAt(sticky: RegExp, text: string, index: number): string | undefined {
  sticky.lastIndex = index;
  return sticky.exec(text)?.[0];
}

const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;

/** Returns the original of a part of the folded text, or the part itself when the text does not have it. */
export function asWritten(text: string, found: string, folded = fold(text)): string {
  const at = folded.indexOf(found);
  if (at < 0) return found;
  let read = 0;
  let written = '';
  for (const [cluster] of text.matchAll(CLUSTER)) {
    if (read >= at + found.length) break;
    const length = fold(cluster).length;
    if (read + length > at) written += cluster;
    read += length;
  }
  return written.trim();
}

/**
 * The lower-case letters and marks of the five languages, for a character class. `\p{L}` would add hundreds of ranges at
 * each use.
 */
export const LETTERS = 'a-z\\u00df-\\u00f6\\u00f8-\\u024f\\u0300-\\u036f\\u0900-\\u0963\\u0971-\\u097f';

/** Joins patterns for folded text. They must be in lower case already, because \S is not \s. */
export const foldedPattern = (sources: string[], around = (any: string) => any, flags = 'u'): RegExp =>
  new RegExp(around(sources.map(unaccent).join('|')), flags);

const LETTER = 1;
const MARK = 2;
const kindOf = (char: string) => (/[\p{L}\p{N}]/u.test(char) ? LETTER : /\p{M}/u.test(char) ? MARK : 0);
/** The kind of each UTF-16 unit: a table is faster than an expression with the letters of all scripts. */
const UNITS = Uint8Array.from({ length: 0x1_0000 }, (_, unit) => kindOf(String.fromCharCode(unit)));
const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00;

/** Returns the start and end of each run of letters, marks and digits, in one flat list. */
export function runsOf(text: string): number[] {
  const runs: number[] = [];
  let isInside = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const pair = isHighSurrogate(unit) ? kindOf(String.fromCodePoint(text.codePointAt(at)!)) : 0;
    const kind = pair || UNITS[unit]!;
    if (isInside ? kind === 0 : kind === LETTER) {
      runs.push(at);
      isInside = !isInside;
    }
    if (pair) at += 1;
  }
  if (isInside) runs.push(text.length);
  return runs;
}

function spacedWordsOf(text: string): string[] {
  const runs = runsOf(text);
  return Array.from({ length: runs.length / 2 }, (_, at) => text.slice(runs[2 * at], runs[2 * at + 1]));
}

/** Returns the folded words of a text in their order. */
export function wordsOf(text: string): string[] {
  const folded = fold(text);
  if (!MAYBE_UNSPACED.test(folded) || !UNSPACED.test(folded)) return spacedWordsOf(folded);
  return [...segmenter.segment(folded)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}

const ENDINGS = new Set(
  (
    's es d ed e er ers ing ings y ies ied or ors ly ion ions ation ations ment ments able al ally ity ' +
    'n en em ern t te ten st et ung ungen est er in innen lich ' +
    'o a os as ar ir ado ada ados adas ando iendo cion ciones amos emos an on ' +
    'ee ees ez ent ons ait ant x aux eur eurs euse if ive ' +
    'ों ें ीं ी े ा ो ि ियों ियाँ ियां याँ यां ने ना नी ते ता ती कर एँ एं ओं'
  ).split(' '),
);
const SHARED_MIN = 3;

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

const isEnding = (tail: string, before: string) =>
  tail === '' ||
  ENDINGS.has(tail) ||
  (tail[0] === before && (tail.length === 1 || ENDINGS.has(tail.slice(1))));

/** Whether two folded words are forms of one: "hire" and "hiring", "plan" and "planning", not "art" and "restart". */
export function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  if (a[0] !== b[0]) return false;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const shared = sharedLength(a, b);
  if (shared < 2 || shared * 2 < short.length) return false;
  const isOther = /[^\p{Script=Latin}]/u.test(a);
  if (shared < SHARED_MIN && !isOther) return false;
  const before = a[shared - 1]!;
  // Many words share three letters, so only common endings are allowed.
  if (!isOther && short.length === SHARED_MIN) {
    return shared === SHARED_MIN && /^(?:e?s|ed|ing|(.)\1?ing|(.)ed|en)$/.test(long.slice(shared));
  }
  return isEnding(a.slice(shared), before) && isEnding(b.slice(shared), before);
}

const COMPOUND = { start: 4, end: 5 };

const stemOf = (word: string) => word.replace(/(?<=.{4})(?:en|er|es|e|n|s)$/, '');

/** German and related languages write compounds as one word: "Rechnungen" is part of "Eingangsrechnung". */
const isPartOf = (stem: string, compound: string): boolean =>
  compound.length > stem.length &&
  ((stem.length >= COMPOUND.start && compound.startsWith(stem)) ||
    (stem.length >= COMPOUND.end &&
      compound.includes(stem) &&
      new RegExp(`${stem}(?:en|er|es|e|n|s)?$`).test(compound)));

export function hasForm(words: Iterable<string>, word: string, language: string): boolean {
  const stem = /^(?:de|nl|sv|da|nb|no|fi)\b/.test(language) ? stemOf(word) : undefined;
  for (const each of words) {
    if (isSameWord(each, word) || (stem !== undefined && isPartOf(stem, each))) return true;
  }
  return false;
}

/** Returns the share of `words`, 0 to 1, that have a form in `others`. */
export function coverage(words: string[], others: Iterable<string>, language: string): number {
  if (words.length === 0) return 0;
  const known = [...others];
  return words.filter((word) => hasForm(known, word, language)).length / words.length;
}
