/** LinkedIn documents that it refuses the same text for 10 minutes; the resend stays well inside. */
export const CONFIRM_AFTER_MS = 30_000;
export const CONFIRM_BEFORE_MS = 9 * 60_000;
