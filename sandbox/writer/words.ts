import { remembered } from './memoize.ts';
import type { Language } from './stock.ts';

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u200c\u200d]*(?:'\p{L}+)*/gu;

/** The words of a text, lower case. */
export const wordsOf = remembered(
  (text): readonly string[] => text.toLowerCase().replaceAll('’', "'").match(WORD) ?? [],
);

/** A text as words between spaces, so that a sequence of words can be looked for in it. */
export const spaced = remembered((text) => ` ${wordsOf(text).join(' ')} `);

/** Each sentence with what follows it. */
export const sentencesOf = (text: string): string[] =>
  text.match(/[^\n]+?(?:[.!?…।](?=["'”»“]?(?:\s|$))["'”»“]?|:?$)/gmu) ?? [];

const LITTLE = new Set(
  (
    'about above after again against among because been before being between both could does each every from have into just like more most much must only other over same should some such than that their them then there these they this those through under until what when where which while will with without would your ' +
    'aber alle auch beim dann dass dein denn diese dieser doch durch eine einem einen einer etwas haben hier ihre immer kann kein keine mehr nach nicht noch oder ohne schon sein sich sind über unter viel vom wenn werden wird ' +
    'como cuando desde donde esta este estos esto hace hasta para pero porque quien sobre también tiene todo todos ' +
    'avec cela cette dans dont elle encore être leur mais même nous pour quand sans sont tout tous une vous'
  ).split(' '),
);

/** The words that say what a text is about. */
export const subjectsOf = remembered((text): readonly string[] => [
  ...new Set(wordsOf(text).filter((word) => word.length > (/[a-z]/.test(word) ? 3 : 2) && !LITTLE.has(word))),
]);

const stemOf = (word: string) => word.slice(0, Math.max(4, word.length - 2));

/** How many of some words a text has, whatever their endings. */
function shared(words: readonly string[], text: string): number {
  const stems = new Set(subjectsOf(text).map(stemOf));
  return words.filter((word) => stems.has(stemOf(word))).length;
}

/** How alike two lines are, 0 to 1. */
export function alike(one: string, other: string): number {
  const [a, b] = [subjectsOf(one), subjectsOf(other)];
  if (a.length === 0 || b.length === 0) return 0;
  const both = shared(a, other);
  return both / Math.max(1, a.length + b.length - both);
}

/** Whether two lines are one mould: alike, or with the same beginning. */
export const isSameMould = (one: string, other: string): boolean =>
  alike(one, other) >= 0.4 || wordsOf(one).slice(0, 4).join(' ') === wordsOf(other).slice(0, 4).join(' ');

/** Whether a text has a word in some form. */
export function hasWord(text: string, word: string): boolean {
  const [wanted, ...more] = wordsOf(word);
  if (!wanted) return text.includes(word.trim()) && word.trim() !== '';
  if (more.length > 0) return spaced(text).includes(spaced(word));
  const stem = wanted.length > 5 ? wanted.slice(0, -2) : wanted.length > 3 ? wanted.slice(0, -1) : wanted;
  return wordsOf(text).some((each) =>
    wanted.length > 3 ? each.startsWith(stem) : each === wanted || each === `${wanted}s`,
  );
}

/** What a person typed, as it can stand in a line: no links, no signs of formatting, nothing unseen. */
export const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\b(?:https?:\/\/|www\.)\S+/gi, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\ufffd]/gu, (sign) => (/[\u200c\u200d]/.test(sign) ? sign : ' '))
    .replace(/[{}[\]<>*_#`~|\\^"“”„«»]|\p{Extended_Pictographic}/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** A fact in a line, with its own quotation marks. */
export const asGiven = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\p{Co}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/[{}[\]<>*_`|\\^]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const LONGEST = 60;

/** So much of a phrase as can stand in a sentence. */
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

/** As it reads inside a sentence: "Remote Teams" is lowered, "AI", "LinkedIn" and German nouns stay. */
export function inSentence(phrase: string, language: Language, known = ''): string {
  if (language === 'de') return phrase;
  const words = phrase.split(' ');
  const isTitle = words.filter((word) => /^\p{Lu}/u.test(word)).length > 1;
  return words
    .map((word, at) => {
      const isPlain = /^\p{Lu}[\p{Ll}-]+$/u.test(word) && (at === 0 || isTitle);
      const isName =
        NAMES.test(word) || new RegExp(`[\\p{Ll},] ${word.replace(/\W/gu, '.')}(?!\\p{L})`, 'u').test(known);
      return isPlain && !isName ? word.toLowerCase() : word;
    })
    .join(' ');
}

/** Whether a phrase is English, for one that stands in a text of another language. */
export const isEnglish = (text: string): boolean =>
  /\b(?:the|of|for|and|with|that|who|to|how|what|new|small|work|works?|reads?|people|nobody|their|owners?|managers?|teams?)\b/i.test(
    text,
  );

export const capital = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
