import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { isInactive } from '#app/domain/accounts/predicates.ts';
import { enqueue, enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import type { AddressRules } from '#app/integrations/http/address-guard.ts';
import { type Posted, postWebhook } from '#app/integrations/http/post-webhook.ts';
import { secretsOf } from './endpoints.ts';
import { WEBHOOK_SECONDS } from './limits.ts';
import { recordOutcome, type SentDelivery } from './record-outcome.ts';

/**
 * The header by which a receiver knows that we sent this body: `t=<unix seconds>,v1=<hex>`, of HMAC-SHA256 over
 * "<t>.<body>" by each of the secrets.
 */
export function signatureOf(body: string, secrets: string[], now: Date): string {
  const t = Math.floor(now.getTime() / 1000);
  const macs = secrets.map((secret) => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
  return [`t=${t}`, ...macs.map((mac) => `v1=${mac}`)].join(',');
}

/** Calls that are open at once to one address. */
const AT_ONCE = 4;
/** Longer than one job takes: whose worker was killed is sent to again after that. */
const LEASE_MS = 60_000;
/** What is due for longer has no job that would send it. */
const FORGOTTEN_MS = 60_000;
const BATCH = 500;

type Options = {
  /** For tests: otherwise the clock of the database. */
  now?: Date;
  rules?: Partial<AddressRules>;
};

/**
 * Sends what is due at the address of a delivery, a few at once. One job is at an address at a time, so a slow one keeps
 * no more than one worker; when another job has it, that one goes on. What is left over is for the next job, behind those of
 * other addresses.
 */
export async function sendWebhooks(db: Db, deliveryId: string, { now, rules }: Options = {}): Promise<void> {
  const at = now ?? (await databaseTime(db));
  const endpoint = await lease(db, deliveryId, at);
  if (!endpoint) return;
  try {
    const secrets = secretsOf(endpoint, at);
    const due = await listDue(db, endpoint.id, at, AT_ONCE);
    const sent = due.map((delivery) => sendOne(db, endpoint.url, secrets, delivery, { now, rules }));
    // One after another: where somebody holds the address, they would hold a connection each.
    for (const [index, posted] of (await Promise.all(sent)).entries())
      await recordOutcome(db, due[index]!, posted, now ?? (await databaseTime(db)));
  } finally {
    await release(db, endpoint);
  }
  // What came meanwhile found the address taken, and has no job any more.
  const [next] = await listDue(db, endpoint.id, now ?? (await databaseTime(db)), 1);
  if (next) await enqueue(db, jobs.sendWebhook, { deliveryId: next.id });
}

type Leased = NonNullable<Awaited<ReturnType<typeof lease>>>;

/** The address, when it takes calls and nobody else is at it. */
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

async function release(db: Db, { id, leasedUntil }: Leased): Promise<void> {
  await db
    .updateTable('webhookEndpoints')
    .set({ leasedUntil: null })
    .where('id', '=', id)
    .where('leasedUntil', '=', leasedUntil)
    .execute();
}

const listDue = (db: Db, endpointId: string, now: Date, most: number) =>
  db
    .selectFrom('webhookDeliveries')
    .select(['id', 'endpointId', 'eventId', 'body', 'attempts', 'nextAt'])
    .where('endpointId', '=', endpointId)
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .limit(most)
    .execute();

async function sendOne(
  db: Db,
  url: string,
  secrets: string[],
  sent: SentDelivery,
  { now, rules }: Options,
): Promise<Posted> {
  const signature = signatureOf(sent.body, secrets, now ?? (await databaseTime(db)));
  const limits = { timeoutMs: WEBHOOK_SECONDS * 1000, ...rules };
  return postWebhook(url, sent.body, { 'Tidepost-Signature': signature }, limits);
}

/** Has sent what is due and has no job any more: one of each address, which brings the others. */
export async function resumeWebhooks(db: Db, now: Date): Promise<void> {
  const due = await db
    .selectFrom('webhookDeliveries')
    .innerJoin('webhookEndpoints', 'webhookEndpoints.id', 'endpointId')
    .distinctOn('endpointId')
    .select('webhookDeliveries.id as deliveryId')
    .where('nextAt', '<=', new Date(now.getTime() - FORGOTTEN_MS))
    .where('disabledAt', 'is', null)
    .where(sql<boolean>`(leased_until <= ${now}) is not false`)
    .where(({ not }) => not(isInactive('webhookEndpoints.userId')))
    .orderBy('endpointId')
    .limit(BATCH)
    .execute();
  await enqueueAll(db, jobs.sendWebhook, due);
}
