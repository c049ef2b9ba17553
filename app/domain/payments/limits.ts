/** What a plan can be for; the check constraints of payments and prices say the same. */
export const POSTS_PER_DAY = [1, 2, 3, 4, 5] as const;
export const POSTS_PER_DAY_MAX = 5;
/** Letters and digits of a transaction ID, as it is stored. */
export const TRANSACTION_ID_MIN = 6;
export const TRANSACTION_ID_MAX = 35;
/** What the field takes: spaces may stand between the letters. */
export const TRANSACTION_ID_TYPED_MAX = 60;
export const REJECT_REASON_MAX = 500;
/** What a payer is promised. */
export const VERIFIED_WITHIN_HOURS = 24;
/** From then on an admin sees that the promise is near its end. */
export const LATE_AFTER_HOURS = 20;
