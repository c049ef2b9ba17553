import type { Db } from '#app/db/client.ts';
import { after, databaseClock } from '#app/db/clock.ts';

/** What only the operator can mend. Shown to admins until it is cleared; a repeated report keeps its start. */
export async function reportFault(db: Db, key: string, message: string, now = new Date()): Promise<void> {
  await db
    .insertInto('operatorAlerts')
    .values({ key, message, firstSeenAt: now, lastSeenAt: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ message, lastSeenAt: now }))
    .execute();
}

/** What was reported under these keys is mended. */
export async function clearFaults(db: Db, ...keys: string[]): Promise<void> {
  await db.deleteFrom('operatorAlerts').where('key', 'in', keys).execute();
}

/** What begins with `prefix` and was not reported again for so many milliseconds is over. */
export async function clearFaultsUnseen(db: Db, prefix: string, ms: number): Promise<void> {
  await db
    .deleteFrom('operatorAlerts')
    .where('key', 'like', `${prefix}%`)
    .where('lastSeenAt', '<', after(databaseClock, -ms))
    .execute();
}

/** The keys of what is reported now. */
export async function listFaultKeys(db: Db): Promise<string[]> {
  const faults = await db.selectFrom('operatorAlerts').select('key').execute();
  return faults.map(({ key }) => key);
}

/** What only the operator can mend (a key, a quota, a version), newest first. Shown to admins. */
export const listOperatorFaults = (db: Db) =>
  db
    .selectFrom('operatorAlerts')
    .select(['key', 'message', 'firstSeenAt', 'lastSeenAt'])
    .orderBy('lastSeenAt', 'desc')
    .execute();
