const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** The trigrams of the words of a text, as pg_trgm forms them: with two spaces before each word and one after it. */
function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>();
  for (const word of new Set(text.toLowerCase().match(WORD))) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3));
  }
  return trigrams;
}

/**
 * Returns the similarity, 0 to 1, of a text to the most similar of `others`: the number of trigrams that both have,
 * divided by the number that either has. That is pg_trgm's `similarity()`, but for letters of every script, whatever
 * the locale of the database.
 */
export function nearestOf(text: string, others: string[]): number {
  const own = trigramsOf(text);
  let nearest = 0;
  for (const other of others) {
    const trigrams = trigramsOf(other);
    const shared = own.intersection(trigrams).size;
    const all = own.size + trigrams.size - shared;
    if (all > 0) nearest = Math.max(nearest, shared / all);
  }
  return nearest;
}
