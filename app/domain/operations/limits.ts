/** How long dead jobs are kept for an admin. */
export const DEAD_JOB_RETENTION_DAYS = 30;
