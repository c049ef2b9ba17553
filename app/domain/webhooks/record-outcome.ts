import { type Selectable, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { WebhookTables } from '#app/db/tables/webhooks.ts';
import { findUser, mailUser } from '#app/domain/accounts/users.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { env } from '#app/env.ts';
import type { WebhookResult } from '#app/integrations/http/post-webhook.ts';
import { lockWebhook } from './endpoints.ts';
import { DISABLED_AFTER_DAYS, RETRY_MINUTES } from './limits.ts';

const MINUTE_MS = 60_000;
const DISABLED_AFTER_MS = DISABLED_AFTER_DAYS * 86_400_000;

export type SentDelivery = Pick<
  Selectable<WebhookTables['webhookDeliveries']>,
  'id' | 'endpointId' | 'eventId' | 'body' | 'attempts' | 'nextAt'
>;

const isAccepted = ({ status }: WebhookResult) => status !== null && status >= 200 && status < 300;

const describeOutcome = (result: WebhookResult) =>
  result.error ?? `It answered with the status ${result.status}`;

function nextAttemptAt(attempts: number, now: Date): Date | null {
  const minutes = RETRY_MINUTES[attempts - 1];
  return minutes === undefined ? null : new Date(now.getTime() + minutes * MINUTE_MS);
}

/** Records the outcome of a call. A delivery that was sent again manually meanwhile stays due. */
export async function recordOutcome(
  db: Db,
  sent: SentDelivery,
  result: WebhookResult,
  now: Date,
): Promise<void> {
  await transact(db, async (trx) => {
    await lockWebhook(trx, sent.endpointId);
    const nextAt = isAccepted(result) ? null : nextAttemptAt(sent.attempts + 1, now);
    const { numUpdatedRows } = await trx
      .updateTable('webhookDeliveries')
      .set({
        attempts: sent.attempts + 1,
        lastAt: now,
        nextAt,
        lastStatus: result.status,
        lastAnswer: result.answer,
        lastError: result.error,
        deliveredAt: isAccepted(result) ? now : null,
        givenUpAt: isAccepted(result) || nextAt ? null : now,
      })
      .where('id', '=', sent.id)
      .where('attempts', '=', sent.attempts)
      .where('nextAt', '=', sent.nextAt)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    if (nextAt) await enqueue(trx, jobs.sendWebhook, { deliveryId: sent.id }, nextAt);
    if (isAccepted(result)) await clearFailure(trx, sent.endpointId);
    else await recordFailure(trx, sent.endpointId, result, { isLast: nextAt === null, now });
  });
}

async function clearFailure(trx: Trx, endpointId: string): Promise<void> {
  await trx
    .updateTable('webhookEndpoints')
    .set({ failingSince: null })
    .where('id', '=', endpointId)
    .where('failingSince', 'is not', null)
    .execute();
}

type FailureContext = { isLast: boolean; now: Date };

/** A single failed call long after the previous one does not disable an endpoint. */
async function recordFailure(
  trx: Trx,
  endpointId: string,
  result: WebhookResult,
  { isLast, now }: FailureContext,
): Promise<void> {
  const disableBefore = new Date(now.getTime() - DISABLED_AFTER_MS);
  const isExhausted = sql<boolean>`(${isLast}::boolean and failing_since <= ${disableBefore})`;
  const endpoint = await trx
    .updateTable('webhookEndpoints')
    .set(({ fn, val, ref }) => ({
      failingSince: fn.coalesce('failingSince', val(now)),
      disabledAt: sql<Date | null>`case when ${isExhausted} then ${now}::timestamptz else ${ref('disabledAt')} end`,
    }))
    .where('id', '=', endpointId)
    .returning(['userId', 'url', 'failingSince', 'disabledAt'])
    .executeTakeFirst();
  if (!endpoint?.disabledAt) return;
  await trx
    .updateTable('webhookDeliveries')
    .set({ nextAt: null, givenUpAt: now })
    .where('endpointId', '=', endpointId)
    .where('nextAt', 'is not', null)
    .execute();
  const { userId, url: address, failingSince } = endpoint;
  const { timeZone } = await findUser(trx, userId);
  const since = formatInMail(failingSince!, timeZone);
  const url = `${env().APP_URL}/api/docs/webhooks`;
  const data = { address, days: DISABLED_AFTER_DAYS, since, last: describeOutcome(result), url };
  const dedupeKey = `webhook-disabled:${endpointId}:${failingSince!.getTime()}`;
  await mailUser(trx, userId, 'webhookDisabled', data, dedupeKey);
  emitEvent('webhook_changed', { userId, webhookId: endpointId, change: 'disabled' }, trx);
}
