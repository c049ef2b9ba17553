/** The longest body that a form or a call may send, in bytes. */
export const BODY_BYTES_MAX = 64 * 1024;
/** The same of what anybody may send without signing in, of the forms and calls that say so. */
export const PUBLIC_BODY_BYTES_MAX = 10 * 1024;
export const FORM_TOO_LONG = 'That is more than we can take in one form';
/** When to ask again for what the database is missing for. */
export const UNAVAILABLE_RETRY_SECONDS = 60;
/** The longest key with which a call is sent again. */
export const IDEMPOTENCY_KEY_MAX = 200;
/** The field of the one form that carries a file. In its place stands why the file was not read, when it was not. */
export const FILE_FIELD = 'screenshot';
export const FILE_LEFT_OUT = ['too large', 'busy'] as const;
/** As long as browsers keep a cookie at most: that somebody has signed in from this one before. */
export const TRUSTED_BROWSER_DAYS = 400;
/** What everybody is answered alike may be kept by whoever asked. */
export const CACHE_ONE_MINUTE = 'public, max-age=60';
