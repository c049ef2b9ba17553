import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { isDatabaseUnavailable, type Trx } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { reportFault } from '#app/domain/platform/operator-alerts.ts';
import { DELIVERIES_PER_DAY_MAX, type WebhookEvent } from './limits.ts';
import { hasSubscriber } from './predicates.ts';

/** An alert about events that could not be sent, for a day. */
export const UNSENT_FAULT = 'webhooks_untold';

export type UserEvent = { userId: string; data: object };

/** Stores deliveries in the transaction in which the events happen, so that none is lost or wrong. */
export async function sendEvents(trx: Trx, type: WebhookEvent, userEvents: UserEvent[]): Promise<void> {
  if (userEvents.length === 0) return;
  const now = await databaseTime(trx);
  const events = userEvents.map(({ userId, data }) => {
    const id = randomUUID();
    return { id, userId, body: JSON.stringify({ id, type, createdAt: now.toISOString(), data }) };
  });
  // Skips endpoints that are being deleted, and those above the daily limit.
  const { rows } = await sql<{ id: string }>`
    insert into webhook_deliveries (endpoint_id, event_id, type, body, next_at, created_at)
    select w.id, event.id, ${type}, event.body, ${now}, ${now}
    from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ userId }) => userId)}::uuid[],
      ${events.map(({ body }) => body)}::text[]) as event (id, user_id, body)
    join webhook_endpoints w on w.user_id = event.user_id
    where w.disabled_at is null and ${type} = any(w.events) and not exists (
      select from webhook_deliveries d where d.endpoint_id = w.id and d.created_at > ${now}::timestamptz - interval '1 day'
      order by d.created_at desc offset ${DELIVERIES_PER_DAY_MAX - 1} limit 1)
    for key share of w skip locked
    returning id`.execute(trx);
  await enqueueAll(
    trx,
    jobs.sendWebhook,
    rows.map(({ id }) => ({ deliveryId: id })),
  );
}

/** Uses a savepoint: a failure must not roll back what has happened. The operator gets an alert. */
export async function ignoreFailure(trx: Trx, type: WebhookEvent, send: () => Promise<void>): Promise<void> {
  await sql`savepoint telling`.execute(trx);
  try {
    await send();
    await sql`release savepoint telling`.execute(trx);
  } catch (err) {
    if (isDatabaseUnavailable(err)) throw err;
    await sql`rollback to savepoint telling`.execute(trx);
    await reportFault(trx, UNSENT_FAULT, `Programs could not be told of ${type}: ${(err as Error).message}`);
  }
}

/** Sends an event of one user. `describe` is called only with a subscription. */
export async function sendEventIfSubscribed(
  trx: Trx,
  userId: string,
  type: WebhookEvent,
  describe: () => Promise<object>,
): Promise<void> {
  const { rows } = await sql<{ isSubscribed: boolean }>`
    select ${hasSubscriber('event.id', type)} as "isSubscribed" from (select ${userId}::uuid as id) event`.execute(
    trx,
  );
  if (!rows[0]?.isSubscribed) return;
  await ignoreFailure(trx, type, async () => sendEvents(trx, type, [{ userId, data: await describe() }]));
}
