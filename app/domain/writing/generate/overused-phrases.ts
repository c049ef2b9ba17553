import { isFunctionWord } from '#app/domain/writing/gates/language/function-words.ts';
import { wordsOf } from '#app/domain/writing/gates/language/word-forms.ts';

const WORDS = 4;

/** Every sequence of four words, folded. Longer ones have these inside. */
function sequencesOf(text: string): Set<string> {
  const words = wordsOf(text);
  const count = Math.max(0, words.length - WORDS + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + WORDS).join(' ')));
}

/**
 * The sequences of four words, folded, that stand in two of the texts, the most worn first. Those of little words and of
 * what the author gave are nobody's: facts are said again in the same words.
 */
export function wornPhrases(texts: string[], given: string): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const phrase of sequencesOf(text)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  const own = new Set(wordsOf(given));
  const says = (phrase: string) => phrase.split(' ').some((word) => !isFunctionWord(word) && !own.has(word));
  return [...counts]
    .filter(([phrase, count]) => count > 1 && says(phrase))
    .sort(([, a], [, b]) => b - a)
    .map(([phrase]) => phrase);
}
