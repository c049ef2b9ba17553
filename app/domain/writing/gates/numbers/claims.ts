import { foundAt } from '#app/domain/writing/gates/language/word-forms.ts';
import { any, UNIT_OF_TIME } from './uses.ts';
import type { Found } from './words.ts';

const EDGE = '(?![\\p{L}\\p{M}\\p{N}])';
const PERCENT = any(
  '%|٪|percent|per cent|percentage points?|prozent(?:punkte?)?|por ciento|pour ?cents?|प्रतिशत|फीसदी|फ़ीसदी',
)
  .normalize('NFKD')
  .normalize('NFC');
const TIMES = any(
  'x|×|times (?:as|more|less|faster|slower|better|higher|bigger|cheaper|the)',
  '-?fach(?:e[nrms]?)?|-?mal (?:so|mehr|schneller|besser|hoher)|veces (?:mas|menos|mejor)|fois (?:plus|moins)|गुना',
);
const OUT_OF = any('out of(?: every)?', 'in(?: every)?', 'von', 'de cada', 'sur', 'में से');

/** Shares and multiples claim a measurement, however small. */
export type Claim = { kind: string; index: number; text: string; numbers: number[] };

const AFTER: [kind: string, RegExp][] = [
  ['percent', new RegExp(`\\s*-?${PERCENT}`, 'uy')],
  ['times', new RegExp(`\\s?${TIMES}${EDGE}`, 'uy')],
];
const measuresIn = (text: string, numbers: Found[]): Claim[] =>
  AFTER.flatMap(([kind, after]) =>
    numbers.flatMap(({ index, end, text: written, value }) => {
      const measure = foundAt(after, text, end);
      return measure === undefined ? [] : [{ kind, index, text: written + measure, numbers: [value] }];
    }),
  );

/** "in", "de cada" and "personnes sur" between the two numbers of a share. */
const BETWEEN = [new RegExp(` ${OUT_OF} (?=[\\p{L}\\d])`, 'gu'), / \p{L}+ (?:sur|de cada) (?=[\p{L}\d])/gu];
const ONE = /(?:\bone|\beiner?|\buna?|\bune?|(?<!\p{L})एक)$/u;
const LONGEST_ONE = 8;
const NO_SHARE_OF = new RegExp(`(?!${EDGE})|[\\s-]*${UNIT_OF_TIME}${EDGE}`, 'uy');

/** The first part of a share: a number, or "one" in a form that is an article elsewhere. */
function partBefore(text: string, at: number, numbers: Found[]): Pick<Found, 'index' | 'value'> | undefined {
  const number = numbers.find(({ end }) => end === at);
  if (number) return number;
  const one = ONE.exec(text.slice(Math.max(0, at - LONGEST_ONE), at))?.[0];
  return one === undefined ? undefined : { index: at - one.length, value: 1 };
}

function sharesIn(text: string, numbers: Found[]): Claim[] {
  return BETWEEN.flatMap((between, at) =>
    [...text.matchAll(between)].flatMap(({ 0: words, index }) => {
      const whole = numbers.find((number) => number.index === index + words.length);
      if (!whole || foundAt(NO_SHARE_OF, text, whole.end) !== undefined) return [];
      const part = at === 0 ? partBefore(text, index, numbers) : numbers.find(({ end }) => end === index);
      if (!part) return [];
      const found = text.slice(part.index, whole.end);
      return [{ kind: 'of', index: part.index, text: found, numbers: [part.value || 1, whole.value || 1] }];
    }),
  );
}

const PART = new RegExp(
  any(
    '\\b(?:two|three)[- ](?:thirds|quarters|fifths)\\b|\\b(?:a|one)[- ](?:third|quarter|fifth|tenth) of (?:all|the|our|my|companies|people|teams|employees|customers|users)\\b|\\bhalf of all\\b',
    '\\b(?:zwei|drei)[- ]?(?:drittel|viertel|funftel)\\b|\\bein (?:drittel|viertel|funftel) (?:aller|der)\\b|\\bdie halfte aller\\b',
    '\\b(?:dos tercios|tres cuartos|tres cuartas partes)\\b|\\bun (?:tercio|cuarto) de (?:los|las|todos)\\b|\\bla mitad de (?:todos|todas)\\b',
    '\\b(?:deux tiers|trois quarts)\\b|\\bun (?:tiers|quart) des\\b|\\bla moitie de tou(?:te)?s\\b',
    'दो[- ]तिहाई|तीन[- ]चौथाई|एक[- ]तिहाई',
  ),
  'gu',
);
const partsIn = (text: string): Claim[] =>
  [...text.matchAll(PART)].map(({ 0: found, index }) => ({ kind: 'part', index, text: found, numbers: [] }));

export const claimsIn = (text: string, numbers: Found[]): Claim[] => [
  ...measuresIn(text, numbers),
  ...sharesIn(text, numbers),
  ...partsIn(text),
];
export const keyOf = ({ kind, text, numbers }: Claim): string =>
  `${kind} ${numbers.map((value) => value || 1).join('/') || text}`;

/** "Two in 2024", "two in one", "einer von zwei" and "if two in five" are no shares. */
export function isNoShare(text: string, { index, text: found, numbers }: Claim): boolean {
  const isReversed = /में से/u.test(found);
  const [less, more] = (isReversed ? numbers.toReversed() : numbers) as [number, number];
  return (
    (more > 1_000 && more < 2_100) ||
    more <= less ||
    (isReversed && more === 2) ||
    /^eine?r? von zwei$/.test(found) ||
    /(?<!\p{L})(?:if|wenn|si|अगर|यदि) $/u.test(text.slice(Math.max(0, index - LONGEST_ONE), index))
  );
}
