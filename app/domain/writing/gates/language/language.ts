import type { Gate } from '#app/domain/writing/gates/gate.ts';
import { type ParsedDraft, QUOTED } from '#app/domain/writing/gates/parsed-draft.ts';
import { quote } from '#app/domain/writing/gates/quote.ts';
import { foreignLanguage } from './detect.ts';
import { isFunctionWord } from './function-words.ts';
import { coverage, wordsOf } from './word-forms.ts';

/** What stands in a text in another language with good reason: quotations, code, addresses, hashtags. */
const ASIDE = /`[^`\n]*`|https?:\S+|#\S+/gu;
/** A line says little of its language with fewer words. */
const LEAST_WORDS = 8;
/** What a line with a colon announces, a message on a screen, may be so long. */
const MOST_SHOWN = 30;
const GIVEN = 0.75;

const LISTED = /^(?:en|de|es|fr|hi)\b/;
const LEAST_LETTERS = 24;
const LETTER = /\p{L}/gu;
const LATIN = /\p{Script=Latin}/gu;
const LATIN_OR_DEVANAGARI = /[\p{Script=Latin}\p{Script=Devanagari}]/gu;
const BEYOND_LATIN = /[\u0250-\u1fff\u2c00-\uffff]/;

/** Whether most letters of a line are of a script in which its language is not written. */
function isOtherScript(line: string, language: string): boolean {
  if (!LISTED.test(language) || !BEYOND_LATIN.test(line)) return false;
  const letters = line.match(LETTER)?.length ?? 0;
  if (letters < LEAST_LETTERS) return false;
  const own = /^hi\b/.test(language) ? LATIN_OR_DEVANAGARI : LATIN;
  return (line.match(own)?.length ?? 0) * 2 < letters;
}

const areWordsFromUser = (words: string[], { userWords, context }: ParsedDraft) => {
  const content = words.filter((word) => !isFunctionWord(word));
  return content.length > 0 && coverage(content, userWords, context.language) >= GIVEN;
};

type Line = { line: string; rest: string; words: string[] };

function lineOf(line: string): Line {
  const rest = line.replace(QUOTED, ' ').replace(ASIDE, ' ');
  return { line, rest, words: wordsOf(rest) };
}

/** A line in another language, as its author wrote it. */
function foreignLine(text: ParsedDraft, lines: Line[]): string | undefined {
  const { language } = text.context;
  return lines.find(({ rest, words }, at) => {
    if (isOtherScript(rest, language)) return true;
    if (words.length < LEAST_WORDS || foreignLanguage(words, language) === undefined) return false;
    const isShown = words.length <= MOST_SHOWN && /:$/.test(lines[at - 1]?.line ?? '');
    return !isShown && !areWordsFromUser(words, text);
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
    const asked = NAMES.of(language);
    return {
      forWriter: `It is not all in ${asked}, the language of the brief: ${quote(line, 100)} Write the whole post in ${asked}.`,
      forUser: isWhole
        ? `It was not written in ${asked}, the language of your posts`
        : `A part of it was not in ${asked}, the language of your posts`,
    };
  },
};

export const LANGUAGE_GATES: Gate[] = [language];
