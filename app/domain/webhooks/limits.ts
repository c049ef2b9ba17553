/** What programs can be told of, and when it happens. */
export const WEBHOOK_EVENTS = {
  'post.published': 'A post is on LinkedIn',
  'post.failed': 'A post failed or was set aside: its reason says why',
  'post.needs_approval': 'A post waits for your approval',
  'payment.verified': 'A payment was verified, and its plan is there',
  'linkedin.expired': 'LinkedIn has to be connected again',
} as const;
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];
/** Addresses that an account can have. */
export const WEBHOOKS_MAX = 10;
export const WEBHOOK_URL_MAX = 2000;
/** For so long after a new secret was made the one before it signs as well. */
export const OLD_SECRET_HOURS = 24;
/** How long a call may take from its first to its last byte. */
export const WEBHOOK_SECONDS = 10;
/** After these minutes what was not taken is sent again; then it is given up. */
export const RETRY_MINUTES = [1, 5, 30, 120, 360, 720] as const;
/** An address that has failed for so long, and taken nothing meanwhile, is disabled. */
export const DISABLED_AFTER_DAYS = 3;
/** For so long it can be read what was sent. */
export const DELIVERY_DAYS = 30;
/** So much one address is told within a day; what is more is not told. Nobody's week has as much. */
export const TOLD_A_DAY = 2_000;
