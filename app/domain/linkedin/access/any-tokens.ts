import type { Db } from '#app/db/client.ts';
import { openTokens } from './sealed-tokens.ts';

const MOST = 3;
const LEFT_MS = 10 * 60_000;

/** Access tokens of some members, newest first, for questions that are about no member. */
export async function listAnyTokens(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('linkedinConnections')
    .select(['userId', 'accessTokenSealed', 'refreshTokenSealed'])
    .where('status', '=', 'alive')
    .where('expiresAt', '>', new Date(now.getTime() + LEFT_MS))
    .orderBy('connectedAt', 'desc')
    .limit(MOST)
    .execute();
  return rows.flatMap((row) => {
    try {
      return [openTokens(row.userId, row).accessToken];
    } catch {
      // A key that is gone is reported where the token is needed.
      return [];
    }
  });
}
