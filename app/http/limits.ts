export const BODY_BYTES_MAX = 64 * 1024;
/** The same for forms and calls that need no session. */
export const PUBLIC_BODY_BYTES_MAX = 10 * 1024;
export const FORM_TOO_LONG = 'That is more than we can take in one form';
export const UNAVAILABLE_RETRY_SECONDS = 60;
export const IDEMPOTENCY_KEY_MAX = 200;
/** The one file field of our forms. If the file was left out, it has the reason instead. */
export const FILE_FIELD = 'screenshot';
export const FILE_OMISSIONS = ['too large', 'busy'] as const;
/** Browsers keep a cookie no longer than this. */
export const TRUSTED_BROWSER_DAYS = 400;
export const CACHE_ONE_MINUTE = 'public, max-age=60';
