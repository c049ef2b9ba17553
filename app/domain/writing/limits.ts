export const POSTS_PER_RUN_MAX = 5;
/** Without a plan, in a calendar month of the user's time zone. */
export const FREE_POSTS_A_MONTH = 3;
/** With a plan: a limit on cost. */
export const POSTS_AN_HOUR_MAX = 60;
/** Scheduled runs of a user: one a day, and a few more when the settings are saved again. */
export const RUNS_A_DAY_MAX = 12;
/** Rewrites of posts within a day, without a plan and with one. */
export const FREE_REWRITES_A_DAY_MAX = 5;
export const REWRITES_A_DAY_MAX = 100;
/** Limits on cost: calls of the writer and tokens of one user in a day (UTC). */
export const FREE_CALLS_A_DAY_MAX = 60;
export const FREE_TOKENS_A_DAY_MAX = 400_000;
export const PLAN_CALLS_A_DAY_MAX = 600;
export const PLAN_TOKENS_A_DAY_MAX = 4_000_000;
export const INSTRUCTION_MAX = 300;
export const INSTRUCTIONS = ['Make it shorter', 'Make it more personal', 'End with a question'];
/** The longest suggested alt text: screen readers read it without a pause. */
export const SUGGESTED_MAX = 400;
export const USAGE_KEPT_DAYS = 180;
