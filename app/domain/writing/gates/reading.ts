import type { Draft, GateContext } from './gate.ts';
import { fold, wordsOf } from './word-forms.ts';

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
  paragraphs: string[];
  words: Set<string>;
  given: string;
  givenWords: Set<string>;
};

const SENTENCE_END =
  /(?<=[.!?…।。！？\p{Extended_Pictographic}](?:["'”»)]|\ufe0f)?)(?=\s)|(?<=[।。！？])|\n+/u;

export const sentencesOf = (text: string): string[] =>
  text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));

export function readingOf(draft: Draft, against: GateContext): Reading {
  const { content } = draft;
  const { topic, facts } = against;
  const given = [against.given, topic.name, topic.description, ...topic.keywords, ...facts].join('\n');
  const lines = content.split('\n').map((line) => line.trim());
  return {
    draft,
    against,
    content,
    folded: fold(content),
    lines: lines.filter(Boolean),
    sentences: sentencesOf(content),
    paragraphs: content
      .split(/\n\s*\n/)
      .map((part) => part.trim())
      .filter(Boolean),
    words: new Set(wordsOf(content)),
    given: fold(given),
    givenWords: new Set(wordsOf(given)),
  };
}
