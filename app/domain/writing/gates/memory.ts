import { isFunctionWord } from '#app/domain/writing/gates/language/function-words.ts';
import {
  asWritten,
  coverage,
  fold,
  isSameWord,
  wordsOf,
} from '#app/domain/writing/gates/language/word-forms.ts';
import type { Gate } from './gate.ts';
import { quote } from './quote.ts';

/** The share of words, 0 to 1, that two lists have in common in any form. */
function similarity(a: string[], b: string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const shared = (coverage(a, b, '') * a.length + coverage(b, a, '') * b.length) / 2;
  return shared / (a.length + b.length - shared);
}

/** The words of a line without function words; all words when hardly any others are left. */
function contentWords(words: string[]): string[] {
  const all = [...new Set(words)];
  const content = all.filter((word) => !isFunctionWord(word));
  return content.length > 1 ? content : all;
}

const SAME_LINE = 0.5;
const SAME_THESIS = 0.5;
const SAME_START = 4;

/** Lines that begin with the same words count as the same, whatever follows. */
function startAlike(a: string[], b: string[]): boolean {
  if (a.length < SAME_START || b.length < SAME_START) return false;
  return a.slice(0, SAME_START).every((word, at) => word === b[at]);
}

function findRepeated(line: string, earlier: string[]): string | undefined {
  const words = wordsOf(line);
  const content = contentWords(words);
  return earlier.find((each) => {
    const others = wordsOf(each);
    return startAlike(words, others) || similarity(content, contentWords(others)) >= SAME_LINE;
  });
}

const firstLine = (text: string) => text.split('\n')[0]!;
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)!;

const opening: Gate = {
  name: 'opening',
  find: ({ lines: [first = ''], context }) => {
    const before = findRepeated(first, context.openings.map(firstLine));
    return before === undefined
      ? undefined
      : {
          forWriter: `It opens like an earlier post (${quote(before, 100)}); open in another way.`,
          forUser: 'It opened like one of your last posts',
        };
  },
};

const closing: Gate = {
  name: 'closing',
  find: ({ lines, context }) => {
    const before = findRepeated(lines.at(-1) ?? '', context.closings.map(lastLine));
    return before === undefined
      ? undefined
      : {
          forWriter: `It closes like an earlier post (${quote(before, 100)}); close in another way.`,
          forUser: 'It closed like one of your last posts',
        };
  },
};

const thesis: Gate = {
  name: 'thesis',
  find: ({ draft, context }) => {
    const content = contentWords(wordsOf(draft.thesis));
    const before = context.theses.find(
      (each) => similarity(content, contentWords(wordsOf(each))) >= SAME_THESIS,
    );
    return before === undefined
      ? undefined
      : {
          forWriter: `An earlier post argued this already (${quote(before)}); argue something else.`,
          forUser: 'It argued what one of your last posts argued',
        };
  },
};

/** Folded words between spaces, so that a sequence of words can be found in a text. */
const spaced = (text: string) => ` ${wordsOf(text).join(' ')} `;

const usedUp: Gate = {
  name: 'used-up',
  find: ({ content, folded, foldedInput, userWords, context }) => {
    const [text, own] = [spaced(content), spaced(foldedInput)];
    const isDistinct = (phrase: string) =>
      wordsOf(phrase).some((word) => !isFunctionWord(word) && !userWords.has(word));
    // Phrases of the user may be repeated.
    const found = context.phrases.find(
      (phrase) => text.includes(spaced(phrase)) && !own.includes(spaced(phrase)) && isDistinct(phrase),
    );
    if (found === undefined) return undefined;
    const quoted = asWritten(content, fold(found), folded);
    return {
      forWriter: `It repeats a phrase of earlier posts: ${quote(quoted)}. Say it in other words.`,
      forUser: `It repeated a phrase of your last posts: “${quoted}”`,
    };
  },
};

const avoided: Gate = {
  name: 'avoided',
  find: ({ content, words, context }) => {
    const text = spaced(content);
    const found = context.avoided.find((each) => {
      const wanted = wordsOf(each);
      if (wanted.length === 0) return fold(each).trim() !== '' && content.includes(each.trim());
      if (wanted.length > 1) return text.includes(spaced(each));
      return [...words].some((word) => isSameWord(word, wanted[0]!));
    });
    return found === undefined
      ? undefined
      : {
          forWriter: `It uses a word that the author avoids: ${quote(found)}. Say it without.`,
          forUser: `It used a word that you avoid: “${found}”`,
        };
  },
};

export const MEMORY_GATES: Gate[] = [opening, closing, thesis, usedUp, avoided];
