import type { Db } from '#app/db/client.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';

const DAY_MS = 86_400_000;
/** Counted attempts expire after this: guessing has stopped. */
const ATTEMPTS_DAYS = 30;

/** Deletes expired sessions, sign-ups, resets, changes of address, OAuth flows, codes and rate limits. */
export async function cleanUp(db: Db, now = databaseNow()): Promise<void> {
  const yesterday = new Date(now.getTime() - DAY_MS);
  const expired = await db.deleteFrom('sessions').where('expiresAt', '<', now).returning('userId').execute();
  for (const { userId } of expired) emitEvent('session_ended', { userId, why: 'expired' }, db);
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
  const attemptsBefore = new Date(now.getTime() - ATTEMPTS_DAYS * DAY_MS);
  await db.deleteFrom('twoFactorAttempts').where('since', '<', attemptsBefore).execute();
  await db.deleteFrom('passkeyChallenges').where('createdAt', '<', yesterday).execute();
  await db.deleteFrom('rateLimits').where('expire', '<', String(now.getTime())).execute();
}
