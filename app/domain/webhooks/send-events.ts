import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { isDatabaseUnavailable, type Trx } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { reportFault } from '#app/domain/platform/operator-alerts.ts';
import { TOLD_A_DAY, type WebhookEvent } from './limits.ts';
import { hasSubscriber } from './predicates.ts';

/** What an operator reads of what could not be told, for a day. */
export const UNTOLD = 'webhooks_untold';

/** `data`: what the API answers for what it happened to. */
export type Happened = { userId: string; data: object };

/**
 * Tells the programs of users what happened to them, in the transaction in which it does, so that nothing is told that did
 * not happen and nothing is lost. For `hasSubscriber` users: whoever has no program for it has nothing written.
 */
export async function sendEvents(trx: Trx, type: WebhookEvent, happened: Happened[]): Promise<void> {
  if (happened.length === 0) return;
  const now = await databaseTime(trx);
  const events = happened.map(({ userId, data }) => {
    const id = randomUUID();
    return { id, userId, body: JSON.stringify({ id, type, createdAt: now.toISOString(), data }) };
  });
  // One that is being removed is not waited for, and one that was told too much today is told nothing more.
  const { rows } = await sql<{ id: string }>`
    insert into webhook_deliveries (endpoint_id, event_id, type, body, next_at, created_at)
    select w.id, given.id, ${type}, given.body, ${now}, ${now}
    from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ userId }) => userId)}::uuid[],
      ${events.map(({ body }) => body)}::text[]) as given (id, user_id, body)
    join webhook_endpoints w on w.user_id = given.user_id
    where w.disabled_at is null and ${type} = any(w.events) and not exists (
      select from webhook_deliveries d where d.endpoint_id = w.id and d.created_at > ${now}::timestamptz - interval '1 day'
      order by d.created_at desc offset ${TOLD_A_DAY - 1} limit 1)
    for key share of w skip locked
    returning id`.execute(trx);
  await enqueueAll(
    trx,
    jobs.sendWebhook,
    rows.map(({ id }) => ({ deliveryId: id })),
  );
}

/**
 * Does what tells programs, or else leaves it: what is told has happened, at LinkedIn too, and is not taken back because it
 * could not be told. The operator reads of it.
 */
export async function orLeave(trx: Trx, type: WebhookEvent, tell: () => Promise<void>): Promise<void> {
  await sql`savepoint telling`.execute(trx);
  try {
    await tell();
    await sql`release savepoint telling`.execute(trx);
  } catch (err) {
    if (isDatabaseUnavailable(err)) throw err;
    await sql`rollback to savepoint telling`.execute(trx);
    await reportFault(trx, UNTOLD, `Programs could not be told of ${type}: ${(err as Error).message}`);
  }
}

/** The same of one user who may have no program: `describe` is asked only when there is one. */
export async function sendEventOf(
  trx: Trx,
  userId: string,
  type: WebhookEvent,
  describe: () => Promise<object>,
): Promise<void> {
  const { rows } = await sql<{ isHeard: boolean }>`
    select ${hasSubscriber('given.id', type)} as "isHeard" from (select ${userId}::uuid as id) given`.execute(
    trx,
  );
  if (!rows[0]?.isHeard) return;
  await orLeave(trx, type, async () => sendEvents(trx, type, [{ userId, data: await describe() }]));
}
