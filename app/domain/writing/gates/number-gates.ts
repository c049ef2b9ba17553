import type { Fault, Gate } from './gate.ts';
import { any, isMeasure, isOwn, isTemperature, SUM, UNIT_OF_TIME, withoutSum } from './number-uses.ts';
import { NUMBER, numberOf, plainDigits } from './number-words.ts';
import { asWritten, fold } from './word-forms.ts';

const EDGE = '(?![\\p{L}\\p{M}\\p{N}])';
const PERCENT = any(
  '%',
  '٪',
  'percent',
  'per cent',
  'percentage points?',
  'prozent(?:punkte?)?',
  'por ciento',
  'pour ?cents?',
  'प्रतिशत',
  'फीसदी',
  'फ़ीसदी',
)
  .normalize('NFKD')
  .normalize('NFC');
const TIMES = any(
  'x',
  '×',
  'times (?:as|more|less|faster|slower|better|higher|bigger|cheaper|the)',
  '-?fach(?:e[nrms]?)?',
  '-?mal (?:so|mehr|schneller|besser|hoher)',
  'veces (?:mas|menos|mejor)',
  'fois (?:plus|moins)',
  'गुना',
);
const OUT_OF = any('out of(?: every)?', 'in(?: every)?', 'von', 'de cada', 'sur', 'में से');
const CURRENCY = '[$€£¥₹]|\\b(?:usd|eur|euros?|dollars?|dolares|pounds?|rupees?|pesos?)\\b|रुपये|रुपए|रुपयों';

const pattern = (source: string) => new RegExp(source, 'gu');
/** Shares and multiples claim a measurement; the smallest figure is one as well. */
const CLAIMS: { kind: string; pattern: RegExp }[] = [
  { kind: 'percent', pattern: pattern(`(${NUMBER})\\s*-?${PERCENT}`) },
  { kind: 'times', pattern: pattern(`(${NUMBER})\\s?${TIMES}${EDGE}`) },
  {
    kind: 'of',
    pattern: pattern(
      `(${NUMBER}|\\bone|\\beiner?|\\buna?|\\bune?|(?<!\\p{L})एक) ${OUT_OF} (${NUMBER})${EDGE}(?![\\s-]*${UNIT_OF_TIME}${EDGE})`,
    ),
  },
  {
    kind: 'of',
    pattern: pattern(
      `(${NUMBER}) \\p{L}+ (?:sur|de cada) (${NUMBER})${EDGE}(?![\\s-]*${UNIT_OF_TIME}${EDGE})`,
    ),
  },
  {
    kind: 'part',
    pattern: pattern(
      any(
        '\\b(?:two|three)[- ](?:thirds|quarters|fifths)\\b',
        '\\b(?:a|one)[- ](?:third|quarter|fifth|tenth) of (?:all|the|our|my|companies|people|teams|employees|customers|users)\\b',
        '\\bhalf of all\\b',
        '\\b(?:zwei|drei)[- ]?(?:drittel|viertel|funftel)\\b',
        '\\bein (?:drittel|viertel|funftel) (?:aller|der)\\b',
        '\\bdie halfte aller\\b',
        '\\b(?:dos tercios|tres cuartos|tres cuartas partes)\\b',
        '\\bun (?:tercio|cuarto) de (?:los|las|todos)\\b',
        '\\bla mitad de (?:todos|todas)\\b',
        '\\b(?:deux tiers|trois quarts)\\b',
        '\\bun (?:tiers|quart) des\\b',
        '\\bla moitie de tou(?:te)?s\\b',
        'दो[- ]तिहाई|तीन[- ]चौथाई|एक[- ]तिहाई',
      ),
    ),
  },
];

/** The months of the languages that have lists, folded. */
const MONTH = any(
  ...['en', 'de', 'es', 'fr', 'hi'].flatMap((language) =>
    Array.from({ length: 12 }, (_, month) =>
      fold(new Date(Date.UTC(2026, month, 15)).toLocaleString(language, { month: 'long', timeZone: 'UTC' })),
    ),
  ),
);

/** What counts, names a time or splits in the ordinary way and claims nothing. */
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

const isAdvice = (value: number, before: string, after: string) =>
  (value <= SMALL && Number.isInteger(value)) ||
  isMeasure(before, after) ||
  (ROUND_TIMES.has(value) &&
    new RegExp(`^[\\s-]*(?:working |full |straight |freie |volle )?${UNIT_OF_TIME}${EDGE}`, 'u').test(after));

/** What an author counts of themselves is theirs to give; "three" in words and a temperature are not counted. */
const isOwnCount = (found: string, value: number, before: string, after: string, language: string) =>
  (value > SMALL || (value > 2 && /\d/.test(found))) &&
  !isTemperature(after) &&
  isOwn(before, after, language);

type Known = { values: Set<number>; kinds: Set<string> };

/** Every number of a text, and with its kind where it has one: "percent 40". */
function numbersIn(text: string): Known {
  const values = new Set([...text.matchAll(pattern(NUMBER))].map(([found]) => numberOf(found)));
  const kinds = new Set(
    CLAIMS.flatMap(({ kind, pattern: claim }) =>
      [...text.matchAll(claim)].map((match) => `${kind} ${keyOf(match)}`),
    ),
  );
  return { values, kinds };
}

const keyOf = ([whole, ...numbers]: RegExpMatchArray): string =>
  numbers
    .filter(Boolean)
    .map((each) => numberOf(each!) || 1)
    .join('/') || whole!;

/** "Two in 2024", "two in one", "einer von zwei" and "if two in five" are no shares of anything. */
function isNoShare({ 0: found, 1: part, 2: whole, input, index }: RegExpExecArray): boolean {
  const named = [numberOf(part!) || 1, numberOf(whole!)];
  const isTurned = /में से/u.test(found);
  const [less, more] = (isTurned ? named.toReversed() : named) as [number, number];
  return (
    (more > 1_000 && more < 2_100) ||
    more <= less ||
    (isTurned && more === 2) ||
    /^eine?r? von zwei$/.test(found) ||
    /(?<!\p{L})(?:if|wenn|si|अगर|यदि) $/u.test(input.slice(0, index))
  );
}

const prepared = (text: string) => plainDigits(fold(text)).replaceAll('\u00a0', ' ');

function foreignNumber(text: string, known: Known, language: string): string | undefined {
  for (const { kind, pattern: claim } of CLAIMS) {
    const found = [...text.matchAll(claim)].find(
      (match) => !known.kinds.has(`${kind} ${keyOf(match)}`) && !(kind === 'of' && isNoShare(match)),
    );
    if (found) return found[0].trim();
  }
  let rest = text.replace(STEP, (step) => ' '.repeat(step.length)).replace(SUM, withoutSum);
  for (const ordinary of ORDINARY) rest = rest.replace(ordinary, ' ');
  rest = rest.replace(SPLIT, (found, one, other) => (isSplit(Number(one), Number(other)) ? ' ' : found));
  for (const match of rest.matchAll(pattern(NUMBER))) {
    const value = numberOf(match[0]);
    const [before, after] = [rest.slice(0, match.index), rest.slice(match.index + match[0].length)];
    const isMoney =
      new RegExp(`(?:${CURRENCY})\\s?$`, 'u').test(before) ||
      new RegExp(`^\\s?(?:${CURRENCY})`, 'u').test(after);
    if (isKnown(value, known)) continue;
    if (isMoney || isOwnCount(match[0], value, before, after, language) || !isAdvice(value, before, after)) {
      return match[0].trim();
    }
  }
  return undefined;
}

/** Of 24 children one reads and 23 wait. */
const isKnown = (value: number, { values }: Known) =>
  values.has(value) || (value > SMALL && value < 100 && (values.has(value + 1) || values.has(value - 1)));
/** "80/20", "50/50", "1:1", "70:30". */
const isSplit = (one: number, other: number) => one + other === 100 || (one <= SMALL && other <= SMALL);

const numbers: Gate = {
  name: 'numbers',
  find: ({ content, against, given }): Fault | undefined => {
    const known = numbersIn(prepared([given, ...against.facts].join('\n')));
    const read = prepared(content);
    const foreign = foreignNumber(read, known, against.language);
    if (foreign === undefined) return undefined;
    const quoted = asWritten(content, foreign, read);
    return {
      forWriter: `It states a number that was not given: ${quoted}. Leave it out or use one of the facts.`,
      forUser: `It stated a number that you did not give: ${quoted}`,
    };
  },
};

export const NUMBER_GATES: Gate[] = [numbers];
