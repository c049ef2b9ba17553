export const POSTS_PER_RUN_MAX = 5;
/** Without a plan, in a calendar month of the user's zone. */
export const FREE_POSTS_A_MONTH = 3;
/** With a plan: a bound on cost, far above what anybody needs. */
export const POSTS_AN_HOUR_MAX = 60;
/** Runs that begin by themselves: one a day, and few more however often the settings are saved. */
export const RUNS_A_DAY_MAX = 12;
/** How often posts can be written again within a day, without a plan and with one. */
export const FREE_REWRITES_A_DAY_MAX = 5;
export const REWRITES_A_DAY_MAX = 100;
/** Calls of the writer, and tokens, that one user may cause in a day (UTC): bounds on cost, above what anybody needs. */
export const FREE_CALLS_A_DAY_MAX = 60;
export const FREE_TOKENS_A_DAY_MAX = 400_000;
export const PLAN_CALLS_A_DAY_MAX = 600;
export const PLAN_TOKENS_A_DAY_MAX = 4_000_000;
export const INSTRUCTION_MAX = 300;
/** What is asked most often of a post that is written again. */
export const INSTRUCTIONS = ['Make it shorter', 'Make it more personal', 'End with a question'];
/** The longest description of a picture that is suggested: it is read out in one go. */
export const SUGGESTED_MAX = 400;
/** How long it is kept what a single user asked of the writer on a day. */
export const USAGE_KEPT_DAYS = 180;
