import { type Db, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import { SESSIONS_SHOWN } from '#app/domain/accounts/limits.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { adminIdleSince, endSessionsOf } from './sessions.ts';

/**
 * The browsers in which somebody is signed in: the one that asks (`here`), then the one that was used last; of many the
 * latest. Each knows how many there are in all.
 */
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

/** Signs one of the user's browsers out. */
export async function endSessionById(db: Db, { userId }: Actor, sessionId: string): Promise<void> {
  const ended = isId(sessionId)
    ? await db
        .deleteFrom('sessions')
        .where('id', '=', sessionId)
        .where('userId', '=', userId)
        .where('kind', '=', 'web')
        .returning('id')
        .executeTakeFirst()
    : undefined;
  if (!ended) throw notFound('This session');
  emitEvent('session_ended', { userId, why: 'owner' }, db);
}

/** Signs the user out everywhere but here: other browsers, and programs that signed in. Tokens with a name stay. */
export async function endOtherSessions(db: Db, { userId }: Actor, sessionId: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', '<>', sessionId)
    .where('name', 'is', null)
    .execute();
  emitEvent('session_ended', { userId, why: 'everywhere' }, db);
}

/** An admin ends every session and token of somebody. Where there is none, nothing is done and written down. */
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
