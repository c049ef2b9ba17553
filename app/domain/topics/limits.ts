/** Also in a check constraint of the table. */
export const TONES = ['professional', 'casual', 'inspirational', 'educational', 'humorous'] as const;
/** Whether posts about a topic wait for approval, with the labels of forms. The keys are also in a check constraint. */
export const APPROVAL_WORDS = {
  settings: 'As in my settings',
  approve: 'Ask me before each post',
  publish: 'Publish by itself',
};
export type TopicApproval = keyof typeof APPROVAL_WORDS;
export const USUAL_TONE = 'professional';
export const TOPIC_NAME_MAX = 100;
export const TOPIC_DESCRIPTION_MAX = 1_000;
export const TOPIC_KEYWORDS_MAX = 20;
export const TOPIC_KEYWORD_LENGTH_MAX = 50;
export const TOPIC_FAILURES_MAX = 3;
export const TOPIC_PAUSE_MONTHS_MAX = 12;
export const TOPICS_MAX = 1_000;
