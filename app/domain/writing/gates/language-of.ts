import { FUNCTION_WORDS } from './little-words.ts';
import { wordsOf } from './word-forms.ts';

const LISTS = Object.entries(FUNCTION_WORDS).map(
  ([language, words]) => [language, new Set(words.split(' '))] as const,
);
/** So many little words of its own, and so many times those of the language that was asked for, name a language. */
const CLEAR = { least: 4, times: 2 };

/** The language of a text, of those that have lists, when its little words leave no doubt. */
export function languageOf(text: string): string | undefined {
  const words = wordsOf(text);
  const counts = LISTS.map(([language, list]) => ({
    language,
    count: words.filter((word) => list.has(word)).length,
  })).sort((a, b) => b.count - a.count);
  const [first, second] = [counts[0]!, counts[1]!];
  return first.count >= CLEAR.least && first.count >= second.count * CLEAR.times ? first.language : undefined;
}

/** Whether a text is clearly in another language than the one that was asked for; of others nothing is known. */
export function isForeign(text: string, language: string): boolean {
  const asked = language.slice(0, 2);
  const found = languageOf(text);
  return asked in FUNCTION_WORDS && found !== undefined && found !== asked;
}
