/** What a plan can be for; the check constraints of payments and prices say the same. */
export const POSTS_PER_DAY = [1, 2, 3, 4, 5] as const;
export const POSTS_PER_DAY_MAX = 5;
/** Letters and digits of a transaction ID, as it is stored. */
export const TRANSACTION_ID_MIN = 6;
export const TRANSACTION_ID_MAX = 35;
/** What the field takes: spaces may stand between the letters. */
export const TRANSACTION_ID_TYPED_MAX = 60;
export const REJECT_REASON_MAX = 500;
/** Why a payment is turned down, mostly, in the words that its payer reads. */
export const REJECT_REASONS = {
  amount: 'The amount that we received is not the amount of this payment.',
  unknown: 'We found no payment with this transaction ID.',
  elsewhere: 'The money went to an account that is not ours.',
  twice: 'This payment was used for another plan already.',
  unreadable: 'The screenshot can’t be read, and we found the payment by nothing else.',
} as const;
/** What a payer is promised. */
export const VERIFIED_WITHIN_HOURS = 24;
/** From then on an admin sees that the promise is near its end. */
export const LATE_AFTER_HOURS = 20;
/** A picture of the transaction, as it is sent and as it is kept. */
export const SCREENSHOT_BYTES_MAX = 4 * 1024 * 1024;
/** How long a payment request says what is taken. */
export const REQUEST_GOOD_HOURS = 72;
/** How long somebody may still come with a payment for a request that is no longer taken. */
export const LOST_FOR_DAYS = 7;
/** How long before the end of what is paid for a renewal is offered. */
export const RENEW_BEFORE_DAYS = 7;
/** How a payment can stand, as screens and lists say it. */
export const SHOWN_STATUSES = ['pending', 'active', 'expired', 'cancelled', 'rejected'] as const;
/** What is looked for in a list of payments has at most so many characters. */
export const SEARCH_MAX = 100;
/** How much an admin can add to a plan at a time, and the words in which they say why. */
export const EXTENSION_DAYS_MAX = 90;
export const EXTENSION_REASON_MAX = 500;
