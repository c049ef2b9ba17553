import { TICKET_SEARCH_MAX } from '#app/domain/support/limits.ts';
import { ANSWERS, type AnswerGroup } from './questions.ts';

/** What stands in every question. */
const COMMON = new Set(
  'a an and are at by can do does for from get have how i in is it me my of on or that the there this to we what when where which why with you your'.split(
    ' ',
  ),
);
const ENDINGS = /(?:ations?|ments?|ings?|ions?|ies|ed|es|ly|al|er|y|s|e)$/;

/** Words by their stems, roughly: "published", "publishing" and "publish" are one. */
function stemsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => {
    const stem = word.replace(ENDINGS, '');
    return stem.length >= 3 ? stem : word;
  });
}

/** By what an answer is found: a word of the question tells more than one of the answer. */
const INDEX = ANSWERS.map(({ title, answers }) => ({
  title,
  answers: answers.map((entry) => ({
    entry,
    strong: stemsOf(`${entry.question} ${entry.also ?? ''}`),
    weak: stemsOf(entry.answer),
  })),
}));
type Indexed = (typeof INDEX)[number]['answers'][number];

const has = (stems: string[], stem: string) =>
  stems.some((each) => each === stem || (stem.length >= 4 && each.startsWith(stem)));

/** How well an answer fits: how many of the words it has, and where. */
function fitOf({ strong, weak }: Indexed, stems: string[]) {
  const points = stems.map((stem) => (has(strong, stem) ? 3 : has(weak, stem) ? 1 : 0));
  return {
    words: points.filter(Boolean).length,
    points: points.reduce<number>((sum, each) => sum + each, 0),
  };
}

/**
 * The answers to what somebody asks for, the best first: those with as many of its words as any has. Without a word that
 * tells anything all of them, by their subjects.
 */
export function searchAnswers(asked: string): AnswerGroup[] {
  const words =
    asked
      .slice(0, TICKET_SEARCH_MAX)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const stems = [...new Set(stemsOf(words.filter((word) => !COMMON.has(word)).join(' ')))];
  if (stems.length === 0) return ANSWERS;
  const found = INDEX.flatMap(({ answers }) => answers)
    .map((indexed) => ({ ...fitOf(indexed, stems), entry: indexed.entry }))
    .filter(({ points }) => points > 0)
    .toSorted((one, other) => other.words - one.words || other.points - one.points);
  const most = found[0]?.words ?? 0;
  const answers = found.filter(({ words }) => words === most).map(({ entry }) => entry);
  return answers.length > 0 ? [{ title: '', answers }] : [];
}
