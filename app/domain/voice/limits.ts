/** The kinds of facts with their labels. The keys are also in a check constraint. */
export const FACT_KINDS = {
  project: 'Something you did',
  number: 'A number',
  opinion: 'An opinion',
  lesson: 'A lesson or mistake',
  question: 'A question people ask you',
};
export const FACT_MAX = 300;
export const FACTS_MAX = 500;
export const AUDIENCE_MAX = 200;
export const HEADLINE_MAX = 200;
export const VOICE_NOTES_MAX = 1_000;
export const VOICE_WORDS_MAX = 30;
export const VOICE_WORD_LENGTH_MAX = 40;
export const EXAMPLES_MAX = 3;
export const EXAMPLE_MIN = 100;
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  hi: 'हिन्दी',
  it: 'Italiano',
  nl: 'Nederlands',
  pt: 'Português',
};
/** Questions for new users. Each answer becomes a fact of its kind. */
export const INTERVIEW = [
  { kind: 'project', ask: 'What did you finish lately that you would show a colleague?' },
  { kind: 'number', ask: 'Which number from your work surprises people outside it?' },
  { kind: 'lesson', ask: 'Which mistake taught you something that you still do differently?' },
  { kind: 'opinion', ask: 'What do most people in your trade believe that you think is wrong?' },
  { kind: 'question', ask: 'What do customers or newcomers ask you again and again?' },
] as const;
