export const NAME_MAX = 100;
export const EMAIL_MAX = 254;
export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 128;
export const CODE_LENGTH = 6;
export const INCOMPLETE_CODE = `Please enter complete ${CODE_LENGTH}-digit code`;
export const CODE_MINUTES = 10;
export const TOKEN_SCOPES = ['read', 'write'] as const;
export const TOKEN_NAME_MAX = 60;
export const TOKENS_MAX = 20;
export const TOKEN_DAYS_MAX = 365;
/** Open sessions of an account, for browsers and for programs each. */
export const SESSIONS_MAX = 200;
export const SESSIONS_SHOWN = 20;
export const DELETION_DAYS = 7;
export const PROVIDER_NAMES = { google: 'Google', linkedin: 'LinkedIn' } as const;
/** With this few recovery codes left, their owner is warned. */
export const RECOVERY_CODES = 10;
export const RECOVERY_CODES_FEW = 3;
/** How many codes of the second step can be tried within SECOND_STEP_MINUTES. */
export const SECOND_STEP_TRIES = 5;
export const SECOND_STEP_MINUTES = 15;
/** How long after the password the second step can be completed. */
export const SECOND_STEP_WITHIN_MINUTES = 10;
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_MAX = 50;
export const USER_SEARCH_MAX = 100;
export const USER_FILTERS = ['plan', 'no_plan', 'admins', 'disabled'] as const;
export const DISABLE_REASON_MAX = 500;
