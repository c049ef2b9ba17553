/** The last segment of the address that a button posts to. */
export const POST_VERBS = [
  'publish',
  'back',
  'approve',
  'retry',
  'again',
  'clear',
  'delete',
  'move',
  'swap',
  'skip',
  'schedule',
  'undo',
] as const;
export const TOPIC_VERBS = ['toggle', 'resume', 'delete', 'trust', 'ask'] as const;
/** `choose` a post as an example of the voice, `remove` an example, `forget` a fact. */
export const VOICE_VERBS = ['choose', 'remove', 'forget'] as const;
export const LINKEDIN_VERBS = ['connect', 'disconnect', 'test'] as const;
export const SECOND_STEP_VERBS = ['begin', 'prove', 'rename'] as const;
/** For a job whose attempts have all failed. */
export const JOB_VERBS = ['retry', 'discard'] as const;
/** For the link in a mail, without a session. */
export const APPROVAL_VERBS = ['approve', 'skip'] as const;
/** The API deletes with DELETE, and has its own call to acknowledge a post. */
export const POST_CALLS = ['publish', 'approve', 'retry', 'again'] as const;

export type PostVerb = (typeof POST_VERBS)[number];
export type TopicVerb = (typeof TOPIC_VERBS)[number];
export type VoiceVerb = (typeof VOICE_VERBS)[number];
export type LinkedInVerb = (typeof LINKEDIN_VERBS)[number];
export type SecondStepVerb = (typeof SECOND_STEP_VERBS)[number];
export type JobVerb = (typeof JOB_VERBS)[number];
export type ApprovalVerb = (typeof APPROVAL_VERBS)[number];
export type PostCall = (typeof POST_CALLS)[number];

export const postAddress = (postId: string, verb: PostVerb) => `/app/posts/${postId}/${verb}`;
export const versionsAddress = (postId: string) => `/app/posts/${encodeURIComponent(postId)}/versions`;
export const topicAddress = (topicId: string, verb: TopicVerb) => `/app/topics/${topicId}/${verb}`;
export const voiceAddress = (id: string, verb: VoiceVerb) => `/app/voice/${id}/${verb}`;
export const linkedInAddress = (verb: LinkedInVerb) => `/app/linkedin/${verb}`;
