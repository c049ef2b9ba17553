/** The longest body that a form or a call may send, in bytes. */
export const BODY_BYTES_MAX = 64 * 1024;
export const FORM_TOO_LONG = 'That is more than we can take in one form';
/** When to ask again for what the database is missing for. */
export const AWAY_SECONDS = 60;
