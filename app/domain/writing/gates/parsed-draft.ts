import { fold, wordsOf } from '#app/domain/writing/gates/language/word-forms.ts';
import type { Draft, GateContext } from './gate.ts';

/** A sentence without what others say in it and without what only would be; folded, and with its accents. */
export type Sentence = { sentence: string; folded: string; accented: string };

/** A draft, read once for all gates. */
export type Reading = {
  draft: Draft;
  against: GateContext;
  content: string;
  /** Folded: lower case, straight apostrophes, no accents. */
  folded: string;
  /** Lines that are not empty. */
  lines: string[];
  sentences: string[];
  said: Sentence[];
  paragraphs: string[];
  words: Set<string>;
  given: string;
  givenWords: Set<string>;
};

/** French has a space before the mark that closes a quotation. */
const SENTENCE_END =
  /(?<=[.!?…।。！？\p{Extended_Pictographic}](?:["'”“»«›’‘)]|\ufe0f)?)(?=\s)(?![ \u00a0\u202f]»(?:\s|$))|(?<=[.!?…][ \u00a0\u202f]»)(?=\s)|(?<=[।。！？])|\n+/u;

export const sentencesOf = (text: string): string[] =>
  text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));

/** What stands between quotation marks. */
export const QUOTED = /«[^»\n]*»|»(?=\S)[^«»\n]*«|“[^”\n]*”|„[^“”\n]*[“”]|(?<!\S)"[^"\n]*"/g;
/** German forms that only their dots tell from a past: "ich hätte", "wir würden". */
const WOULD =
  /(?<!\p{L})(?:hätte|würde|könnte|müsste|bräuchte|dürfte|wäre|käme|gäbe)(?:n|st|t|s)?(?!\p{L})/gu;

function saidIn(sentence: string): Sentence {
  const accented = sentence.replace(QUOTED, ' … ').normalize('NFC').toLowerCase().replace(WOULD, '…');
  return { sentence, accented, folded: fold(accented) };
}

export function readingOf(draft: Draft, against: GateContext): Reading {
  const { content } = draft;
  const { topic, facts } = against;
  const given = [against.given, topic.name, topic.description, ...topic.keywords, ...facts].join('\n');
  const sentences = sentencesOf(content);
  const lines = content.split('\n').map((line) => line.trim());
  return {
    draft,
    against,
    content,
    folded: fold(content),
    lines: lines.filter(Boolean),
    sentences,
    said: sentences.map(saidIn),
    paragraphs: content
      .split(/\n\s*\n/)
      .map((part) => part.trim())
      .filter(Boolean),
    words: new Set(wordsOf(content)),
    given: fold(given),
    givenWords: new Set(wordsOf(given)),
  };
}
