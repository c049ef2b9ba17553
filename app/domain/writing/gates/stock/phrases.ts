/** A phrase that marks a text as filler, and where it is complained about. A star stands for any ending of a word. */
export type StockPhrase = { phrase: string; source: string };

/** Phrases of one source, one a line. */
export const from = (source: string, phrases: string): StockPhrase[] =>
  phrases
    .split('\n')
    .map((phrase) => phrase.trim())
    .filter(Boolean)
    .map((phrase) => ({ phrase, source }));

/** What writer models were seen to do when they are asked for a post about a subject and nothing else. */
export const OBSERVED = 'writer models, observed';
