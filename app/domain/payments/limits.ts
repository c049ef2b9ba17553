/** The check constraints of payments and prices have the same values. */
export const POSTS_PER_DAY = [1, 2, 3, 4, 5] as const;
export const POSTS_PER_DAY_MAX = 5;
export const TRANSACTION_ID_MIN = 6;
export const TRANSACTION_ID_MAX = 35;
export const TRANSACTION_ID_TYPED_MAX = 60;
export const REJECT_REASON_MAX = 500;
export const REJECT_REASONS = {
  amount: 'The amount that we received is not the amount of this payment.',
  unknown: 'We found no payment with this transaction ID.',
  elsewhere: 'The money went to an account that is not ours.',
  twice: 'This payment was used for another plan already.',
  unreadable: 'The screenshot can’t be read, and we found the payment by nothing else.',
} as const;
export const VERIFIED_WITHIN_HOURS = 24;
/** After this, admins see a payment as late. */
export const LATE_AFTER_HOURS = 20;
export const SCREENSHOT_BYTES_MAX = 4 * 1024 * 1024;
export const REQUEST_GOOD_HOURS = 72;
/** How long an expired request is shown to its payer, who may have paid it. */
export const LATE_PAYMENT_DAYS = 7;
/** A renewal is offered so long before the end of the plan. */
export const RENEW_BEFORE_DAYS = 7;
export const PAYMENT_STATUSES = ['pending', 'active', 'expired', 'cancelled', 'rejected'] as const;
export const SEARCH_MAX = 100;
export const EXTENSION_DAYS_MAX = 90;
export const EXTENSION_REASON_MAX = 500;
