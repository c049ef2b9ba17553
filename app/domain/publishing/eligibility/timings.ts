import { RETRY_AFTER_MAX_SECONDS } from '#app/integrations/linkedin/responses.ts';

/*
 * The times that make sure that a post is sent once, and on time even when a worker dies. They depend on each other and
 * on the timeout of a call: tests/publishing/send/timings.domain.test.ts checks the relations.
 */

export const LEASE_MS = 5 * 60_000;

/** The minimum remaining lease when the call starts; longer than the call can take. */
export const LEASE_LEFT_MS = 60_000;

/** A call that has not started this long after its attempt was written is not made. */
export const CALL_WITHIN_MS = 15_000;

/** After this time an open attempt counts as abandoned: a living process has settled it by then. */
export const ABANDONED_AFTER_MS = 60_000;

/** The longest wait that LinkedIn can ask for: `Retry-After` is capped to a day, and its daily limits end at 00:00 UTC. */
export const LONGEST_WAIT_MS = RETRY_AFTER_MAX_SECONDS * 1_000;

/**
 * The posts of one full minute start within this time. The rest of the minute, during which they are on time, is for
 * the image and the call.
 */
export const SPREAD_MS = 30_000;

/** A job that has not started by then is added again. Its key prevents duplicates while it waits. */
export const ENQUEUE_AGAIN_MS = 2 * 60_000;
