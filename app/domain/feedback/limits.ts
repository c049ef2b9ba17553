export const FEEDBACK_TYPES = {
  general: 'General',
  feature_request: 'Feature request',
  improvement: 'Improvement',
  bug: 'Bug',
  compliment: 'Compliment',
};
export type FeedbackType = keyof typeof FEEDBACK_TYPES;
export const FEEDBACK_STATUSES = {
  new: 'New',
  reviewed: 'Reviewed',
  planned: 'Planned',
  in_progress: 'In progress',
  completed: 'Completed',
  declined: 'Declined',
};
export type FeedbackStatus = keyof typeof FEEDBACK_STATUSES;
export const FEEDBACK_GROUPS = {
  open: ['new', 'reviewed', 'planned', 'in_progress'],
  resolved: ['completed'],
  closed: ['declined'],
} satisfies Record<string, FeedbackStatus[]>;
export type FeedbackGroup = keyof typeof FEEDBACK_GROUPS;
export const FEEDBACK_GROUP_WORDS: Record<FeedbackGroup, string> = {
  open: 'Open (not decided)',
  resolved: 'Resolved (done)',
  closed: 'Closed (not wanted)',
};
export const FEEDBACK_TITLE_MAX = 120;
export const FEEDBACK_DESCRIPTION_MAX = 4_000;
export const FEEDBACK_SEARCH_MAX = 100;
export const RATING_MAX = 5;
export const FEEDBACK_PER_DAY = 10;
export const SIMILAR_MAX = 3;
