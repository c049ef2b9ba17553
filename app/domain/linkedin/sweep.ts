import { type Db, transact } from '#app/db/client.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { markConnectionExpired } from './connection.ts';
import { givesAccess } from './predicates.ts';

/** Ends connections whose permission has run out and can't be renewed; their owners are mailed. */
export async function endExpiredConnections(db: Db, now = new Date()): Promise<void> {
  const ended = await db
    .selectFrom('linkedinConnections')
    .select(['userId', 'accessTokenSealed'])
    .where('status', '=', 'alive')
    .where(({ not }) => not(givesAccess('linkedinConnections', now)))
    .execute();
  await forEachSettled(ended, ({ userId, accessTokenSealed }) =>
    transact(db, (trx) => markConnectionExpired(trx, userId, accessTokenSealed)),
  );
}

/** Removes what LinkedIn gave at a sign-in and nobody answered for. */
export async function deleteExpiredOffers(db: Db, now = new Date()): Promise<void> {
  await db.deleteFrom('pendingLinkedinConnections').where('offeredUntil', '<', now).execute();
}
