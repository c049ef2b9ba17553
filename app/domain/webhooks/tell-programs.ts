import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Trx } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { enqueueAll, jobs } from '#app/domain/jobs.ts';
import { isHeard } from './facts.ts';
import type { WebhookEvent } from './limits.ts';

/** `data`: what the API answers for what it happened to. */
export type Happened = { userId: string; data: object };

/**
 * Tells the programs of users what happened to them, in the transaction in which it does, so that nothing is told that did
 * not happen and nothing is lost. For `isHeard` users: whoever has no program for it has nothing written.
 */
export async function tellPrograms(trx: Trx, type: WebhookEvent, happened: Happened[]): Promise<void> {
  if (happened.length === 0) return;
  const now = await databaseTime(trx);
  const events = happened.map(({ userId, data }) => {
    const id = randomUUID();
    return { id, userId, body: JSON.stringify({ id, type, createdAt: now.toISOString(), data }) };
  });
  // One that is removed at this moment is waited for: a delivery to it could not be written.
  const { rows } = await sql<{ id: string }>`
    insert into webhook_deliveries (endpoint_id, event_id, type, body, next_at, created_at)
    select w.id, given.id, ${type}, given.body, ${now}, ${now}
    from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ userId }) => userId)}::uuid[],
      ${events.map(({ body }) => body)}::text[]) as given (id, user_id, body)
    join webhook_endpoints w on w.user_id = given.user_id
    where w.disabled_at is null and ${type} = any(w.events)
    for key share of w
    returning id`.execute(trx);
  await enqueueAll(
    trx,
    jobs.sendWebhook,
    rows.map(({ id }) => ({ deliveryId: id })),
  );
}

/** The same of one user who may have no program: `describe` is asked only when there is one. */
export async function tellProgramsOf(
  trx: Trx,
  userId: string,
  type: WebhookEvent,
  describe: () => Promise<object>,
): Promise<void> {
  const { rows } = await sql<{ isHeard: boolean }>`
    select ${isHeard('given.id', type)} as "isHeard" from (select ${userId}::uuid as id) given`.execute(trx);
  if (rows[0]?.isHeard) await tellPrograms(trx, type, [{ userId, data: await describe() }]);
}
