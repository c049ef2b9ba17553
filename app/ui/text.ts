export type Option = { value: string; label: string };

/** What a list offers, of the words for its values. */
export const optionsOf = (words: Record<string, string>): Option[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** "1,234". */
export const formatCount = (count: number) => count.toLocaleString('en');

/** "1 post", "1,234 posts". */
export const pluralize = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** "casual" as a label: "Casual". */
export const capitalised = (word: string) => word[0]!.toUpperCase() + word.slice(1);

/** A small whole number as it stands in a sentence: "three"; larger ones in figures. */
export const inWords = (count: number) => WORDS[count] ?? count.toLocaleString('en');

/** The same at the beginning of a sentence: "Three". */
export const inWordsFirst = (count: number) => capitalised(inWords(count));
