import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';

/** What every signed-in page shows around its content, in one query. */
export async function getShellState(db: Db, actor: Actor, now = new Date()) {
  if (actor.isAdmin) return { isLinkedInConnected: false, hasActivePlan: false };
  const row = await db
    .selectNoFrom((eb) => [
      eb
        .exists(
          eb
            .selectFrom('linkedinConnections')
            .select('userId')
            .where('userId', '=', actor.userId)
            .where('status', '=', 'alive')
            .where(({ or, eb }) => or([eb('expiresAt', '>', now), eb('refreshTokenSealed', 'is not', null)])),
        )
        .as('isLinkedInConnected'),
      eb
        .exists(
          eb
            .selectFrom('payments')
            .select('id')
            .where('userId', '=', actor.userId)
            .where('status', '=', 'active')
            .where('startsAt', '<=', now)
            .where('endsAt', '>', now),
        )
        .as('hasActivePlan'),
    ])
    .executeTakeFirstOrThrow();
  return { isLinkedInConnected: Boolean(row.isLinkedInConnected), hasActivePlan: Boolean(row.hasActivePlan) };
}
