import { RETRY_AFTER_MAX_SECONDS } from '#app/integrations/linkedin/responses.ts';

/*
 * The times by which a post is sent once, and no later than promised although a worker dies. They depend on
 * each other; tests/publishing/send/timings.domain.test.ts holds what must be true of them, with the time that a call may take.
 */

/** How long a worker has for a post it has taken. */
export const LEASE_MS = 5 * 60_000;

/** What must be left of a lease when the call begins; longer than the call can take. */
export const LEASE_LEFT_MS = 60_000;

/** A call that has not begun this long after its attempt was written is not made. */
export const BEGIN_WITHIN_MS = 15_000;

/** An attempt that is open for longer is given up: a living process has always settled it by then. */
export const ABANDONED_AFTER_MS = 60_000;

/** LinkedIn asks to wait for a day at most: a `Retry-After` is read as no more, and its own day ends at 00:00 UTC. */
export const LONGEST_WAIT_MS = RETRY_AFTER_MAX_SECONDS * 1_000;

/**
 * The posts of one full minute are begun so long after its start at most. What is left of the minute, until which they
 * are on time, is for a picture and the call.
 */
export const SPREAD_MS = 30_000;

/** A job that has not begun by then is added again; its key keeps it single while it waits. */
export const ENQUEUE_AGAIN_MS = 2 * 60_000;
