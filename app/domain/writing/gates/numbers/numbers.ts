import type { Fault, Gate } from '#app/domain/writing/gates/gate.ts';
import { asWritten, fold } from '#app/domain/writing/gates/language/word-forms.ts';
import { claimsIn, isNoShare, keyOf } from './claims.ts';
import { plainDigits } from './plain-digits.ts';
import { any, isMeasure, isOwn, isTemperature, SUM, UNIT_OF_TIME, withoutSum } from './uses.ts';
import { numbersIn } from './words.ts';

const EDGE = '(?![\\p{L}\\p{M}\\p{N}])';
const CURRENCY = '[$€£¥₹]|\\b(?:usd|eur|euros?|dollars?|dolares|pounds?|rupees?|pesos?)\\b|रुपये|रुपए|रुपयों';
const MONEY_BEFORE = new RegExp(`(?:${CURRENCY})\\s?$`, 'u');
const MONEY_AFTER = new RegExp(`^\\s?(?:${CURRENCY})`, 'u');
const LONGEST_MONEY = 20;

const MONTH = any(
  ...['en', 'de', 'es', 'fr', 'hi'].flatMap((language) =>
    Array.from({ length: 12 }, (_, month) =>
      fold(new Date(Date.UTC(2026, month, 15)).toLocaleString(language, { month: 'long', timeZone: 'UTC' })),
    ),
  ),
);

/** Times, dates, ordinals and references, which claim nothing. */
const ORDINARY = [
  /(?<![\d:.,/])(?:[01]?\d|2[0-4])(?::|\s?h\s?|\.(?=\d\d\s?uhr))[0-5]\d(?:\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h))?(?![\d:])/g,
  /(?<!\d)(?:1?\d|2[0-4])\s?(?:am|pm|a\.m\.|p\.m\.|uhr|o'clock|h(?:eures)?|बजे)(?![\p{L}\p{N}])/gu,
  /(?<!\d)24\s?\/\s?7|(?<!\d)9\s?-\s?(?:to-)?5(?!\d)/g,
  /(?<![\d,.])(?:1[5-9]|20)\d\d(?:s|er)?(?:\s?[/–-]\s?(?:19|20)?\d\d)?(?![\d%,.]\d|\d|\s?%)/g,
  /(?<!\d)\d{1,2}\.\s?(?:0?[1-9]|1[0-2])\.(?:\s?(?:19|20)?\d\d)?(?!\d)|(?<!\d)(?:19|20)\d\d-\d\d(?:-\d\d)?(?!\d)/g,
  /(?<![\d,.])\d{1,2}(?:st|nd|rd|th|er|e|º|ª)(?![\p{L}\p{N}])/gu,
  new RegExp(`(?<!\\d)\\d{1,2}\\.?(?: de)? ${MONTH}${EDGE}|${MONTH} \\d{1,2}(?![\\d%])`, 'gu'),
  /(?<!\p{L})(?:iso|din|en|rfc|iec|ieee|vob|gdpr|art|article|artikel|section|paragraph|§)[ .-]*\d+(?:[-:.]\d+)*/gu,
  /(?<![\p{L}\p{N}])\p{L}+-?\d+(?:[.-]\d+)*(?![\p{L}\p{N}%])/gu,
];
const SPLIT = /(?<!\d)(\d{1,2})\s?[/:]\s?(\d{1,2})(?![\d/:])/g;
/** "1." or "2)" before a step, at the start of a line. */
const STEP = /^\s*\d{1,2}[.):]\s/gm;
const SMALL = 12;
const ROUND_TIMES = new Set([
  15, 20, 21, 24, 25, 28, 30, 31, 36, 40, 45, 48, 50, 52, 60, 72, 90, 100, 120, 180, 365,
]);

const TIME_AFTER = new RegExp(
  `^[\\s-]*(?:working |full |straight |freie |volle )?${UNIT_OF_TIME}${EDGE}`,
  'u',
);
const CLAUSE_END = /^\s?(?:[.,;:!?…।–—)]|$)/u;
const TIME_BEFORE = new RegExp(`\\d[\\s-]*${UNIT_OF_TIME}${EDGE}[^.!?…।\\n]*$`, 'u');
const CLAUSES = 100;
/** "After 14 days rather than after 60." */
const omitsUnit = (before: string, after: string) =>
  CLAUSE_END.test(after) && TIME_BEFORE.test(before.slice(-CLAUSES));

const isAdvice = (value: number, before: string, after: string) =>
  (value <= SMALL && Number.isInteger(value)) ||
  isMeasure(before, after) ||
  (ROUND_TIMES.has(value) && (TIME_AFTER.test(after) || omitsUnit(before, after)));

/** A count about the author, which only the user can know. Small number words and temperatures are no counts. */
const isOwnCount = (found: string, value: number, before: string, after: string, language: string) =>
  (value > SMALL || (value > 2 && /\d/.test(found))) &&
  !isTemperature(after) &&
  isOwn(before, after, language);

type KnownNumbers = { values: Set<number>; kinds: Set<string> };

/** The numbers of the user's input, and its claims as keys such as "percent 40". */
function knownNumbersOf(text: string): KnownNumbers {
  const numbers = numbersIn(text);
  return {
    values: new Set(numbers.map(({ value }) => value)),
    kinds: new Set(claimsIn(text, numbers).map(keyOf)),
  };
}

const prepared = (text: string) => plainDigits(fold(text)).replaceAll('\u00a0', ' ');

function withoutOrdinary(text: string): string {
  let rest = text.replace(STEP, (step) => ' '.repeat(step.length)).replace(SUM, withoutSum);
  for (const ordinary of ORDINARY) rest = rest.replace(ordinary, ' ');
  return rest.replace(SPLIT, (found, one, other) => (isSplit(Number(one), Number(other)) ? ' ' : found));
}

const isMoney = (before: string, after: string) =>
  MONEY_BEFORE.test(before.slice(-LONGEST_MONEY)) || MONEY_AFTER.test(after);

function foreignNumber(text: string, known: KnownNumbers, language: string): string | undefined {
  const numbers = numbersIn(text);
  const claim = claimsIn(text, numbers).find(
    (each) => !known.kinds.has(keyOf(each)) && !(each.kind === 'of' && isNoShare(text, each)),
  );
  if (claim) return claim.text.trim();
  const rest = /\d/.test(text) ? withoutOrdinary(text) : text;
  for (const { index, end, text: found, value } of rest === text ? numbers : numbersIn(rest)) {
    if (isKnown(value, known)) continue;
    const [before, after] = [rest.slice(0, index), rest.slice(end)];
    if (
      isMoney(before, after) ||
      isOwnCount(found, value, before, after, language) ||
      !isAdvice(value, before, after)
    ) {
      return found.trim();
    }
  }
  return undefined;
}

/** Also the numbers next to a known one: of 24 children one reads and 23 wait. */
const isKnown = (value: number, { values }: KnownNumbers) =>
  values.has(value) || (value > SMALL && value < 100 && (values.has(value + 1) || values.has(value - 1)));
const isSplit = (one: number, other: number) => one + other === 100 || (one <= SMALL && other <= SMALL);

const numbers: Gate = {
  name: 'numbers',
  find: ({ content, context, foldedInput }): Fault | undefined => {
    const known = knownNumbersOf(prepared([foldedInput, ...context.facts].join('\n')));
    const read = prepared(content);
    const foreign = foreignNumber(read, known, context.language);
    if (foreign === undefined) return undefined;
    const quoted = asWritten(content, foreign, read);
    return {
      forWriter: `It states a number that was not given: ${quoted}. Leave it out or use one of the facts.`,
      forUser: `It stated a number that you did not give: ${quoted}`,
    };
  },
};

export const NUMBER_GATES: Gate[] = [numbers];
