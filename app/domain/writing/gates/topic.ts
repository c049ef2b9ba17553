import { isContent, isSubject } from '#app/domain/writing/gates/language/function-words.ts';
import { asWritten, hasForm, wordsOf } from '#app/domain/writing/gates/language/word-forms.ts';
import type { Gate, GateContext } from './gate.ts';

/** The words of what was given that say what a post is about, the best ones that there are. */
export function subjectsOf({ topic, facts }: Pick<GateContext, 'topic' | 'facts'>): string[] {
  const named = [topic.name, ...topic.keywords].flatMap(wordsOf);
  const all = [...named, ...[topic.description, ...facts].flatMap(wordsOf)];
  const subjects = all.filter(isSubject);
  return [...new Set(subjects.length > 0 ? subjects : named.filter(isContent))];
}

const MOST_NAMED = 8;
/** What a topic is called stands for it alone; of all that is said beside it one word may be anywhere. */
const BESIDE = 2;

function isOnTopic(words: Set<string>, { topic, facts, language }: GateContext): boolean {
  const formsIn = (texts: string[]) =>
    subjectsOf({ topic: { name: '', description: '', keywords: texts }, facts: [] }).filter((word) =>
      hasForm(words, word, language),
    ).length;
  return formsIn([topic.name, ...topic.keywords]) > 0 || formsIn([topic.description, ...facts]) >= BESIDE;
}

const topic: Gate = {
  name: 'topic',
  find: ({ words, against }) => {
    const subjects = subjectsOf(against);
    if (subjects.length === 0 || isOnTopic(words, against)) return undefined;
    const given = [
      against.topic.name,
      ...against.topic.keywords,
      against.topic.description,
      ...against.facts,
    ];
    const named = subjects.slice(0, MOST_NAMED).map((subject) => asWritten(given.join('\n'), subject));
    return {
      forWriter: `It says nothing concrete about the topic; speak of at least one of these by its name: ${named.join(', ')}.`,
      forUser: 'It said nothing concrete about its topic',
    };
  },
};

export const TOPIC_GATES: Gate[] = [topic];
