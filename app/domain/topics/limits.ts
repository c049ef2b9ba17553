/** The tones a topic can have; a check constraint says the same. */
export const TONES = ['professional', 'casual', 'inspirational', 'educational', 'humorous'] as const;
/** Whether its posts wait for approval, in the words of every page; a check constraint knows the same. */
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
/** Failures in a row after which a topic is paused. */
export const TOPIC_FAILURES_MAX = 3;
/** The furthest that a topic can be paused ahead, in months. */
export const TOPIC_PAUSE_MONTHS_MAX = 12;
/** So many topics one user has at most: far above what anybody writes about. */
export const TOPICS_MAX = 1_000;
