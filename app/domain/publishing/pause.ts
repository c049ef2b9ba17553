import type { Db } from '#app/db/client.ts';
import { reportAppLimit } from './faults.ts';

/** Until when publishing is stopped for everybody, or undefined. */
export async function findPause(db: Db, now: Date): Promise<Date | undefined> {
  const row = await db.selectFrom('publishingSwitch').select('pausedUntil').executeTakeFirst();
  return row?.pausedUntil && row.pausedUntil > now ? row.pausedUntil : undefined;
}

/** Stops publishing for everybody: LinkedIn's daily limit of the whole app. Admins are told. */
export async function pausePublishing(db: Db, until: Date, reason: string, now: Date): Promise<void> {
  await db.updateTable('publishingSwitch').set({ pausedUntil: until, reason }).execute();
  await reportAppLimit(db, reason, now);
}

/** LinkedIn's daily limits start anew at 00:00 UTC. */
export function nextUtcMidnight(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}
