/** LinkedIn's limit in UTF-16 units, with escapes and hashtags. */
export const POST_MAX = 3_000;
/** From this length on the counter of the form warns. */
export const POST_NEARLY_MAX = 2_800;
/** About as much as LinkedIn shows of a text above "…more". */
export const HOOK_MAX = 210;
export const HOOK_LINES = 3;
export const HASHTAGS_MAX = 30;
export const HASHTAG_LENGTH_MAX = 100;
export const IMAGE_URL_MAX = 2_000;
export const ALT_TEXT_MAX = 4_086;
export const POST_LINK_MAX = 2_000;
export const VERSIONS_MAX = 10;
export const ENGAGEMENTS = ['likes', 'comments', 'shares', 'impressions'] as const;
export const ENGAGEMENT_MAX = 1_000_000_000;
export const POST_WAITS = { published: false, generated: true, pending: true, failed: false };
type Status = keyof typeof POST_WAITS;
export const POST_STATUSES = Object.keys(POST_WAITS) as Status[];
export const WAITING_STATUSES = POST_STATUSES.filter((status) => POST_WAITS[status]);
/** The lists of the history. Posts that were set aside have their own list and are not among the failed ones. */
export const POST_LISTS: (Status | 'set_aside')[] = [...POST_STATUSES, 'set_aside'];
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
/** `unplanned`: a waiting post without a time. */
export type PresentedBadge = keyof typeof POST_WORDS;
export type PostBadge = Exclude<PresentedBadge, 'unplanned'>;
export const SHOWN_TEXT_MAX = 150;
export const SHOWN_HASHTAGS = 3;
export const TOP_POSTS_MAX = 9;
/** Our copy of a picture on the start page: its longer side in pixels, and its bytes. */
export const SHOWN_PICTURE_SIDE = 720;
export const SHOWN_PICTURE_BYTES_MAX = 262_144;
export const BAR_REASON_MAX = 500;
