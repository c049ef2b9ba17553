import { env } from '#app/env.ts';

/** A post that is later than this gets another slot. */
export const lateAfterMs = () => env().LATE_GRACE * 3_600_000;

const ON_TIME_MS = 60_000;

/** When a post counts as late and is still published, and the time between late posts of one user. */
export const lateness = () => ({
  fromMs: ON_TIME_MS,
  untilMs: lateAfterMs(),
  apartMs: env().LATE_SPACING * 60_000,
});
