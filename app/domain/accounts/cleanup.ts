import type { Db } from '#app/db/client.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';

const DAY_MS = 86_400_000;
/** So long after the last few wrong codes nobody goes on guessing. */
const GUESSES_DAYS = 30;

/** Removes what has served its time: sessions, sign-ups, resets, changes of address, journeys to providers, proofs, limits. */
export async function cleanUp(db: Db, now = databaseNow()): Promise<void> {
  const yesterday = new Date(now.getTime() - DAY_MS);
  const over = await db.deleteFrom('sessions').where('expiresAt', '<', now).returning('userId').execute();
  for (const { userId } of over) emitEvent('session_ended', { userId, why: 'expired' }, db);
  await db.deleteFrom('signUps').where('createdAt', '<', yesterday).execute();
  await db.deleteFrom('passwordResets').where('createdAt', '<', yesterday).execute();
  await db.deleteFrom('emailChanges').where('createdAt', '<', yesterday).execute();
  await db
    .deleteFrom('reauthAttempts')
    .where('countedFrom', '<', yesterday)
    .where((eb) => eb.or([eb('codeExpiresAt', 'is', null), eb('codeExpiresAt', '<', now)]))
    .execute();
  await db.deleteFrom('codeRequests').where('requestedAt', '<', yesterday).execute();
  await db.deleteFrom('oauthStates').where('expiresAt', '<', yesterday).execute();
  await db.deleteFrom('exchangeCodes').where('expiresAt', '<', now).execute();
  await db.deleteFrom('pendingIdentities').where('expiresAt', '<', now).execute();
  await db
    .deleteFrom('authenticatorApps')
    .where('confirmedAt', 'is', null)
    .where('createdAt', '<', yesterday)
    .execute();
  const longAgo = new Date(now.getTime() - GUESSES_DAYS * DAY_MS);
  await db.deleteFrom('twoFactorAttempts').where('since', '<', longAgo).execute();
  await db.deleteFrom('passkeyChallenges').where('createdAt', '<', yesterday).execute();
  await db.deleteFrom('rateLimits').where('expire', '<', String(now.getTime())).execute();
}
