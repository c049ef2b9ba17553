/** How long a job that failed for good waits for an admin. */
export const DEAD_JOB_KEPT_DAYS = 30;
