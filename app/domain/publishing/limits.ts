export const PAUSE_REASON_MAX = 200;
/** Test posts that may fail within the time that lies between two good ones. */
export const FAILED_TESTS_MAX = 5;
/** Refusals of one post within 24 hours, after which it can be sent again only when the first of them is older. */
export const REFUSALS_A_DAY_MAX = 10;
