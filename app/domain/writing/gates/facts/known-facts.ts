import { foreignLanguage } from '#app/domain/writing/gates/language/detect.ts';
import { isFunctionWord, isSubject } from '#app/domain/writing/gates/language/function-words.ts';
import {
  coverage,
  fold,
  foldedPattern,
  hasForm,
  wordsOf,
} from '#app/domain/writing/gates/language/word-forms.ts';
import { plainDigits } from '#app/domain/writing/gates/numbers/plain-digits.ts';
import { numbersIn } from '#app/domain/writing/gates/numbers/words.ts';
import type { ParsedDraft } from '#app/domain/writing/gates/parsed-draft.ts';

const SHARED = 2;
const YEAR = /(?<![\d.,])(?:19|20)\d\d(?![\d]|[.,]\d)/g;

const yearsIn = (text: string): string[] => plainDigits(text).match(YEAR) ?? [];
const valuesIn = (text: string) => numbersIn(plainDigits(fold(text))).map(({ value }) => value);

const PRAISE = foldedPattern([
  '\\b(?:awards?|prizes?|medals?|won|winners?|certified|accredited|featured|voted|named|market leader|number one|record)\\b',
  '\\b(?:preise?|auszeichnung(?:en)?|ausgezeichnet|gewonnen|zertifiziert|marktfuhrer)\\b',
  '\\b(?:premios?|galardon(?:es)?|ganamos|gane|certificad[oa]s?|lideres)\\b',
  '\\b(?:prix|medailles?|recompenses?|gagne|certifiee?s?|leaders?)\\b',
  'पुरस्कार|सम्मान|प्रमाणित',
]);

/** Whether a sentence has no figure and no praise, so that it may continue another one. */
const addsNoClaim = (sentence: string): boolean =>
  !/\d/.test(plainDigits(sentence).replace(/\d\s?(?:°|degrees)/g, '')) && !PRAISE.test(fold(sentence));

/** Whether a sentence may express a fact: it has no other years, and two words or a number of the fact. */
function expressesFact(sentence: string, fact: string, language: string): boolean {
  const years = yearsIn(fact);
  if (yearsIn(sentence).some((year) => !years.includes(year))) return false;
  if (foreignLanguage(wordsOf(fact), language) !== undefined) return true;
  const subjects = [...new Set(wordsOf(fact).filter(isSubject))];
  const words = wordsOf(sentence);
  const shared = subjects.filter((subject) => hasForm(words, subject, language)).length;
  if (shared >= Math.min(SHARED, Math.max(1, subjects.length))) return true;
  const values = valuesIn(fact);
  return valuesIn(sentence).some((value) => values.includes(value));
}

const CLAIM_COVERAGE = 0.6;
const USER_COVERAGE = 0.75;

/** Returns the facts that claims name for a sentence: one of sentence and claim has most words of the other. */
export function factsFor({ draft, context }: ParsedDraft, sentence: string): number[] {
  const words = wordsOf(sentence);
  return draft.claims.flatMap(({ text, fact }) => {
    if (fact === null || context.facts[fact - 1] === undefined) return [];
    const claimed = wordsOf(text);
    const shared = Math.max(
      coverage(words, claimed, context.language),
      claimed.length > 2 ? coverage(claimed, words, context.language) : 0,
    );
    return shared >= CLAIM_COVERAGE ? [fact] : [];
  });
}

/** Whether the named facts support a sentence, or another sentence that this one continues. */
export function isSupported({ context, sentences }: ParsedDraft, sentence: string, named: number[]): boolean {
  const facts = named.map((fact) => context.facts[fact - 1]!).join('\n');
  const isExpressed = (each: string) => expressesFact(each, facts, context.language);
  return (
    named.length > 0 && (isExpressed(sentence) || (addsNoClaim(sentence) && sentences.some(isExpressed)))
  );
}

export function isFromUser({ userWords, context }: ParsedDraft, sentence: string): boolean {
  const words = wordsOf(sentence).filter((word) => !isFunctionWord(word));
  return words.length > 1 && coverage(words, userWords, context.language) >= USER_COVERAGE;
}
