import { ACCOUNT, MONEY } from './account-questions.ts';
import { FIRST_STEPS, LINKEDIN, POSTS } from './post-questions.ts';

/** `also`: other words for it, for the search. */
export type Answer = { question: string; answer: string; to: string; label: string; also?: string };
export type AnswerGroup = { title: string; answers: Answer[] };

export const ANSWERS: AnswerGroup[] = [
  { title: 'First steps', answers: FIRST_STEPS },
  { title: 'Posts and times', answers: POSTS },
  { title: 'LinkedIn', answers: LINKEDIN },
  { title: 'Plans and payments', answers: MONEY },
  { title: 'Your account', answers: ACCOUNT },
];
