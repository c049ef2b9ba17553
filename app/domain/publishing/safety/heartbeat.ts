import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { databaseClock } from '#app/db/clock.ts';
import { listAdmins } from '#app/domain/accounts/admins.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { deliverOverdueMails } from '#app/domain/email/send.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { env } from '#app/env.ts';

/** A worker ticks each minute, and a deploy may skip two ticks. */
const STOPPED_AFTER_MS = 3 * 60_000;

/** A mail that waits for longer is not sent by a worker. */
const MAIL_WAIT_MS = 60_000;

/** `server` and `epoch` identify the database since its last release. */
export type Heartbeat = { tickedAt: Date | null; isTicking: boolean; server: string; epoch: string };

export async function findHeartbeat(db: Db): Promise<Heartbeat> {
  const age = sql<number>`extract(epoch from ${databaseClock} - ticked_at)::float8 * 1000`;
  const { ms, ...beat } = await db
    .selectFrom('publishingEpoch')
    .select(['server', 'epoch', 'tickedAt', age.as('ms')])
    .executeTakeFirstOrThrow();
  return { ...beat, isTicking: beat.tickedAt !== null && ms < STOPPED_AFTER_MS };
}

/** Returns when the worker last ticked if it has stopped, or null when it ticks or never has. */
export async function findStoppedSince(db: Db): Promise<Date | null> {
  const { tickedAt, isTicking } = await findHeartbeat(db);
  return isTicking ? null : tickedAt;
}

/**
 * Mails each admin once when the worker has stopped. Runs in the web process, which sends the mail itself when it stays in
 * the queue.
 */
export async function watchHeartbeat(db: Db): Promise<void> {
  const stop = await findStoppedSince(db);
  if (!stop) return;
  const data = { since: formatInstant(stop, 'UTC'), url: new URL('/app/admin', env().APP_URL).href };
  for (const { id, email } of await listAdmins(db)) {
    const key = `worker-stopped:${id}:${stop.getTime()}`;
    await queueMail(db, { address: email, userId: id }, 'workerStopped', data, key);
  }
  await deliverOverdueMails(db, 'workerStopped', MAIL_WAIT_MS);
}
