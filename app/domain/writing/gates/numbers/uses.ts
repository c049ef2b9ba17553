import { foldedPattern } from '#app/domain/writing/gates/language/word-forms.ts';
import { QUOTED } from '#app/domain/writing/gates/parsed-draft.ts';

export const any = (...sources: string[]) => `(?:${sources.join('|')})`;
export const UNIT_OF_TIME = any(
  '(?:second|minute|hour|day|week|month|year|night|weekday)s?|h|min|sec',
  'sekunden?|minuten?|stunden?|tagen?|tage|tages|wochen?|monaten?|monate|jahren?|jahre',
  'segundos?|minutos?|horas?|dias?|semanas?|mes(?:es)?|anos?|secondes?|heures?|jours?|semaines?|mois|ans?|annees?',
  'सेकंड|मिनट|घंटे?|घंटों|दिन|दिनों|हफ़्ते|हफ्ते|हफ़्तों|महीने|महीनों|साल|सालों',
);

const EDGE = '(?![\\p{L}\\p{M}\\p{N}])';
const START = '(?<![\\p{L}\\p{M}\\p{N}])';

/** Units of measurement: anyone in the trade can check such figures. */
const UNIT = foldedPattern(
  [
    '°\\s?[cf]?|degrees?|grad|grados?|degrés?|डिग्री|celsius|fahrenheit|[mcdk]?m|mm|(?:milli|centi|kilo)?(?:met(?:re|er)s?|metros?|mètres?|meter[ns]?)|inch(?:es)?|zoll|सेंटीमीटर|मीटर|मिमी|सेमी',
    '[mk]?g|(?:kilo)?(?:grams?|gramm|gramos?|grammes?)|kilos?|ग्राम|किलो|[mcd]?l|(?:milli|centi)?(?:lit(?:re|er)s?|litros?|liter[ns]?)|लीटर|मिली|bar|psi|bares|volts?|watts?|amps?|hz|rpm',
    'seconds?|sec|sekunden?|segundos?|secondes?|सेकंड|minutes?|min|minuten?|minutos?|मिनट|hours?|h|stunden?|horas?|heures?|घंटे?|घंटों|days?|tagen?|tage|dias?|jours?|दिन|दिनों',
  ],
  (any) => `^[\\s-]?(?:${any})${EDGE}`,
);
const PAGE = foldedPattern(['pages?|seiten?|página|पृष्ठ|पेज'], (any) => `${START}(?:${any}) $`);
const LONGEST_PAGE = 12;
const DEGREES = foldedPattern(['°|degrees?|grad|grados?|degrés?|डिग्री'], (any) => `^\\s?(?:${any})`);
export const isTemperature = (after: string): boolean => DEGREES.test(after);
export const isMeasure = (before: string, after: string): boolean =>
  UNIT.test(after) || PAGE.test(before.slice(-LONGEST_PAGE));

/** The author in a sentence, by language. "I would wait" is advice and does not match. */
const OWN: Record<string, RegExp> = Object.fromEntries(
  Object.entries({
    en: "(?:i|we)(?!'d| would| should)|my|our|ours|mine",
    de: '(?:ich|wir)(?! würden?)|mein(?:e[mnrs]?)?|unser(?:e[mnrs]?)?',
    es: 'yo|nosotr[oa]s|mi|mis|nuestr[oa]s?',
    fr: "je|j'|nous|mon|ma|mes|notre|nos",
    hi: 'मैं|मैंने|हम|हमने|मेरा|मेरी|मेरे|हमारा|हमारी|हमारे',
  }).map(([language, any]) => [
    language,
    foldedPattern([any], (each) => `${START}(?:${each})(?<!')${EDGE}|${START}(?:j)'`),
  ]),
);
const STOP = /[.!?…।\n](?=\s|$)/;

export function isOwn(before: string, after: string, language: string): boolean {
  const sentence = `${before.split(STOP).at(-1)!}…${after.split(STOP)[0]!}`.replace(QUOTED, ' ');
  const own = OWN[language.slice(0, 2)];
  return (own ? [own] : Object.values(OWN)).some((pattern) => pattern.test(sentence));
}

export const SUM =
  /(?<![\d.,])(\d{1,4})\s?([*×·+-])\s?(\d{1,4})\s?(?:=|is|are|makes|ist|sind|macht|es|son|font|fait)\s?(\d{1,6})(?!\d)/g;
export function withoutSum(match: string, one: string, sign: string, other: string, result: string): string {
  const [a, b] = [Number(one), Number(other)];
  const value = sign === '+' ? a + b : sign === '-' ? a - b : a * b;
  return value === Number(result) ? ' ' : match;
}
