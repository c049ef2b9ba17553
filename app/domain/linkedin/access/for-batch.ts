import type { Db } from '#app/db/client.ts';
import { type Access, isRecent, selectAlive } from '#app/domain/linkedin/connection.ts';
import { RENEW_BEFORE_MS } from '#app/domain/linkedin/predicates.ts';
import { personUrn } from '#app/integrations/linkedin/oauth.ts';
import { openTokens } from './sealed-tokens.ts';

/** As `withAccessToken`, for those of many users whose tokens need no renewal. */
export async function findUsableAccess(db: Db, userIds: string[], now: Date): Promise<Map<string, Access>> {
  const rows = await selectAlive(db, userIds)
    .where('expiresAt', '>', new Date(now.getTime() + RENEW_BEFORE_MS))
    .execute();
  const byUser = new Map<string, Access>();
  for (const row of rows) {
    const token = decryptToken(row.userId, row);
    if (token === undefined) continue;
    const { accessTokenSealed: tokenSealed } = row;
    byUser.set(row.userId, {
      token,
      tokenSealed,
      authorUrn: personUrn(row.memberId),
      isFresh: isRecent(row, now),
    });
  }
  return byUser;
}

/** Undefined when the token can't be decrypted; `withAccessToken` reports the reason. */
function decryptToken(userId: string, row: Parameters<typeof openTokens>[1]): string | undefined {
  try {
    return openTokens(userId, { ...row, refreshTokenSealed: null }).accessToken;
  } catch {
    return undefined;
  }
}
