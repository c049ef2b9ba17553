import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { isInactive } from '#app/domain/accounts/predicates.ts';
import { enqueue, enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import type { AddressRules } from '#app/integrations/http/address-guard.ts';
import { postWebhook, type WebhookResult } from '#app/integrations/http/post-webhook.ts';
import { secretsOf } from './endpoints.ts';
import { WEBHOOK_SECONDS } from './limits.ts';
import { recordOutcome, type SentDelivery } from './record-outcome.ts';

/** The signature header: `t=<unix seconds>,v1=<hex>`, one v1 for each secret, with the HMAC-SHA256 of "<t>.<body>". */
export function signatureOf(body: string, secrets: string[], now: Date): string {
  const t = Math.floor(now.getTime() / 1000);
  const macs = secrets.map((secret) => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
  return [`t=${t}`, ...macs.map((mac) => `v1=${mac}`)].join(',');
}

const CONCURRENCY = 4;
/** Longer than a job takes. After a killed worker the endpoint is free again after this time. */
const LEASE_MS = 60_000;
const ORPHANED_MS = 60_000;
const BATCH = 500;

type Options = {
  now?: Date;
  rules?: Partial<AddressRules>;
};

/**
 * Sends due deliveries of the endpoint, a few concurrently. A lease allows one job for an endpoint at a time, so that
 * a slow URL occupies one worker; a second job returns immediately. What remains gets a new job, behind those of
 * other endpoints.
 */
export async function sendWebhooks(db: Db, deliveryId: string, { now, rules }: Options = {}): Promise<void> {
  const at = now ?? (await databaseTime(db));
  const endpoint = await lease(db, deliveryId, at);
  if (!endpoint) return;
  try {
    const secrets = secretsOf(endpoint, at);
    const due = await listDue(db, endpoint.id, at, CONCURRENCY);
    const delivery = due.map((delivery) => sendOne(db, endpoint.url, secrets, delivery, { now, rules }));
    // Sequential, because concurrent transactions that wait for the same endpoint would hold a connection each.
    for (const [index, result] of (await Promise.all(delivery)).entries())
      await recordOutcome(db, due[index]!, result, now ?? (await databaseTime(db)));
  } finally {
    await release(db, endpoint);
  }
  // Jobs that were added meanwhile found the endpoint leased and ended.
  const [next] = await listDue(db, endpoint.id, now ?? (await databaseTime(db)), 1);
  if (next) await enqueue(db, jobs.sendWebhook, { deliveryId: next.id });
}

type LeasedEndpoint = NonNullable<Awaited<ReturnType<typeof lease>>>;

/** Leases an enabled endpoint; undefined when another job has it. */
const lease = (db: Db, deliveryId: string, now: Date) =>
  db
    .updateTable('webhookEndpoints')
    .set({ leasedUntil: new Date(now.getTime() + LEASE_MS) })
    .where('id', '=', (eb) =>
      eb.selectFrom('webhookDeliveries').select('endpointId').where('id', '=', deliveryId),
    )
    .where(({ or, eb }) => or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<=', now)]))
    .where('disabledAt', 'is', null)
    .where(({ not }) => not(isInactive('webhookEndpoints.userId')))
    .returning(['id', 'url', 'secretSealed', 'previousSealed', 'previousUntil', 'leasedUntil'])
    .executeTakeFirst();

async function release(db: Db, { id, leasedUntil }: LeasedEndpoint): Promise<void> {
  await db
    .updateTable('webhookEndpoints')
    .set({ leasedUntil: null })
    .where('id', '=', id)
    .where('leasedUntil', '=', leasedUntil)
    .execute();
}

const listDue = (db: Db, endpointId: string, now: Date, limit: number) =>
  db
    .selectFrom('webhookDeliveries')
    .select(['id', 'endpointId', 'eventId', 'body', 'attempts', 'nextAt'])
    .where('endpointId', '=', endpointId)
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .limit(limit)
    .execute();

async function sendOne(
  db: Db,
  url: string,
  secrets: string[],
  delivery: SentDelivery,
  { now, rules }: Options,
): Promise<WebhookResult> {
  const signature = signatureOf(delivery.body, secrets, now ?? (await databaseTime(db)));
  const limits = { timeoutMs: WEBHOOK_SECONDS * 1000, ...rules };
  return postWebhook(url, delivery.body, { 'Tidepost-Signature': signature }, limits);
}

export async function resumeWebhooks(db: Db, now: Date): Promise<void> {
  const due = await db
    .selectFrom('webhookDeliveries')
    .innerJoin('webhookEndpoints', 'webhookEndpoints.id', 'endpointId')
    .distinctOn('endpointId')
    .select('webhookDeliveries.id as deliveryId')
    .where('nextAt', '<=', new Date(now.getTime() - ORPHANED_MS))
    .where('disabledAt', 'is', null)
    .where(sql<boolean>`(leased_until <= ${now}) is not false`)
    .where(({ not }) => not(isInactive('webhookEndpoints.userId')))
    .orderBy('endpointId')
    .limit(BATCH)
    .execute();
  await enqueueAll(db, jobs.sendWebhook, due);
}
