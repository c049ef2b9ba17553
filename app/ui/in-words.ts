const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** A small whole number as it stands in a sentence: "three"; larger ones in figures. */
export const inWords = (count: number) => WORDS[count] ?? count.toLocaleString('en');

/** The same at the beginning of a sentence: "Three". */
export const inWordsFirst = (count: number) => {
  const word = inWords(count);
  return word[0]!.toUpperCase() + word.slice(1);
};
