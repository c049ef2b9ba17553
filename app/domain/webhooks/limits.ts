export const WEBHOOK_EVENTS = {
  'post.published': 'A post is on LinkedIn',
  'post.failed': 'A post failed or was set aside: its reason says why',
  'post.needs_approval': 'A post waits for your approval',
  'payment.verified': 'A payment was verified, and its plan is there',
  'linkedin.expired': 'LinkedIn has to be connected again',
} as const;
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];
export const WEBHOOKS_MAX = 10;
export const WEBHOOK_URL_MAX = 2000;
export const OLD_SECRET_HOURS = 24;
export const WEBHOOK_SECONDS = 10;
export const RETRY_MINUTES = [1, 5, 30, 120, 360, 720] as const;
/** An endpoint is disabled when it has failed for so long without a success. */
export const DISABLED_AFTER_DAYS = 3;
export const DELIVERY_DAYS = 30;
/** Further events of the day are not sent; no real account has as many. */
export const DELIVERIES_PER_DAY_MAX = 2_000;
