export const PAUSE_REASON_MAX = 200;
/** Test posts that may fail within the time that lies between two good ones. */
export const FAILED_TESTS_MAX = 5;
