import type { Db } from '#app/db/client.ts';

/** What only the operator can mend (a key, a quota, a version), newest first. Shown to admins. */
export const listOperatorFaults = (db: Db) =>
  db
    .selectFrom('operatorFaults')
    .select(['key', 'message', 'firstSeenAt', 'lastSeenAt'])
    .orderBy('lastSeenAt', 'desc')
    .execute();
