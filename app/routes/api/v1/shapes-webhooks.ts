import type { Webhook } from '#app/domain/webhooks/endpoints.ts';
import type { WebhookDelivery } from '#app/domain/webhooks/webhook-deliveries.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;

export function webhookShape(webhook: Webhook) {
  const { id, url, events, createdAt, failingSince, disabledAt, previousUntil } = webhook;
  return {
    _id: id,
    url,
    events,
    createdAt: createdAt.toISOString(),
    failingSince: iso(failingSince),
    disabledAt: iso(disabledAt),
    oldSecretUntil: iso(previousUntil),
  };
}

const standingOf = ({ deliveredAt, givenUpAt }: WebhookDelivery) =>
  deliveredAt ? ('delivered' as const) : givenUpAt ? ('given_up' as const) : ('waiting' as const);

export function deliveryShape(delivery: WebhookDelivery) {
  const { id, eventId, type, attempts, body, lastStatus, lastAnswer, lastError } = delivery;
  return {
    _id: id,
    eventId,
    type,
    status: standingOf(delivery),
    attempts,
    createdAt: delivery.createdAt.toISOString(),
    lastAttemptAt: iso(delivery.lastAt),
    nextAttemptAt: iso(delivery.nextAt),
    deliveredAt: iso(delivery.deliveredAt),
    answerStatus: lastStatus,
    answer: lastAnswer,
    error: lastError,
    event: JSON.parse(body),
  };
}
