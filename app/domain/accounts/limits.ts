export const NAME_MAX = 100;
export const EMAIL_MAX = 254;
export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 128;
/** Digits of the code that proves an e-mail address. */
export const CODE_LENGTH = 6;
/** How long a code is valid. */
export const CODE_MINUTES = 10;
