import type { Problem } from '#app/integrations/openai-answers.ts';

/** What the writer answered instead of a post, as the reader of a run is told. */
export const BAD_ANSWER: Record<Problem, string> = {
  declined: 'the writer declined to write about this',
  filtered: 'the writer stopped in the middle of it, as its rules about content told it to',
  'against-policy': 'the writer does not write about this subject',
  'cut-off': 'the answer was cut off',
  empty: 'the answer was empty',
  'wrong-shape': 'the answer was not valid JSON of the asked shape',
  'too-much-context': 'there was more to read than the writer can',
};
