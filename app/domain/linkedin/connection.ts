import { type Db, type Trx, transact } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import { clearClientFault } from '#app/domain/linkedin/access/client-alert.ts';
import { AccessDelayed, delayOf } from '#app/domain/linkedin/access/delayed.ts';
import { reportMissingKey } from '#app/domain/linkedin/access/missing-key.ts';
import { openTokens, sealTokens } from '#app/domain/linkedin/access/sealed-tokens.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { SecretUnreadable } from '#app/domain/platform/secrets.ts';
import { sendEventOf } from '#app/domain/webhooks/send-events.ts';
import { env } from '#app/env.ts';
import { personUrn, refreshToken } from '#app/integrations/linkedin/oauth.ts';
import { linkedInStatusShape } from './api-shape.ts';
import { givesAccess, RENEW_BEFORE_MS, renewsItself } from './predicates.ts';

/** A token can be unknown to LinkedIn's other hosts for some seconds after it was made. */
const FRESH_MS = 60_000;

export type Connection = NonNullable<Awaited<ReturnType<typeof getConnection>>>;

const readConnection = compiledQuery((db: Db, { userId, now }: { userId: string; now: Date }) =>
  db
    .selectFrom('linkedinConnections')
    .select(['name', 'email', 'picture', 'scopes', 'expiresAt', 'connectedAt'])
    .select(givesAccess('linkedinConnections', now).as('isAlive'))
    .select(renewsItself('linkedinConnections').as('renewsItself'))
    .where('userId', '=', userId),
);

/** The actor's LinkedIn connection without its tokens, alive or not; null when there is none. */
export async function getConnection(db: Db, actor: Pick<Actor, 'userId'>, now = new Date()) {
  const [row] = await readConnection(db, { userId: actor.userId, now });
  return row ?? null;
}

/** Whether the user has connected LinkedIn, alive or not. */
export async function hasConnection(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('linkedinConnections')
    .select('userId')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether LinkedIn lets us post for the user, as far as we know. */
export async function isUserConnected(db: Db, userId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('linkedinConnections')
    .select(givesAccess('linkedinConnections', now).as('isConnected'))
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row?.isConnected === true;
}

/** A token, and how it is stored: a refusal is about the connection that holds this very token. */
type StoredToken = { token: string; tokenSealed: string };

export type Access = StoredToken & {
  authorUrn: string;
  /** So young that a refusal of it may be too early and is asked about once more. */
  isFresh: boolean;
};

/**
 * What publishing for a user needs, or undefined when there is no living connection. A token that ends
 * within 5 minutes is renewed when LinkedIn gave a refresh token; one whose permission LinkedIn says is over
 * ends the connection. Throws AccessDelayed when there is nothing to publish with for now.
 */
export async function withAccessToken(db: Db, userId: string, now = new Date()): Promise<Access | undefined> {
  const row = await living(db, [userId]).executeTakeFirst();
  if (!row) return undefined;
  const tokens = await opened(db, userId, row);
  const left = row.expiresAt.getTime() - now.getTime();
  const current = left > 0 ? tokens.accessToken : undefined;
  const held =
    left > RENEW_BEFORE_MS
      ? { token: tokens.accessToken, tokenSealed: row.accessTokenSealed }
      : await renew(db, { ...row, userId, current, refresh: tokens.refreshToken });
  if (!held) return undefined;
  const isFresh = isNew(row, now) || held.token !== tokens.accessToken;
  return { ...held, authorUrn: personUrn(row.memberId), isFresh };
}

/** Its token may be unknown to some of LinkedIn's hosts. */
export const isNew = ({ connectedAt }: { connectedAt: Date }, now: Date) =>
  now.getTime() - connectedAt.getTime() < FRESH_MS;

/** The connections of these users that are alive, with their sealed tokens. */
export const living = (db: Db, userIds: string[]) =>
  db
    .selectFrom('linkedinConnections')
    .select(['userId', 'memberId', 'accessTokenSealed', 'refreshTokenSealed', 'expiresAt', 'connectedAt'])
    .where('userId', 'in', userIds)
    .where('status', '=', 'alive');

async function opened(db: Db, userId: string, row: Parameters<typeof openTokens>[1]) {
  try {
    return openTokens(userId, row);
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    await reportMissingKey(db, error);
    throw new AccessDelayed(error);
  }
}

type Ending = {
  userId: string;
  accessTokenSealed: string;
  /** The token that still works for a few minutes. */
  current: string | undefined;
  refresh: string | null;
};

async function renew(db: Db, ending: Ending): Promise<StoredToken | undefined> {
  const { userId, accessTokenSealed: tokenSealed, current, refresh } = ending;
  try {
    if (refresh) return await refreshStored(db, ending, refresh);
  } catch (error) {
    const delay = await delayOf(db, error);
    if (delay && !current) throw delay;
  }
  const held = current ? { token: current, tokenSealed } : await renewedMeanwhile(db, ending);
  if (!held) await transact(db, (trx) => markConnectionExpired(trx, userId, tokenSealed));
  return held;
}

/** Stores both tokens with one statement, unless the row was renewed or replaced meanwhile. */
async function refreshStored(db: Db, ending: Ending, refresh: string): Promise<StoredToken | undefined> {
  const { userId, accessTokenSealed } = ending;
  const fresh = await refreshToken(refresh);
  const pair = { accessToken: fresh.accessToken, refreshToken: fresh.refreshToken ?? refresh };
  const sealed = sealTokens(userId, pair);
  const { expiresAt, refreshExpiresAt } = fresh;
  const { numUpdatedRows } = await db
    .updateTable('linkedinConnections')
    .set({ ...sealed, expiresAt, ...(refreshExpiresAt ? { refreshExpiresAt } : {}) })
    .where('userId', '=', userId)
    .where('status', '=', 'alive')
    .where('accessTokenSealed', '=', accessTokenSealed)
    .executeTakeFirst();
  await clearClientFault(db);
  const held = { token: fresh.accessToken, tokenSealed: sealed.accessTokenSealed };
  return numUpdatedRows > 0n ? held : renewedMeanwhile(db, ending);
}

/** Another process may have renewed the same token, which can use up the refresh token. */
async function renewedMeanwhile(db: Db, ending: Ending): Promise<StoredToken | undefined> {
  const row = await db
    .selectFrom('linkedinConnections')
    .select(['accessTokenSealed', 'refreshTokenSealed'])
    .where('userId', '=', ending.userId)
    .where('status', '=', 'alive')
    .where('accessTokenSealed', '!=', ending.accessTokenSealed)
    .executeTakeFirst();
  if (!row) return undefined;
  return { token: openTokens(ending.userId, row).accessToken, tokenSealed: row.accessTokenSealed };
}

/**
 * LinkedIn no longer takes this token: the connection that holds it ends, and its owner is mailed, once for
 * each connection. One that was made or renewed meanwhile stays.
 */
export async function markConnectionExpired(trx: Trx, userId: string, tokenSealed: string): Promise<void> {
  const ended = await trx
    .updateTable('linkedinConnections')
    .set({ status: 'expired' })
    .where('userId', '=', userId)
    .where('status', '=', 'alive')
    .where('accessTokenSealed', '=', tokenSealed)
    .returning('connectedAt')
    .executeTakeFirst();
  if (!ended) return;
  const key = `linkedin-expired:${userId}:${ended.connectedAt.toISOString()}`;
  const url = `${env().APP_URL}/app/linkedin`;
  await mailUser(trx, userId, 'linkedInExpired', { url }, key);
  const describe = async () => linkedInStatusShape(await getConnection(trx, { userId }));
  await sendEventOf(trx, userId, 'linkedin.expired', describe);
}
