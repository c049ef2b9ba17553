export const NAME_MAX = 100;
export const EMAIL_MAX = 254;
export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 128;
/** Digits of the code that proves an e-mail address. */
export const CODE_LENGTH = 6;
export const INCOMPLETE_CODE = `Please enter complete ${CODE_LENGTH}-digit code`;
/** How long a code is valid. */
export const CODE_MINUTES = 10;
/** What a program is allowed to do with its token. */
export const TOKEN_SCOPES = ['read', 'write'] as const;
export const TOKEN_NAME_MAX = 60;
/** Tokens with a name that an account can have. */
export const TOKENS_MAX = 20;
/** The longest that a token can be made for, unless it is good until it is revoked. */
export const TOKEN_DAYS_MAX = 365;
/** Browsers in which an account can be signed in, and programs that signed in for it. */
export const SESSIONS_MAX = 200;
/** Browsers that the list of an account's sessions names. */
export const SESSIONS_SHOWN = 20;
/** How long an account that is to be deleted can still be kept. */
export const DELETION_DAYS = 7;
/** Who can say who somebody is, and how pages call them. */
export const PROVIDER_NAMES = { google: 'Google', linkedin: 'LinkedIn' } as const;
/** How many recovery codes are made at a time, and with how few left their owner is warned. */
export const RECOVERY_CODES = 10;
export const RECOVERY_CODES_FEW = 3;
/** Codes of the second step that can be tried, and within which time. */
export const SECOND_STEP_TRIES = 5;
export const SECOND_STEP_MINUTES = 15;
/** How long a browser that knew the password may take for the second step. */
export const SECOND_STEP_WITHIN_MINUTES = 10;
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_MAX = 50;
/** What admins look for in names and addresses, in characters. */
export const USER_SEARCH_MAX = 100;
/** What the list of everybody can be narrowed to. */
export const USER_FILTERS = ['plan', 'no_plan', 'admins', 'disabled'] as const;
/** Why an admin has stopped an account, in characters. */
export const DISABLE_REASON_MAX = 500;
