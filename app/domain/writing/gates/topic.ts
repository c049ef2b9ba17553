import { isContent, isSubject } from '#app/domain/writing/gates/language/function-words.ts';
import { asWritten, hasForm, wordsOf } from '#app/domain/writing/gates/language/word-forms.ts';
import type { Gate, GateContext } from './gate.ts';

/** Returns the words of the topic and the facts that say what a post is about. */
export function subjectsOf({ topic, facts }: Pick<GateContext, 'topic' | 'facts'>): string[] {
  const named = [topic.name, ...topic.keywords].flatMap(wordsOf);
  const all = [...named, ...[topic.description, ...facts].flatMap(wordsOf)];
  const subjects = all.filter(isSubject);
  return [...new Set(subjects.length > 0 ? subjects : named.filter(isContent))];
}

const NAMED_MAX = 8;
/** One word of the name is enough. A single word of the description or the facts may occur in any text. */
const DESCRIPTION_WORDS_MIN = 2;

function isOnTopic(words: Set<string>, { topic, facts, language }: GateContext): boolean {
  const formsIn = (texts: string[]) =>
    subjectsOf({ topic: { name: '', description: '', keywords: texts }, facts: [] }).filter((word) =>
      hasForm(words, word, language),
    ).length;
  return (
    formsIn([topic.name, ...topic.keywords]) > 0 ||
    formsIn([topic.description, ...facts]) >= DESCRIPTION_WORDS_MIN
  );
}

const topic: Gate = {
  name: 'topic',
  find: ({ words, context }) => {
    const subjects = subjectsOf(context);
    if (subjects.length === 0 || isOnTopic(words, context)) return undefined;
    const userTexts = [
      context.topic.name,
      ...context.topic.keywords,
      context.topic.description,
      ...context.facts,
    ];
    const named = subjects.slice(0, NAMED_MAX).map((subject) => asWritten(userTexts.join('\n'), subject));
    return {
      forWriter: `It says nothing concrete about the topic; speak of at least one of these by its name: ${named.join(', ')}.`,
      forUser: 'It said nothing concrete about its topic',
    };
  },
};

export const TOPIC_GATES: Gate[] = [topic];
