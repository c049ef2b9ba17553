export const PAUSE_REASON_MAX = 200;
/** Test posts that may fail within the time that lies between two good ones. */
export const FAILED_TESTS_MAX = 5;
/** Refusals of one post within 24 hours, after which it can be sent again only when the first of them is older. */
export const REFUSALS_A_DAY_MAX = 10;

/** How long the link works by which a post is approved from a mail. */
export const APPROVAL_LINK_DAYS = 7;
/** So many posts about a topic approved as they were written, and its owner is offered to let them go out without asking. */
export const APPROVED_IN_A_ROW = 10;
/** After LinkedIn was connected again, before missed posts take the next free slots by themselves. */
export const CHOOSE_WITHIN_DAYS = 3;
/** How far ahead a time can be chosen for a post. */
export const MOVE_WITHIN_DAYS = 92;
/** How long a deleted post can be brought back. Nothing of it goes before. */
export const RESTORE_WITHIN_DAYS = 30;
