/** The longest body that a form or a call may send, in bytes. */
export const BODY_BYTES_MAX = 64 * 1024;
export const FORM_TOO_LONG = 'That is more than we can take in one form';
/** When to ask again for what the database is missing for. */
export const AWAY_SECONDS = 60;
/** The longest key with which a call is sent again. */
export const IDEMPOTENCY_KEY_MAX = 200;
