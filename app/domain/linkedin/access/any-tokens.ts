import type { Db } from '#app/db/client.ts';
import { openTokens } from './sealed-tokens.ts';

const TOKENS_MAX = 3;
const REMAINING_MS = 10 * 60_000;

/** Tokens of some members, newest first, for calls that are not about a member. */
export async function listAccessTokens(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('linkedinConnections')
    .select(['userId', 'accessTokenSealed', 'refreshTokenSealed'])
    .where('status', '=', 'alive')
    .where('expiresAt', '>', new Date(now.getTime() + REMAINING_MS))
    .orderBy('connectedAt', 'desc')
    .limit(TOKENS_MAX)
    .execute();
  return rows.flatMap((row) => {
    try {
      return [openTokens(row.userId, row).accessToken];
    } catch {
      // A missing key is reported where this user's token is needed.
      return [];
    }
  });
}
