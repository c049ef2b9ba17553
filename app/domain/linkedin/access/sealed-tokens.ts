import type { Db } from '#app/db/client.ts';
import { isSealedBefore, open, type Resealed, resealEach, seal } from '#app/domain/platform/secrets.ts';

type Plain = { accessToken: string; refreshToken: string | null };
type Sealed = { accessTokenSealed: string; refreshTokenSealed: string | null };

type Table = 'linkedin_connections' | 'pending_linkedin_connections';

const access = (userId: string, table: Table) => `${table}.access_token_sealed:${userId}`;
const refresh = (userId: string, table: Table) => `${table}.refresh_token_sealed:${userId}`;

/** The tokens of one user as they are stored: bound to the user, the table and their column. */
export const sealTokens = (
  userId: string,
  { accessToken, refreshToken }: Plain,
  table: Table = 'linkedin_connections',
): Sealed => ({
  accessTokenSealed: seal(accessToken, access(userId, table)),
  refreshTokenSealed: refreshToken === null ? null : seal(refreshToken, refresh(userId, table)),
});

export const openTokens = (
  userId: string,
  { accessTokenSealed, refreshTokenSealed }: Sealed,
  table: Table = 'linkedin_connections',
): Plain => ({
  accessToken: open(accessTokenSealed, access(userId, table)),
  refreshToken: refreshTokenSealed === null ? null : open(refreshTokenSealed, refresh(userId, table)),
});

/** Seals what connections keep with the key that writes now. */
export async function resealConnections(db: Db): Promise<Resealed> {
  const rows = await db
    .selectFrom('linkedinConnections')
    .select(['userId', 'accessTokenSealed', 'refreshTokenSealed'])
    .where(({ eb, ref }) =>
      eb.or([isSealedBefore(ref('accessTokenSealed')), isSealedBefore(ref('refreshTokenSealed'))]),
    )
    .execute();
  return resealEach(
    rows,
    (row) => sealTokens(row.userId, openTokens(row.userId, row)),
    ({ userId, accessTokenSealed }, fresh) =>
      db
        .updateTable('linkedinConnections')
        .set(fresh)
        .where('userId', '=', userId)
        .where('accessTokenSealed', '=', accessTokenSealed)
        .execute(),
  );
}
