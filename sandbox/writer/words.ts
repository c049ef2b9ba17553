import { memoize } from './memoize.ts';
import type { Language } from './stock.ts';

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u200c\u200d]*(?:'\p{L}+)*/gu;

/** Lower case. */
export const wordsOf = memoize(
  (text): readonly string[] => text.toLowerCase().replaceAll('’', "'").match(WORD) ?? [],
);

/** The words with a space around each, so that a sequence of words can be searched with includes(). */
export const spaced = memoize((text) => ` ${wordsOf(text).join(' ')} `);

/** Each sentence with the spaces that precede it. */
export const sentencesOf = (text: string): string[] =>
  text.match(/[^\n]+?(?:[.!?…।](?=["'”»“]?(?:\s|$))["'”»“]?|:?$)/gmu) ?? [];

const STOP_WORDS = new Set(
  (
    'about above after again against among because been before being between both could does each every from have into just like more most much must only other over same should some such than that their them then there these they this those through under until what when where which while will with without would your ' +
    'aber alle auch beim dann dass dein denn diese dieser doch durch eine einem einen einer etwas haben hier ihre immer kann kein keine mehr nach nicht noch oder ohne schon sein sich sind über unter viel vom wenn werden wird ' +
    'como cuando desde donde esta este estos esto hace hasta para pero porque quien sobre también tiene todo todos ' +
    'avec cela cette dans dont elle encore être leur mais même nous pour quand sans sont tout tous une vous'
  ).split(' '),
);

/** The distinct words without stop words and short words. */
export const subjectsOf = memoize((text): readonly string[] => [
  ...new Set(
    wordsOf(text).filter((word) => word.length > (/[a-z]/.test(word) ? 3 : 2) && !STOP_WORDS.has(word)),
  ),
]);

const stemOf = (word: string) => word.slice(0, Math.max(4, word.length - 2));

/** How many of the words occur in the text, compared by their stems. */
function countShared(words: readonly string[], text: string): number {
  const stems = new Set(subjectsOf(text).map(stemOf));
  return words.filter((word) => stems.has(stemOf(word))).length;
}

/** Jaccard similarity of the words of two lines, 0 to 1. */
export function alike(one: string, other: string): number {
  const [a, b] = [subjectsOf(one), subjectsOf(other)];
  if (a.length === 0 || b.length === 0) return 0;
  const both = countShared(a, other);
  return both / Math.max(1, a.length + b.length - both);
}

/** Whether two lines are similar or have the same first words. */
export const isSameMould = (one: string, other: string): boolean =>
  alike(one, other) >= 0.4 || wordsOf(one).slice(0, 4).join(' ') === wordsOf(other).slice(0, 4).join(' ');

/** Also finds inflected forms of the word. */
export function hasWord(text: string, word: string): boolean {
  const [first, ...more] = wordsOf(word);
  if (!first) return text.includes(word.trim()) && word.trim() !== '';
  if (more.length > 0) return spaced(text).includes(spaced(word));
  const stem = first.length > 5 ? first.slice(0, -2) : first.length > 3 ? first.slice(0, -1) : first;
  return wordsOf(text).some((each) =>
    first.length > 3 ? each.startsWith(stem) : each === first || each === `${first}s`,
  );
}

/** A user's input for use inside a line: without links, markup and invisible characters. */
export const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\b(?:https?:\/\/|www\.)\S+/gi, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\ufffd]/gu, (sign) => (/[\u200c\u200d]/.test(sign) ? sign : ' '))
    .replace(/[{}[\]<>*_#`~|\\^"“”„«»]|\p{Extended_Pictographic}/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Like plain(), but keeps quotation marks and links. */
export const cleanFact = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\p{Co}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/[{}[\]<>*_`|\\^]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const LONGEST = 60;

/** The part of a phrase that fits in a sentence. */
export function short(text: string, longest = LONGEST): string {
  const whole = plain(text).replace(/^[\s.,;:!?¿¡–—-]+|[\s.,;:!?।–—-]+$/gu, '');
  if (whole.length <= longest) return whole;
  const [first = ''] = whole.split(/[.,;:!?(–—।]\s|\s[–—-]\s/u);
  if (first.length <= longest) return first.trim();
  const cut = first.slice(0, longest).replace(/\s+\S*$/u, '');
  return cut.replace(/\s+(?:\p{Ll}{1,3}|with|that|from)$/u, '');
}

const NAMES =
  /^(?:Excel|Word|Outlook|Google|Instagram|Facebook|Microsoft|Amazon|Python|Java|Scrum|Kanban|Lean|Monday|Tuesday|Wednesday|Thursday|Friday|English|German|French|Spanish|Hindi|India|Europe|Berlin|London|Paris)/;

/** Lowers "Remote Teams" for use inside a sentence, but not "AI", "LinkedIn" or German nouns. */
export function inSentence(phrase: string, language: Language, known = ''): string {
  if (language === 'de') return phrase;
  const words = phrase.split(' ');
  const isTitle = words.filter((word) => /^\p{Lu}/u.test(word)).length > 1;
  return words
    .map((word, index) => {
      const isPlain = /^\p{Lu}[\p{Ll}-]+$/u.test(word) && (index === 0 || isTitle);
      const isName =
        NAMES.test(word) || new RegExp(`[\\p{Ll},] ${word.replace(/\W/gu, '.')}(?!\\p{L})`, 'u').test(known);
      return isPlain && !isName ? word.toLowerCase() : word;
    })
    .join(' ');
}

/** For phrases in texts of other languages. */
export const isEnglish = (text: string): boolean =>
  /\b(?:the|of|for|and|with|that|who|to|how|what|new|small|work|works?|reads?|people|nobody|their|owners?|managers?|teams?)\b/i.test(
    text,
  );

export const capital = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
