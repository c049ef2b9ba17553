/** The set of three-letter pieces of a text, word by word as Postgres' pg_trgm builds it. */
export function trigrams(text: string): Set<string> {
  const set = new Set<string>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) set.add(padded.slice(at, at + 3));
  }
  return set;
}

/** Shared pieces over all pieces, 0 to 1, as similarity() of pg_trgm. */
export function similarity(a: Set<string>, b: Set<string>): number {
  const shared = a.intersection(b).size;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}
