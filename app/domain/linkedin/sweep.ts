import { type Db, transact } from '#app/db/client.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { markConnectionExpired } from './connection.ts';
import { givesAccess } from './predicates.ts';

export async function endExpiredConnections(db: Db, now = new Date()): Promise<void> {
  const expired = await db
    .selectFrom('linkedinConnections')
    .select(['userId', 'accessTokenSealed'])
    .where('status', '=', 'alive')
    .where(({ not }) => not(givesAccess('linkedinConnections', now)))
    .execute();
  await forEachSettled(expired, ({ userId, accessTokenSealed }) =>
    transact(db, (trx) => markConnectionExpired(trx, userId, accessTokenSealed)),
  );
}

export async function deleteExpiredPendingConnections(db: Db, now = new Date()): Promise<void> {
  await db.deleteFrom('pendingLinkedinConnections').where('offeredUntil', '<', now).execute();
}
