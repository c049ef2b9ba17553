import { foundAt, runsOf } from '#app/domain/writing/gates/language/word-forms.ts';
import { SCALES, WORDS } from './vocabulary.ts';

const EDGE = '(?![\\p{L}\\p{M}\\p{N}])';
const SCALE = `[ -]?(${[...SCALES.keys()].join('|')})`;
const SCALE_AFTER = new RegExp(SCALE + EDGE, 'uy');
const SCALE_AT_END = new RegExp(`${SCALE}$`, 'u');
const DIGITS = /\d+(?:[.,'\u00a0\u202f ](?=\d{2,3}(?!\d))\d{2,3}){0,5}(?:[.,]\d+)?/uy;
const INSIDE = /[\p{L}\p{M}\p{N}]/uy;

/** Number words by their first run of letters, the longest first. */
const BY_FIRST_RUN = Map.groupBy(
  [...WORDS.keys()].sort((one, other) => other.length - one.length),
  (word) => word.slice(...runsOf(word).slice(0, 2)),
);

export type Found = { index: number; end: number; text: string; value: number };

const wordAt = (text: string, index: number, run: string) =>
  BY_FIRST_RUN.get(run)?.find(
    (word) => text.startsWith(word, index) && foundAt(INSIDE, text, index + word.length) === undefined,
  );

/** Returns the numbers of a folded text with plain digits: digits or words, with a scale after them. */
export function numbersIn(text: string): Found[] {
  const numbers: Found[] = [];
  let end = 0;
  const runs = runsOf(text);
  for (let at = 0; at < runs.length; at += 2) {
    const index = runs[at]!;
    if (index < end) continue;
    const base = foundAt(DIGITS, text, index) ?? wordAt(text, index, text.slice(index, runs[at + 1]));
    if (base === undefined) continue;
    const found = base + (foundAt(SCALE_AFTER, text, index + base.length) ?? '');
    end = index + found.length;
    numbers.push({ index, end, text: found, value: numberOf(found) });
  }
  return numbers;
}

/** The value of "1,204.5", "1.204,5", "forty-two" or "5 million". */
function numberOf(found: string): number {
  const scale = SCALE_AT_END.exec(found);
  const isScaled = scale !== null && scale.index > 0 && !WORDS.has(found);
  const base = isScaled ? found.slice(0, scale.index) : found;
  const known = WORDS.get(base);
  return (known ?? digitsValue(base)) * (isScaled ? SCALES.get(scale[1]!)! : 1);
}

function digitsValue(text: string): number {
  const bare = text.replace(/[\u00a0\u202f' ]/g, '');
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  if (last < 0) return Number(bare);
  const isDecimal = bare.length - last - 1 !== 3 || bare.search(/[.,]/) !== last;
  const whole = bare.slice(0, last).replace(/[.,]/g, '');
  const rest = bare.slice(last + 1);
  return Number(isDecimal ? `${whole}.${rest}` : whole + rest);
}
