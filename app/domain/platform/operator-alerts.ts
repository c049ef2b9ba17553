import type { Db } from '#app/db/client.ts';
import { after, databaseClock } from '#app/db/clock.ts';

/** Alerts admins about something that only an operator can fix. A repeated report keeps `firstSeenAt`. */
export async function reportFault(db: Db, key: string, message: string, now = new Date()): Promise<void> {
  await db
    .insertInto('operatorAlerts')
    .values({ key, message, firstSeenAt: now, lastSeenAt: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ message, lastSeenAt: now }))
    .execute();
}

export async function clearFaults(db: Db, ...keys: string[]): Promise<void> {
  await db.deleteFrom('operatorAlerts').where('key', 'in', keys).execute();
}

/** Clears alerts whose key begins with `prefix` and that were not reported for `ms` milliseconds. */
export async function clearFaultsUnseen(db: Db, prefix: string, ms: number): Promise<void> {
  await db
    .deleteFrom('operatorAlerts')
    .where('key', 'like', `${prefix}%`)
    .where('lastSeenAt', '<', after(databaseClock, -ms))
    .execute();
}

export async function listFaultKeys(db: Db): Promise<string[]> {
  const faults = await db.selectFrom('operatorAlerts').select('key').execute();
  return faults.map(({ key }) => key);
}

export const listOperatorFaults = (db: Db) =>
  db
    .selectFrom('operatorAlerts')
    .select(['key', 'message', 'firstSeenAt', 'lastSeenAt'])
    .orderBy('lastSeenAt', 'desc')
    .execute();
