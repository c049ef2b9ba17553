export const POSTS_PER_RUN_MAX = 5;
/** Without a plan, in a calendar month of the user's zone. */
export const FREE_POSTS_A_MONTH = 3;
/** With a plan: a bound on cost, far above what anybody needs. */
export const POSTS_AN_HOUR_MAX = 60;
/** Runs that begin by themselves: one a day, and few more however often the settings are saved. */
export const RUNS_A_DAY_MAX = 12;
