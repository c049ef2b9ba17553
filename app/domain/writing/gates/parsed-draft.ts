import { fold, wordsOf } from '#app/domain/writing/gates/language/word-forms.ts';
import type { Draft, GateContext } from './gate.ts';

/** A sentence with quotations and conditional verbs blanked out: folded, and with its accents. */
export type Statement = { sentence: string; folded: string; accented: string };

export type ParsedDraft = {
  draft: Draft;
  context: GateContext;
  content: string;
  /** Folded: lower case, straight apostrophes, no accents. */
  folded: string;
  lines: string[];
  sentences: string[];
  statements: Statement[];
  paragraphs: string[];
  words: Set<string>;
  foldedInput: string;
  userWords: Set<string>;
};

/** French has a space before the mark that closes a quotation. */
const SENTENCE_END =
  /(?<=[.!?…।。！？\p{Extended_Pictographic}](?:["'”“»«›’‘)]|\ufe0f)?)(?=\s)(?![ \u00a0\u202f]»(?:\s|$))|(?<=[.!?…][ \u00a0\u202f]»)(?=\s)|(?<=[।。！？])|\n+/u;

export const sentencesOf = (text: string): string[] =>
  text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));

export const QUOTED = /«[^»\n]*»|»(?=\S)[^«»\n]*«|“[^”\n]*”|„[^“”\n]*[“”]|(?<!\S)"[^"\n]*"/g;
/** German conditionals that without accents look like a past tense: "ich hätte", "wir würden". */
const CONDITIONAL =
  /(?<!\p{L})(?:hätte|würde|könnte|müsste|bräuchte|dürfte|wäre|käme|gäbe)(?:n|st|t|s)?(?!\p{L})/gu;

function toStatement(sentence: string): Statement {
  const accented = sentence.replace(QUOTED, ' … ').normalize('NFC').toLowerCase().replace(CONDITIONAL, '…');
  return { sentence, accented, folded: fold(accented) };
}

export function parseDraft(draft: Draft, context: GateContext): ParsedDraft {
  const { content } = draft;
  const { topic, facts } = context;
  const userInput = [context.userInput, topic.name, topic.description, ...topic.keywords, ...facts].join(
    '\n',
  );
  const sentences = sentencesOf(content);
  const lines = content.split('\n').map((line) => line.trim());
  return {
    draft,
    context,
    content,
    folded: fold(content),
    lines: lines.filter(Boolean),
    sentences,
    statements: sentences.map(toStatement),
    paragraphs: content
      .split(/\n\s*\n/)
      .map((part) => part.trim())
      .filter(Boolean),
    words: new Set(wordsOf(content)),
    foldedInput: fold(userInput),
    userWords: new Set(wordsOf(userInput)),
  };
}
