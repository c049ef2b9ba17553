const WORDS = 4;
const MOST_PHRASES = 40;
const LONG_WORD = 4;
const MOST_LONG = 2;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

const wordsOf = (text: string): string[] =>
  [...segmenter.segment(text.toLowerCase().replaceAll('’', "'"))]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);

/** Every sequence of four words. "in the middle of" is nobody's: two of the words have to be of some length. */
function sequences(text: string): Set<string> {
  const words = wordsOf(text);
  const found = new Set<string>();
  for (let at = 0; at + WORDS <= words.length; at += 1) {
    const some = words.slice(at, at + WORDS);
    if (some.filter((word) => word.length > LONG_WORD).length >= MOST_LONG) found.add(some.join(' '));
  }
  return found;
}

/**
 * The sequences of four words that stand in two of the texts and not in what the author gave: facts are said again in the
 * same words. The most worn first.
 */
export function wornPhrases(texts: string[], given: string): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const phrase of sequences(text)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  const own = sequences(given);
  return [...counts]
    .filter(([phrase, count]) => count > 1 && !own.has(phrase))
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_PHRASES)
    .map(([phrase]) => phrase);
}

/** The first of the phrases that stands in a text. */
export function findPhrase(text: string, phrases: string[]): string | undefined {
  const found = sequences(text);
  return phrases.find((phrase) => found.has(phrase));
}
