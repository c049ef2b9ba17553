/** A filler phrase and the source that lists it. A star matches any ending of a word. */
export type StockPhrase = { phrase: string; source: string };

export const from = (source: string, phrases: string): StockPhrase[] =>
  phrases
    .split('\n')
    .map((phrase) => phrase.trim())
    .filter(Boolean)
    .map((phrase) => ({ phrase, source }));

/** Seen in posts of models that were asked for a post about a subject and nothing else. */
export const OBSERVED = 'writer models, observed';
