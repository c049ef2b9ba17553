import { env } from '#app/env.ts';

/** Later than this a post no longer goes out at the time it was made for. */
export const lateAfterMs = () => env().LATE_GRACE * 3_600_000;

/** A post is on time for as long as the minute of its slot lasts. */
const ON_TIME_MS = 60_000;

/** From when to when a post is late and still goes out, and how far apart those of one user do. */
export const lateness = () => ({
  fromMs: ON_TIME_MS,
  untilMs: lateAfterMs(),
  apartMs: env().LATE_SPACING * 60_000,
});
