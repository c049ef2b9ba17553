import { type Db, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import { SESSIONS_SHOWN } from '#app/domain/accounts/limits.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { findOrRefuse } from '#app/domain/platform/paging.ts';
import { adminIdleSince, endSessionsOf } from './sessions.ts';

/** Browser sessions, the current one (`here`) first, then by last use. `total` counts all of them. */
export const listSessions = (
  db: Db,
  { userId, isAdmin }: Actor,
  now = databaseNow(),
  here: string | null = null,
) =>
  db
    .selectFrom('sessions')
    .select(['id', 'device', 'ipPrefix', 'createdAt', 'lastSeenAt'])
    .select((eb) => eb.fn.countAll<string>().over().as('total'))
    .where('userId', '=', userId)
    .where('kind', '=', 'web')
    .where('expiresAt', '>', now)
    .$if(isAdmin, (query) => query.where('lastSeenAt', '>=', adminIdleSince(now)))
    .orderBy((eb) => eb('id', '=', here), 'desc')
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id')
    .limit(SESSIONS_SHOWN)
    .execute();

export async function endSessionById(db: Db, { userId }: Actor, sessionId: string): Promise<void> {
  await findOrRefuse('This session', sessionId, () =>
    db
      .deleteFrom('sessions')
      .where('id', '=', sessionId)
      .where('userId', '=', userId)
      .where('kind', '=', 'web')
      .returning('id')
      .executeTakeFirst(),
  );
  emitEvent('session_ended', { userId, why: 'owner' }, db);
}

/** Ends all other browser sessions and sessions of programs. Named tokens stay. */
export async function endOtherSessions(db: Db, { userId }: Actor, sessionId: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', '<>', sessionId)
    .where('name', 'is', null)
    .execute();
  emitEvent('session_ended', { userId, why: 'everywhere' }, db);
}

/** Ends all sessions and tokens of a user for an admin. Without any, nothing is logged. */
export async function endSessionsFor(
  db: Db,
  admin: Actor,
  userId: string,
  now = databaseNow(),
): Promise<void> {
  await transact(db, async (trx) => {
    if (!(await endSessionsOf(trx, userId, 'admin'))) return;
    const entry = { action: 'sessions.ended', subjectId: userId, detail: {} };
    await recordAdminAction(trx, admin, entry, now);
  });
}
