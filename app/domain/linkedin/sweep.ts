import { type Db, transact } from '#app/db/client.ts';
import { eachAlone } from '#app/domain/each-alone.ts';
import { markConnectionExpired } from './connection.ts';
import { givesAccess } from './facts.ts';

const DAY_MS = 86_400_000;

/** Ends connections whose permission has run out and can't be renewed; their owners are mailed. */
export async function endExpiredConnections(db: Db, now = new Date()): Promise<void> {
  const ended = await db
    .selectFrom('linkedinConnections')
    .select(['userId', 'accessTokenSealed'])
    .where('status', '=', 'alive')
    .where(({ not }) => not(givesAccess('linkedinConnections', now)))
    .execute();
  await eachAlone(ended, ({ userId, accessTokenSealed }) =>
    transact(db, (trx) => markConnectionExpired(trx, userId, accessTokenSealed)),
  );
}

/** Removes the states of connections that were begun long ago. */
export async function forgetStates(db: Db, now = new Date()): Promise<void> {
  const yesterday = new Date(now.getTime() - DAY_MS);
  await db.deleteFrom('oauthStates').where('expiresAt', '<', yesterday).execute();
}
