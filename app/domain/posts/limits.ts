/** The network's limit in UTF-16 units, counted with the escapes and the hashtags. */
export const POST_MAX = 3_000;
/** From here on the counter of the edit form warns. */
export const POST_NEARLY_MAX = 2_800;
/** LinkedIn shows about as much of a text before "…more", in so many lines. */
export const HOOK_MAX = 210;
export const HOOK_LINES = 3;
export const HASHTAGS_MAX = 30;
export const HASHTAG_LENGTH_MAX = 100;
export const IMAGE_URL_MAX = 2_000;
/** The network's limit for the description of a picture. */
export const ALT_TEXT_MAX = 4_086;
/** The address of a post on LinkedIn, as it is pasted. */
export const POST_LINK_MAX = 2_000;
/** Of the other texts of a post so many are kept. */
export const VERSIONS_MAX = 10;
/** What can be counted of a published post, in the order in which it is shown. */
export const ENGAGEMENTS = ['likes', 'comments', 'shares', 'impressions'] as const;
export const ENGAGEMENT_MAX = 1_000_000_000;
/** Whether a post waits, by its status: those that do are the queue. */
export const POST_WAITS = { published: false, generated: true, pending: true, failed: false };
type Status = keyof typeof POST_WAITS;
/** Every status that a post can have. */
export const POST_STATUSES = Object.keys(POST_WAITS) as Status[];
export const WAITING_STATUSES = POST_STATUSES.filter((status) => POST_WAITS[status]);
/** The lists of the history; posts that were put away are a list of their own, and no failed ones there. */
export const POST_LISTS: (Status | 'set_aside')[] = [...POST_STATUSES, 'set_aside'];
/** Where a post stands, in the word of every page and file. */
export const POST_WORDS = {
  generated: 'Scheduled',
  publishing: 'Publishing…',
  pending: 'Pending approval',
  published: 'Published',
  failed: 'Failed',
  unconfirmed: 'Not confirmed',
  set_aside: 'Set aside',
  unplanned: 'Ready',
};
/** Where a post stands as it is shown; one that waits without a time is not scheduled. */
export type PresentedBadge = keyof typeof POST_WORDS;
export type PostBadge = Exclude<PresentedBadge, 'unplanned'>;
/** What the start page shows of a post whose author lets it: so many characters, so many hashtags. */
export const SHOWN_TEXT_MAX = 150;
export const SHOWN_HASHTAGS = 3;
export const TOP_POSTS_MAX = 9;
/** Our copy of a picture that is shown there: so large either way, and so many bytes. */
export const SHOWN_PICTURE_SIDE = 720;
export const SHOWN_PICTURE_BYTES_MAX = 262_144;
/** Why an admin took a post off the start page, or put it back. */
export const BAR_REASON_MAX = 500;
