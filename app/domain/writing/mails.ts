import type { Db } from '#app/db/client.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import { hasConnection } from '#app/domain/linkedin/connection.ts';
import { countWaiting } from '#app/domain/publishing/slots/waiting-posts.ts';
import { env } from '#app/env.ts';

/**
 * Sends a mail when posts are waiting and LinkedIn is not connected. The key allows one mail, and another when the first
 * is deleted after half a year.
 */
export async function mailConnectLinkedIn(db: Db, userId: string): Promise<void> {
  if (await hasConnection(db, userId)) return;
  const posts = await countWaiting(db, userId);
  if (posts === 0) return;
  const data = { posts, url: `${env().APP_URL}/app/linkedin` };
  await mailUser(db, userId, 'connectLinkedIn', data, `connect-linkedin:${userId}`);
}
