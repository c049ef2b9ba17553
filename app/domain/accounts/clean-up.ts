import type { Db } from '#app/db/client.ts';

const DAY_MS = 86_400_000;

/** Removes what has served its time: ended sessions, old sign-up attempts and resets, past limits. */
export async function cleanUp(db: Db, now = new Date()): Promise<void> {
  const yesterday = new Date(now.getTime() - DAY_MS);
  await db.deleteFrom('sessions').where('expiresAt', '<', now).execute();
  await db.deleteFrom('signUps').where('createdAt', '<', yesterday).execute();
  await db.deleteFrom('passwordResets').where('createdAt', '<', yesterday).execute();
  await db.deleteFrom('codeRequests').where('askedAt', '<', yesterday).execute();
  await db.deleteFrom('rateLimits').where('expire', '<', String(now.getTime())).execute();
}
