import { isForeign } from './language-of.ts';
import { isSubject } from './little-words.ts';
import { NUMBER, numberOf, plainDigits } from './number-words.ts';
import { fold, foldedPattern, hasForm, wordsOf } from './word-forms.ts';

const SHARED = 2;
const YEAR = /(?<![\d.,])(?:19|20)\d\d(?![\d]|[.,]\d)/g;

const yearsIn = (text: string): string[] => plainDigits(text).match(YEAR) ?? [];
const valuesIn = (text: string) =>
  [...plainDigits(fold(text)).matchAll(new RegExp(NUMBER, 'gu'))].map(([found]) => numberOf(found));

/** What an author may be praised for, folded. */
const PRAISE = foldedPattern([
  '\\b(?:awards?|prizes?|medals?|won|winners?|certified|accredited|featured|voted|named|market leader|number one|record)\\b',
  '\\b(?:preise?|auszeichnung(?:en)?|ausgezeichnet|gewonnen|zertifiziert|marktfuhrer)\\b',
  '\\b(?:premios?|galardon(?:es)?|ganamos|gane|certificad[oa]s?|lideres)\\b',
  '\\b(?:prix|medailles?|recompenses?|gagne|certifiee?s?|leaders?)\\b',
  'पुरस्कार|सम्मान|प्रमाणित',
]);

/** Whether a sentence only goes on with what another one says: no figure in digits, no praise. */
export const addsNothing = (sentence: string): boolean =>
  !/\d/.test(plainDigits(sentence).replace(/\d\s?(?:°|degrees)/g, '')) && !PRAISE.test(fold(sentence));

/** Whether a sentence can be what a fact says: it has the years of the fact only, and two of its words or a number. */
export function saysFact(sentence: string, fact: string, language: string): boolean {
  const years = yearsIn(fact);
  if (yearsIn(sentence).some((year) => !years.includes(year))) return false;
  if (isForeign(fact, language)) return true;
  const subjects = [...new Set(wordsOf(fact).filter(isSubject))];
  const words = wordsOf(sentence);
  const shared = subjects.filter((subject) => hasForm(words, subject, language)).length;
  if (shared >= Math.min(SHARED, Math.max(1, subjects.length))) return true;
  const values = valuesIn(fact);
  return valuesIn(sentence).some((value) => values.includes(value));
}
