import type { Db } from '#app/db/client.ts';
import { type Access, isNew, living } from '#app/domain/linkedin/connection.ts';
import { RENEW_BEFORE_MS } from '#app/domain/linkedin/predicates.ts';
import { personUrn } from '#app/integrations/linkedin/oauth.ts';
import { openTokens } from './sealed-tokens.ts';

/**
 * As `withAccessToken` for many users, of those whose tokens can be used as they are. Who is missing here is
 * for `withAccessToken`.
 */
export async function lastingAccess(db: Db, userIds: string[], now: Date): Promise<Map<string, Access>> {
  const rows = await living(db, userIds)
    .where('expiresAt', '>', new Date(now.getTime() + RENEW_BEFORE_MS))
    .execute();
  const found = new Map<string, Access>();
  for (const row of rows) {
    const token = readable(row.userId, row);
    if (token === undefined) continue;
    const { accessTokenSealed: tokenSealed } = row;
    found.set(row.userId, {
      token,
      tokenSealed,
      authorUrn: personUrn(row.memberId),
      isFresh: isNew(row, now),
    });
  }
  return found;
}

/** The access token, unless it can't be opened: then `withAccessToken` says why. */
function readable(userId: string, row: Parameters<typeof openTokens>[1]): string | undefined {
  try {
    return openTokens(userId, { ...row, refreshTokenSealed: null }).accessToken;
  } catch {
    return undefined;
  }
}
