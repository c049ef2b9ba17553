import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { clearFaults } from '#app/domain/platform/operator-alerts.ts';
import {
  findOrRefuse,
  isAfterCursor,
  type Page,
  type PageQuery,
  toPage,
} from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findWebhook, lockWebhook, type Webhook } from './endpoints.ts';
import { DELIVERY_DAYS } from './limits.ts';
import { UNSENT_FAULT } from './send-events.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 5_000;

const COLUMNS = [
  'id',
  'eventId',
  'type',
  'body',
  'attempts',
  'nextAt',
  'deliveredAt',
  'givenUpAt',
  'lastAt',
  'lastStatus',
  'lastAnswer',
  'lastError',
  'createdAt',
] as const;

export type WebhookDelivery = Awaited<ReturnType<typeof listDeliveries>>['rows'][number];

export async function listDeliveries(db: Db, actor: Actor, webhookId: string, query: PageQuery) {
  const webhook = await findWebhook(db, actor, webhookId);
  return { webhook, ...(await listPage(db, webhook, query)) };
}

async function listPage(db: Db, { id }: Webhook, { cursor, limit }: PageQuery) {
  const rows = await db
    .selectFrom('webhookDeliveries')
    .select(COLUMNS)
    .where('endpointId', '=', id)
    .where(isAfterCursor(cursor, 'createdAt'))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit, (row) => ({ at: row.createdAt, id: row.id })) satisfies Page<object>;
}

/** Sends a delivery again with the same event id, and with all its attempts. */
export async function resendDelivery(
  db: Db,
  actor: Actor,
  webhookId: string,
  deliveryId: string,
  now = databaseNow(),
): Promise<WebhookDelivery> {
  return transact(db, async (trx) => {
    await findWebhook(trx, actor, webhookId);
    const webhook = await lockWebhook(trx, webhookId);
    if (webhook?.disabledAt)
      throw new Refusal(
        409,
        'webhook_disabled',
        'This webhook is disabled. Enable it first, then send again',
      );
    const delivery = await findOrRefuse('This delivery', deliveryId, () =>
      trx
        .updateTable('webhookDeliveries')
        .set({ attempts: 0, nextAt: now, deliveredAt: null, givenUpAt: null })
        .where('id', '=', deliveryId)
        .where('endpointId', '=', webhookId)
        .returning(COLUMNS)
        .executeTakeFirst(),
    );
    await enqueue(trx, jobs.sendWebhook, { deliveryId }, now);
    return delivery;
  });
}

/** Deletes old deliveries, and clears yesterday's alert about unsent events. */
export async function deleteOldDeliveries(db: Db, now: Date): Promise<void> {
  await clearFaults(db, UNSENT_FAULT);
  const before = new Date(now.getTime() - DELIVERY_DAYS * DAY_MS);
  await repeatUntilFewer(BATCH_SIZE, () =>
    sql`delete from webhook_deliveries where id in (
      select id from webhook_deliveries where created_at < ${before}
      order by created_at limit ${BATCH_SIZE} for update skip locked)`.execute(db),
  );
}
