import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { databaseClock } from '#app/db/clock.ts';
import { listAdmins } from '#app/domain/accounts/admins.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { deliverOverdueMails } from '#app/domain/email/send.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { env } from '#app/env.ts';

/** A worker ticks each minute: two that are missing are a deploy, three are a stop. */
const STOPPED_AFTER_MS = 3 * 60_000;

/** A lane that sends mails does so within moments: what waits for longer, nobody is there to send. */
const MAILED_WITHIN_MS = 60_000;

/** `server`, `epoch`: of which database, as it was last released. */
export type Heartbeat = { tickedAt: Date | null; isTicking: boolean; server: string; epoch: string };

/** When a worker last ticked, and whether that is as it should be. */
export async function findHeartbeat(db: Db): Promise<Heartbeat> {
  const age = sql<number>`extract(epoch from ${databaseClock} - ticked_at)::float8 * 1000`;
  const { ms, ...beat } = await db
    .selectFrom('publishingEpoch')
    .select(['server', 'epoch', 'tickedAt', age.as('ms')])
    .executeTakeFirstOrThrow();
  return { ...beat, isTicking: beat.tickedAt !== null && ms < STOPPED_AFTER_MS };
}

/** Since when no worker has ticked that did once; null when it ticks, or never has. */
export async function findStop(db: Db): Promise<Date | null> {
  const { tickedAt, isTicking } = await findHeartbeat(db);
  return isTicking ? null : tickedAt;
}

/**
 * For a process that lives when the worker does not: tells each admin once of each stop. The mail is for the worker to
 * send; when it lies, it is sent from here.
 */
export async function watchHeartbeat(db: Db): Promise<void> {
  const stop = await findStop(db);
  if (!stop) return;
  const data = { since: formatInstant(stop, 'UTC'), url: new URL('/app/admin', env().APP_URL).href };
  for (const { id, email } of await listAdmins(db)) {
    const key = `worker-stopped:${id}:${stop.getTime()}`;
    await queueMail(db, { address: email, userId: id }, 'workerStopped', data, key);
  }
  await deliverOverdueMails(db, 'workerStopped', MAILED_WITHIN_MS);
}
