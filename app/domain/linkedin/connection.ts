import { type Db, type Trx, transact } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import { clearClientFault } from '#app/domain/linkedin/access/client-alert.ts';
import { AccessDelayed, toAccessDelay } from '#app/domain/linkedin/access/delayed.ts';
import { reportMissingKey } from '#app/domain/linkedin/access/missing-key.ts';
import { openTokens, sealTokens } from '#app/domain/linkedin/access/sealed-tokens.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { SecretUnreadable } from '#app/domain/platform/secrets.ts';
import { sendEventIfSubscribed } from '#app/domain/webhooks/send-events.ts';
import { env } from '#app/env.ts';
import { personUrn, refreshToken } from '#app/integrations/linkedin/oauth.ts';
import { linkedInStatusShape } from './api-shape.ts';
import { givesAccess, RENEW_BEFORE_MS, renewsItself } from './predicates.ts';

/** LinkedIn's hosts may not know a new token for some seconds. */
const RECENT_MS = 60_000;

export type Connection = NonNullable<Awaited<ReturnType<typeof getConnection>>>;

const readConnection = compiledQuery((db: Db, { userId, now }: { userId: string; now: Date }) =>
  db
    .selectFrom('linkedinConnections')
    .select(['name', 'email', 'picture', 'scopes', 'expiresAt', 'connectedAt'])
    .select(givesAccess('linkedinConnections', now).as('isAlive'))
    .select(renewsItself('linkedinConnections').as('renewsItself'))
    .where('userId', '=', userId),
);

export async function getConnection(db: Db, actor: Pick<Actor, 'userId'>, now = new Date()) {
  const [row] = await readConnection(db, { userId: actor.userId, now });
  return row ?? null;
}

export async function hasConnection(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('linkedinConnections')
    .select('userId')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether we can publish for the user, as far as we know. */
export async function isUserConnected(db: Db, userId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('linkedinConnections')
    .select(givesAccess('linkedinConnections', now).as('isConnected'))
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row?.isConnected === true;
}

/** `tokenSealed` identifies the token: a refusal is recorded for the connection with this very token. */
type StoredToken = { token: string; tokenSealed: string };

export type Access = StoredToken & {
  authorUrn: string;
  /** A refusal may be too early and is checked once more. */
  isFresh: boolean;
};

/**
 * The token and author for publishing, or undefined without a valid connection. A token that expires within 5 minutes
 * is renewed; when LinkedIn says that the permission has ended, the connection is marked expired. Throws
 * AccessDelayed when no token is usable for now.
 */
export async function withAccessToken(db: Db, userId: string, now = new Date()): Promise<Access | undefined> {
  const row = await selectAlive(db, [userId]).executeTakeFirst();
  if (!row) return undefined;
  const tokens = await openRow(db, userId, row);
  const remaining = row.expiresAt.getTime() - now.getTime();
  const current = remaining > 0 ? tokens.accessToken : undefined;
  const access =
    remaining > RENEW_BEFORE_MS
      ? { token: tokens.accessToken, tokenSealed: row.accessTokenSealed }
      : await renew(db, { ...row, userId, current, refresh: tokens.refreshToken });
  if (!access) return undefined;
  const isFresh = isRecent(row, now) || access.token !== tokens.accessToken;
  return { ...access, authorUrn: personUrn(row.memberId), isFresh };
}

/** LinkedIn's hosts may not know its token yet. */
export const isRecent = ({ connectedAt }: { connectedAt: Date }, now: Date) =>
  now.getTime() - connectedAt.getTime() < RECENT_MS;

/** Valid connections with their encrypted tokens. */
export const selectAlive = (db: Db, userIds: string[]) =>
  db
    .selectFrom('linkedinConnections')
    .select(['userId', 'memberId', 'accessTokenSealed', 'refreshTokenSealed', 'expiresAt', 'connectedAt'])
    .where('userId', 'in', userIds)
    .where('status', '=', 'alive');

async function openRow(db: Db, userId: string, row: Parameters<typeof openTokens>[1]) {
  try {
    return openTokens(userId, row);
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    await reportMissingKey(db, error);
    throw new AccessDelayed(error);
  }
}

type ExpiringToken = {
  userId: string;
  accessTokenSealed: string;
  /** A token that is valid for a few more minutes. */
  current: string | undefined;
  refresh: string | null;
};

async function renew(db: Db, expiring: ExpiringToken): Promise<StoredToken | undefined> {
  const { userId, accessTokenSealed: tokenSealed, current, refresh } = expiring;
  try {
    if (refresh) return await refreshStored(db, expiring, refresh);
  } catch (error) {
    const delay = await toAccessDelay(db, error);
    if (delay && !current) throw delay;
  }
  const access = current ? { token: current, tokenSealed } : await findRenewed(db, expiring);
  if (!access) await transact(db, (trx) => markConnectionExpired(trx, userId, tokenSealed));
  return access;
}

/** Stores both tokens, unless the row was renewed or replaced meanwhile. */
async function refreshStored(
  db: Db,
  expiring: ExpiringToken,
  refresh: string,
): Promise<StoredToken | undefined> {
  const { userId, accessTokenSealed } = expiring;
  const renewed = await refreshToken(refresh);
  const tokens = { accessToken: renewed.accessToken, refreshToken: renewed.refreshToken ?? refresh };
  const sealed = sealTokens(userId, tokens);
  const { expiresAt, refreshExpiresAt } = renewed;
  const { numUpdatedRows } = await db
    .updateTable('linkedinConnections')
    .set({ ...sealed, expiresAt, ...(refreshExpiresAt ? { refreshExpiresAt } : {}) })
    .where('userId', '=', userId)
    .where('status', '=', 'alive')
    .where('accessTokenSealed', '=', accessTokenSealed)
    .executeTakeFirst();
  await clearClientFault(db);
  const access = { token: renewed.accessToken, tokenSealed: sealed.accessTokenSealed };
  return numUpdatedRows > 0n ? access : findRenewed(db, expiring);
}

/** Another process may have used the refresh token first. */
async function findRenewed(db: Db, expiring: ExpiringToken): Promise<StoredToken | undefined> {
  const row = await db
    .selectFrom('linkedinConnections')
    .select(['accessTokenSealed', 'refreshTokenSealed'])
    .where('userId', '=', expiring.userId)
    .where('status', '=', 'alive')
    .where('accessTokenSealed', '!=', expiring.accessTokenSealed)
    .executeTakeFirst();
  if (!row) return undefined;
  return { token: openTokens(expiring.userId, row).accessToken, tokenSealed: row.accessTokenSealed };
}

/** Marks the connection with this token as expired and mails its owner once. A newer token stays. */
export async function markConnectionExpired(trx: Trx, userId: string, tokenSealed: string): Promise<void> {
  const expired = await trx
    .updateTable('linkedinConnections')
    .set({ status: 'expired' })
    .where('userId', '=', userId)
    .where('status', '=', 'alive')
    .where('accessTokenSealed', '=', tokenSealed)
    .returning('connectedAt')
    .executeTakeFirst();
  if (!expired) return;
  const key = `linkedin-expired:${userId}:${expired.connectedAt.toISOString()}`;
  const url = `${env().APP_URL}/app/linkedin`;
  await mailUser(trx, userId, 'linkedInExpired', { url }, key);
  const readStatus = async () => linkedInStatusShape(await getConnection(trx, { userId }));
  await sendEventIfSubscribed(trx, userId, 'linkedin.expired', readStatus);
}
