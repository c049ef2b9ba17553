import type { Problem } from '#app/integrations/openai/responses.ts';

/** Where the reason lies that there is no post: in the subject, in the texts, or in a writer that answers badly. */
export type Lies = 'subject' | 'text' | 'writer';

type BadAnswer = { forWriter: string; forUser: string; lies: Lies };

/** What the writer answered instead of a post: what it is told, and what the owner of the topic reads behind a colon. */
export const BAD_ANSWERS: Record<Problem, BadAnswer> = {
  declined: {
    forWriter: 'You declined to write it. Take an angle of the topic that you can write about.',
    forUser: 'the writer declined to write about it',
    lies: 'subject',
  },
  filtered: {
    forWriter: 'A filter stopped your text. Stay with the professional side of the topic.',
    forUser: 'a filter of the writer stopped the text',
    lies: 'subject',
  },
  'against-policy': {
    forWriter: 'It is against the rules on content. Take another angle of the topic.',
    forUser: 'the writer’s rules on content rule it out. Other words in its name or description may help',
    lies: 'subject',
  },
  'cut-off': {
    forWriter: 'Your answer was cut off: it was too long. Write a shorter post.',
    forUser: 'the writer’s answer was cut off',
    lies: 'writer',
  },
  empty: {
    forWriter: 'Your answer was empty.',
    forUser: 'the writer answered with nothing',
    lies: 'writer',
  },
  'wrong-shape': {
    forWriter:
      'Your answer could not be read. Answer with one JSON object of the asked form and nothing else.',
    forUser: 'the writer’s answer could not be read',
    lies: 'writer',
  },
  'too-much-context': {
    forWriter: 'There was more to read than you can.',
    forUser: 'there was more to read than the writer can',
    lies: 'writer',
  },
};

const NOT_GOOD = 'was not good enough: ';
const PASSED_OVER = 'was passed over: ';
const RULED_OUT = 'No post could be written about ';

type Unwritten = { problem: string; lies: Lies };

/** Why there is no post about a topic, for its run; without the full stop. */
export function sentenceOf(name: string, { problem, lies }: Unwritten): string {
  if (lies === 'text') return `A post about “${name}” ${NOT_GOOD}${problem}`;
  if (lies === 'subject') return `${RULED_OUT}“${name}”: ${problem}`;
  return `A post about “${name}” could not be written: ${problem}. We know about it; please try again later`;
}

/** The same of a topic that left its place to another one. */
export const passedOver = (name: string, { problem }: Unwritten) => `“${name}” ${PASSED_OVER}${problem}`;

/** Whether what a run says of its failure can be mended in a topic. */
export const isFixedInTopic = (error: string | null): boolean =>
  error !== null && [NOT_GOOD, PASSED_OVER, RULED_OUT].some((words) => error.includes(words));
