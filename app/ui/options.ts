export type Option = { value: string; label: string };

/** What a list offers, of the words for its values. */
export const optionsOf = (words: Record<string, string>): Option[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
