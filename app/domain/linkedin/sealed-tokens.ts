import { open, seal } from '#app/domain/secrets.ts';

type Plain = { accessToken: string; refreshToken: string | null };
type Sealed = { accessTokenSealed: string; refreshTokenSealed: string | null };

const access = (userId: string) => `linkedin_connections.access_token_sealed:${userId}`;
const refresh = (userId: string) => `linkedin_connections.refresh_token_sealed:${userId}`;

/** The tokens of one user's connection as they are stored: bound to the user and to their column. */
export const sealTokens = (userId: string, { accessToken, refreshToken }: Plain): Sealed => ({
  accessTokenSealed: seal(accessToken, access(userId)),
  refreshTokenSealed: refreshToken === null ? null : seal(refreshToken, refresh(userId)),
});

export const openTokens = (userId: string, { accessTokenSealed, refreshTokenSealed }: Sealed): Plain => ({
  accessToken: open(accessTokenSealed, access(userId)),
  refreshToken: refreshTokenSealed === null ? null : open(refreshTokenSealed, refresh(userId)),
});
