import type { Gate } from '#app/domain/writing/gates/gate.ts';
import { type ParsedDraft, QUOTED } from '#app/domain/writing/gates/parsed-draft.ts';
import { quote } from '#app/domain/writing/gates/quote.ts';
import { foreignLanguage } from './detect.ts';
import { isFunctionWord } from './function-words.ts';
import { coverage, wordsOf } from './word-forms.ts';

/** Code, URLs and hashtags may be in another language. */
const ASIDE = /`[^`\n]*`|https?:\S+|#\S+/gu;
/** The language of a shorter line can't be detected. */
const WORDS_MIN = 8;
/** A quoted line after a line with a colon may be this long. */
const QUOTED_WORDS_MAX = 30;
const USER_COVERAGE = 0.75;

const LISTED = /^(?:en|de|es|fr|hi)\b/;
const LETTERS_MIN = 24;
const LETTER = /\p{L}/gu;
const LATIN = /\p{Script=Latin}/gu;
const LATIN_OR_DEVANAGARI = /[\p{Script=Latin}\p{Script=Devanagari}]/gu;
const BEYOND_LATIN = /[\u0250-\u1fff\u2c00-\uffff]/;

function isOtherScript(line: string, language: string): boolean {
  if (!LISTED.test(language) || !BEYOND_LATIN.test(line)) return false;
  const letters = line.match(LETTER)?.length ?? 0;
  if (letters < LETTERS_MIN) return false;
  const own = /^hi\b/.test(language) ? LATIN_OR_DEVANAGARI : LATIN;
  return (line.match(own)?.length ?? 0) * 2 < letters;
}

const areWordsFromUser = (words: string[], { userWords, context }: ParsedDraft) => {
  const content = words.filter((word) => !isFunctionWord(word));
  return content.length > 0 && coverage(content, userWords, context.language) >= USER_COVERAGE;
};

type Line = { line: string; rest: string; words: string[] };

function lineOf(line: string): Line {
  const rest = line.replace(QUOTED, ' ').replace(ASIDE, ' ');
  return { line, rest, words: wordsOf(rest) };
}

function foreignLine(text: ParsedDraft, lines: Line[]): string | undefined {
  const { language } = text.context;
  return lines.find(({ rest, words }, at) => {
    if (isOtherScript(rest, language)) return true;
    if (words.length < WORDS_MIN || foreignLanguage(words, language) === undefined) return false;
    const isQuoted = words.length <= QUOTED_WORDS_MAX && /:$/.test(lines[at - 1]?.line ?? '');
    return !isQuoted && !areWordsFromUser(words, text);
  })?.line;
}

const NAMES = new Intl.DisplayNames('en', { type: 'language' });

const language: Gate = {
  name: 'language',
  find: (text) => {
    const { language } = text.context;
    const lines = text.lines.map(lineOf);
    const words = lines.flatMap((line) => line.words);
    const isWhole = foreignLanguage(words, language) !== undefined;
    const line = isWhole ? text.lines[0] : foreignLine(text, lines);
    if (line === undefined) return undefined;
    const name = NAMES.of(language);
    return {
      forWriter: `It is not all in ${name}, the language of the brief: ${quote(line, 100)} Write the whole post in ${name}.`,
      forUser: isWhole
        ? `It was not written in ${name}, the language of your posts`
        : `A part of it was not in ${name}, the language of your posts`,
    };
  },
};

export const LANGUAGE_GATES: Gate[] = [language];
