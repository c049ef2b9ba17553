import type { Db } from '#app/db/client.ts';
import type { Actor } from './actor.ts';
import { isConnected } from './linkedin/facts.ts';
import { planCovers } from './payments/facts.ts';

/** What every signed-in page shows around its content, in one query. */
export async function getShellState(db: Db, actor: Actor, now = new Date()) {
  if (actor.isAdmin) return { isLinkedInConnected: false, hasActivePlan: false };
  return db
    .selectFrom('users')
    .select([
      isConnected('users.id', now).as('isLinkedInConnected'),
      planCovers('users.id', now).as('hasActivePlan'),
    ])
    .where('users.id', '=', actor.userId)
    .executeTakeFirstOrThrow();
}
