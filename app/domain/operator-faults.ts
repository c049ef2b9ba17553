import type { Db } from '#app/db/client.ts';

/** What only the operator can mend. Shown to admins until it is cleared; a repeated report keeps its start. */
export async function reportFault(db: Db, key: string, message: string, now = new Date()): Promise<void> {
  await db
    .insertInto('operatorFaults')
    .values({ key, message, firstSeenAt: now, lastSeenAt: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ message, lastSeenAt: now }))
    .execute();
}

export async function clearFault(db: Db, key: string): Promise<void> {
  await db.deleteFrom('operatorFaults').where('key', '=', key).execute();
}

/** What only the operator can mend (a key, a quota, a version), newest first. Shown to admins. */
export const listOperatorFaults = (db: Db) =>
  db
    .selectFrom('operatorFaults')
    .select(['key', 'message', 'firstSeenAt', 'lastSeenAt'])
    .orderBy('lastSeenAt', 'desc')
    .execute();
