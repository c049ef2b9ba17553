import { TICKET_SEARCH_MAX } from '#app/domain/support/limits.ts';
import { ANSWERS, type AnswerGroup } from './questions.ts';

/** Words that don't tell questions apart. */
const COMMON = new Set(
  'a an and are at by can do does for from get have how i in is it me my of on or that the there this to we what when where which why with you your'.split(
    ' ',
  ),
);
const ENDINGS = /(?:ations?|ments?|ings?|ions?|ies|ed|es|ly|al|er|y|s|e)$/;

/** The stems of words, roughly: "published", "publishing" and "publish" are one. */
function stemsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => {
    const stem = word.replace(ENDINGS, '');
    return stem.length >= 3 ? stem : word;
  });
}

/** A word of the question weighs more than one of the answer. */
const INDEX = ANSWERS.map(({ title, answers }) => ({
  title,
  answers: answers.map((entry) => ({
    entry,
    strong: stemsOf(`${entry.question} ${entry.also ?? ''}`),
    weak: stemsOf(entry.answer),
  })),
}));
type Indexed = (typeof INDEX)[number]['answers'][number];

const hasStem = (stems: string[], stem: string) =>
  stems.some((each) => each === stem || (stem.length >= 4 && each.startsWith(stem)));

function scoreEntry({ strong, weak }: Indexed, stems: string[]) {
  const points = stems.map((stem) => (hasStem(strong, stem) ? 3 : hasStem(weak, stem) ? 1 : 0));
  return {
    words: points.filter(Boolean).length,
    points: points.reduce<number>((sum, each) => sum + each, 0),
  };
}

/**
 * Searches the answers, best first, and returns those with the most matching words. Without a significant word it
 * returns all, by subject.
 */
export function searchAnswers(query: string): AnswerGroup[] {
  const words =
    query
      .slice(0, TICKET_SEARCH_MAX)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const stems = [...new Set(stemsOf(words.filter((word) => !COMMON.has(word)).join(' ')))];
  if (stems.length === 0) return ANSWERS;
  const found = INDEX.flatMap(({ answers }) => answers)
    .map((indexed) => ({ ...scoreEntry(indexed, stems), entry: indexed.entry }))
    .filter(({ points }) => points > 0)
    .toSorted((one, other) => other.words - one.words || other.points - one.points);
  const bestWordCount = found[0]?.words ?? 0;
  const answers = found.filter(({ words }) => words === bestWordCount).map(({ entry }) => entry);
  return answers.length > 0 ? [{ title: '', answers }] : [];
}
