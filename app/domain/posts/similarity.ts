const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** The trigrams of a text's words, as pg_trgm makes them: two spaces before each word and one after it. */
function trigramsOf(text: string): Set<string> {
  const trigrams = new Set<string>();
  for (const word of new Set(text.toLowerCase().match(WORD))) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3));
  }
  return trigrams;
}

/**
 * The similarity of a text to the most similar of others, 0 to 1: the trigrams that both have, divided by those that either
 * has, as pg_trgm counts it. Letters of every script count, whatever the locale of the database.
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
