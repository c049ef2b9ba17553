export type Option = { value: string; label: string };

export const optionsOf = (labels: Record<string, string>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** "1,234". */
export const formatCount = (count: number) => count.toLocaleString('en');

/** "1 post", "1,234 posts". */
export const pluralize = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

export const capitalised = (word: string) => word[0]!.toUpperCase() + word.slice(1);

/** A number in a sentence: up to twelve as a word, such as "three", larger ones in figures. */
export const spellNumber = (count: number) => NUMBERS[count] ?? count.toLocaleString('en');

/** The same at the start of a sentence: "Three". */
export const spellNumberFirst = (count: number) => capitalised(spellNumber(count));
