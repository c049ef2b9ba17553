import type { Db } from '#app/db/client.ts';
import { isSealedBefore, open, type Resealed, resealEach, seal } from '#app/domain/platform/secrets.ts';

type Plain = { accessToken: string; refreshToken: string | null };
type Sealed = { accessTokenSealed: string; refreshTokenSealed: string | null };

type Table = 'linkedin_connections' | 'pending_linkedin_connections';

const accessContext = (userId: string, table: Table) => `${table}.access_token_sealed:${userId}`;
const refreshContext = (userId: string, table: Table) => `${table}.refresh_token_sealed:${userId}`;

export const sealTokens = (
  userId: string,
  { accessToken, refreshToken }: Plain,
  table: Table = 'linkedin_connections',
): Sealed => ({
  accessTokenSealed: seal(accessToken, accessContext(userId, table)),
  refreshTokenSealed: refreshToken === null ? null : seal(refreshToken, refreshContext(userId, table)),
});

export const openTokens = (
  userId: string,
  { accessTokenSealed, refreshTokenSealed }: Sealed,
  table: Table = 'linkedin_connections',
): Plain => ({
  accessToken: open(accessTokenSealed, accessContext(userId, table)),
  refreshToken: refreshTokenSealed === null ? null : open(refreshTokenSealed, refreshContext(userId, table)),
});

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
    ({ userId, accessTokenSealed }, sealed) =>
      db
        .updateTable('linkedinConnections')
        .set(sealed)
        .where('userId', '=', userId)
        .where('accessTokenSealed', '=', accessTokenSealed)
        .execute(),
  );
}
