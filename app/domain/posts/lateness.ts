import { env } from '#app/env.ts';

/** Later than this a post no longer goes out at the time it was made for. */
export const lateAfterMs = () => env().LATE_GRACE * 3_600_000;
