import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
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

/** A delivery as it was sent. */
export type SentDelivery = {
  id: string;
  endpointId: string;
  eventId: string;
  body: string;
  attempts: number;
  nextAt: Date | null;
};

const isTaken = ({ status }: WebhookResult) => status !== null && status >= 200 && status < 300;

/** What a call came to, in a sentence. */
const inWords = (posted: WebhookResult) => posted.error ?? `It answered with the status ${posted.status}`;

/** When it is sent the next time, after so many tries; null when it is given up. */
function nextTry(tries: number, now: Date): Date | null {
  const minutes = RETRY_MINUTES[tries - 1];
  return minutes === undefined ? null : new Date(now.getTime() + minutes * MINUTE_MS);
}

/**
 * Writes down what a call came to, and what follows for its address. Of what was sent again by hand meanwhile nothing is
 * written: it is sent once more.
 */
export async function recordOutcome(
  db: Db,
  sent: SentDelivery,
  posted: WebhookResult,
  now: Date,
): Promise<void> {
  await transact(db, async (trx) => {
    await lockWebhook(trx, sent.endpointId);
    const nextAt = isTaken(posted) ? null : nextTry(sent.attempts + 1, now);
    const { numUpdatedRows } = await trx
      .updateTable('webhookDeliveries')
      .set({
        attempts: sent.attempts + 1,
        lastAt: now,
        nextAt,
        lastStatus: posted.status,
        lastAnswer: posted.answer,
        lastError: posted.error,
        deliveredAt: isTaken(posted) ? now : null,
        givenUpAt: isTaken(posted) || nextAt ? null : now,
      })
      .where('id', '=', sent.id)
      .where('attempts', '=', sent.attempts)
      .where('nextAt', '=', sent.nextAt)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    if (nextAt) await enqueue(trx, jobs.sendWebhook, { deliveryId: sent.id }, nextAt);
    if (isTaken(posted)) await endFailing(trx, sent.endpointId);
    else await recordFailure(trx, sent.endpointId, posted, { isLast: nextAt === null, now });
  });
}

async function endFailing(trx: Trx, endpointId: string): Promise<void> {
  await trx
    .updateTable('webhookEndpoints')
    .set({ failingSince: null })
    .where('id', '=', endpointId)
    .where('failingSince', 'is not', null)
    .execute();
}

type Failed = { isLast: boolean; now: Date };

/**
 * Notes the first failure of a row, and ends it all when that is too long ago and something was tried as often as it is: one
 * failed call alone, long after the one before, ends nothing.
 */
async function recordFailure(
  trx: Trx,
  endpointId: string,
  posted: WebhookResult,
  { isLast, now }: Failed,
): Promise<void> {
  const longAgo = new Date(now.getTime() - DISABLED_AFTER_MS);
  const isOver = sql<boolean>`(${isLast}::boolean and failing_since <= ${longAgo})`;
  const endpoint = await trx
    .updateTable('webhookEndpoints')
    .set(({ fn, val, ref }) => ({
      failingSince: fn.coalesce('failingSince', val(now)),
      disabledAt: sql<Date | null>`case when ${isOver} then ${now}::timestamptz else ${ref('disabledAt')} end`,
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
  const told = { address, days: DISABLED_AFTER_DAYS, since, last: inWords(posted), url };
  const key = `webhook-disabled:${endpointId}:${failingSince!.getTime()}`;
  await mailUser(trx, userId, 'webhookDisabled', told, key);
  emitEvent('webhook_changed', { userId, webhookId: endpointId, change: 'disabled' }, trx);
}
