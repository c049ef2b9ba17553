import type { Problem } from '#app/integrations/openai/responses.ts';

/** Why there is no post: the writer declined the subject, its texts failed the gates, or its responses were unusable. */
export type FailureCause = 'subject' | 'text' | 'writer';

type BadAnswer = { forWriter: string; forUser: string; cause: FailureCause };

/** For each response without a post, a sentence for the writer and a clause for the user. */
export const BAD_ANSWERS: Record<Problem, BadAnswer> = {
  declined: {
    forWriter: 'You declined to write it. Take an angle of the topic that you can write about.',
    forUser: 'the writer declined to write about it',
    cause: 'subject',
  },
  filtered: {
    forWriter: 'A filter stopped your text. Stay with the professional side of the topic.',
    forUser: 'a filter of the writer stopped the text',
    cause: 'subject',
  },
  'against-policy': {
    forWriter: 'It is against the rules on content. Take another angle of the topic.',
    forUser: 'the writer’s rules on content rule it out. Other words in its name or description may help',
    cause: 'subject',
  },
  'cut-off': {
    forWriter: 'Your answer was cut off: it was too long. Write a shorter post.',
    forUser: 'the writer’s answer was cut off',
    cause: 'writer',
  },
  empty: {
    forWriter: 'Your answer was empty.',
    forUser: 'the writer answered with nothing',
    cause: 'writer',
  },
  'wrong-shape': {
    forWriter:
      'Your answer could not be read. Answer with one JSON object of the asked form and nothing else.',
    forUser: 'the writer’s answer could not be read',
    cause: 'writer',
  },
  'too-much-context': {
    forWriter: 'There was more to read than you can.',
    forUser: 'there was more to read than the writer can',
    cause: 'writer',
  },
};

const NOT_GOOD = 'was not good enough: ';
const SKIPPED = 'was passed over: ';
const RULED_OUT = 'No post could be written about ';

type Unwritten = { problem: string; cause: FailureCause };

/** The error of a run without a post about a topic, without the full stop. */
export function failureSentence(name: string, { problem, cause }: Unwritten): string {
  if (cause === 'text') return `A post about “${name}” ${NOT_GOOD}${problem}`;
  if (cause === 'subject') return `${RULED_OUT}“${name}”: ${problem}`;
  return `A post about “${name}” could not be written: ${problem}. We know about it; please try again later`;
}

/** The error of a run that wrote about another topic instead. */
export const skippedSentence = (name: string, { problem }: Unwritten) => `“${name}” ${SKIPPED}${problem}`;

/** Whether the user can fix the error of a run by editing the topic. */
export const isFixedInTopic = (error: string | null): boolean =>
  error !== null && [NOT_GOOD, SKIPPED, RULED_OUT].some((words) => error.includes(words));
