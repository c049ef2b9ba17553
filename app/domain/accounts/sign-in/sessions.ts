import { type Db, type Trx, transact } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { SESSIONS_MAX } from '#app/domain/accounts/limits.ts';
import { SOCIAL_ERRORS } from '#app/domain/accounts/schema.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent, type SessionEnd } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { hashToken, randomToken } from '#app/domain/platform/secrets.ts';
import { deviceOf } from './user-agent.ts';

/** Refuses who knew a password that is the account's no longer, also when it is changed at this moment. */
async function requirePassword(trx: Trx, userId: string, passwordHash: string): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('passwordHash', '=', passwordHash)
    .forShare()
    .executeTakeFirst();
  if (!user) throw new Refusal(401, 'invalid_credentials', 'Invalid email or password');
}

/**
 * For who has just made a session: how many of its kind the account has. Refuses when the account is being erased or was
 * stopped by an admin, also when that begins at this moment: as the session refers to the user, one of both waits for the other.
 */
async function countSessions(trx: Trx, userId: string, kind: 'web' | 'api'): Promise<number> {
  const { count, erasingAt, disabledAt } = await trx
    .selectNoFrom((eb) => [
      eb
        .selectFrom('sessions')
        .select((own) => own.fn.countAll<string>().as('count'))
        .where('userId', '=', userId)
        .where('kind', '=', kind)
        .where('name', 'is', null)
        .as('count'),
      eb.selectFrom('accountDeletions').select('erasingAt').where('userId', '=', userId).as('erasingAt'),
      eb.selectFrom('disabledAccounts').select('disabledAt').where('userId', '=', userId).as('disabledAt'),
    ])
    .executeTakeFirstOrThrow();
  if (erasingAt) throw new Refusal(403, 'account_erased', SOCIAL_ERRORS.account_erased);
  if (disabledAt) throw new Refusal(403, 'account_disabled', SOCIAL_ERRORS.account_disabled);
  return Number(count);
}

/** A session ends when it was not used for so long, */
const SESSION_DAYS = 30;
/** and so long after it began in any case; */
const LONGEST_DAYS = 90;
/** an admin's when it was not used for this. */
const ADMIN_IDLE_HOURS = 8;
/** How long the password counts that was entered last. */
const PROOF_MINUTES = 15;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A session is written at most this often, so that reading a page is not a write. */
const SEEN_EVERY_MS = 15 * MINUTE_MS;

export type SessionKind = 'web' | 'api';
type Scope = 'read' | 'write';

/** Who asks, and in which session. */
export type SignedIn = { userId: string; sessionId: string };

/** `ipPrefix`: the network that a session is made from. `passwordHash`: it is made for who knew this password. */
type From = { ipPrefix?: string; passwordHash?: string | undefined };

/**
 * Ends those that were used longest ago, when an account has very many. It waits for nobody: what somebody else is
 * ending is left to them.
 */
async function endOldest(trx: Trx, userId: string, kind: SessionKind): Promise<void> {
  const oldest = trx
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('name', 'is', null)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('createdAt', 'desc')
    .offset(SESSIONS_MAX);
  const free = trx.selectFrom('sessions').select('id').where('id', 'in', oldest).forUpdate().skipLocked();
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('id', 'in', free)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) emitEvent('session_ended', { userId, why: 'too_many' }, trx);
}

/** Makes a session and answers its token, which is stored nowhere. */
export async function createSession(
  db: Db,
  userId: string,
  kind: SessionKind,
  userAgent: string,
  now = databaseNow(),
  { ipPrefix = '', passwordHash }: From = {},
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + SESSION_DAYS * DAY_MS);
  const times = { createdAt: now, lastSeenAt: now, reauthenticatedAt: now, expiresAt };
  const row = { userId, kind, tokenHash: hashToken(token), device: deviceOf(userAgent), ipPrefix, ...times };
  await transact(db, async (trx) => {
    if (passwordHash !== undefined) await requirePassword(trx, userId, passwordHash);
    await trx.insertInto('sessions').values(row).execute();
    if ((await countSessions(trx, userId, kind)) > SESSIONS_MAX) await endOldest(trx, userId, kind);
  });
  return { token, expiresAt };
}

export type FoundSession = {
  sessionId: string;
  actor: Actor;
  scope: Scope;
  /** When the password was entered last; null for a token with a name. */
  reauthenticatedAt: Date | null;
  /** Null for a token that is good until it is revoked. */
  expiresAt: Date | null;
  /** Whether its end has moved with this use. */
  isExtended: boolean;
};

const readSession = compiledQuery((db: Db, given: { tokenHash: string; kind: SessionKind; now: Date }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['sessions.id', 'sessions.name as tokenName', 'sessions.scope', 'sessions.reauthenticatedAt'])
    .select(['sessions.createdAt', 'sessions.lastSeenAt', 'sessions.expiresAt', 'users.id as userId'])
    .select(['users.name', 'users.email', 'users.role', 'users.timeZone'])
    .where('sessions.tokenHash', '=', given.tokenHash)
    .where('sessions.kind', '=', given.kind)
    .where((eb) => eb.or([eb('sessions.expiresAt', '>', given.now), eb('sessions.expiresAt', 'is', null)])),
);

type Row = Awaited<ReturnType<typeof readSession>>[number];

const sinceSeen = ({ lastSeenAt }: Row, now: Date) => now.getTime() - lastSeenAt.getTime();

/** An admin's session that was not used since then is over. */
export const adminIdleSince = (now: Date) => new Date(now.getTime() - ADMIN_IDLE_HOURS * HOUR_MS);

/** Somebody who left an admin's session open. A token with a name is a program's, which may come once a month. */
const wasLeft = (row: Row, now: Date) =>
  row.role === 'admin' && row.tokenName === null && row.lastSeenAt < adminIdleSince(now);

/** Writes that a session was used, and answers its end, which moves for browsers. */
async function noteUse(db: Db, row: Row, kind: SessionKind, now: Date): Promise<Date | null> {
  const last = row.createdAt.getTime() + LONGEST_DAYS * DAY_MS;
  const moved = new Date(Math.min(now.getTime() + SESSION_DAYS * DAY_MS, last));
  const expiresAt = kind === 'web' ? moved : row.expiresAt;
  await db.updateTable('sessions').set({ lastSeenAt: now, expiresAt }).where('id', '=', row.id).execute();
  return expiresAt;
}

/** Who the token belongs to, or undefined when it is unknown, over or of another kind. */
export async function findSession(
  db: Db,
  token: string,
  kind: SessionKind,
  now = databaseNow(),
): Promise<FoundSession | undefined> {
  const [row] = await readSession(db, { tokenHash: hashToken(token), kind, now });
  if (!row || wasLeft(row, now)) return undefined;
  const isFirstUse = row.tokenName !== null && row.lastSeenAt.getTime() === row.createdAt.getTime();
  const isNoted = isFirstUse || sinceSeen(row, now) > SEEN_EVERY_MS;
  const expiresAt = isNoted ? await noteUse(db, row, kind, now) : row.expiresAt;
  const { userId, name, email, timeZone, scope, reauthenticatedAt } = row;
  return {
    sessionId: row.id,
    actor: { userId, name, email, timeZone, isAdmin: row.role === 'admin' },
    scope,
    reauthenticatedAt,
    expiresAt,
    isExtended: isNoted && kind === 'web',
  };
}

/** Makes an API session and answers its token and whose it is. */
export async function openApiSession(
  db: Db,
  userId: string,
  userAgent: string,
  now = databaseNow(),
  from: From = {},
): Promise<{ token: string; actor: Actor }> {
  const { token } = await createSession(db, userId, 'api', userAgent, now, from);
  const { actor } = (await findSession(db, token, 'api', now))!;
  emitEvent('sign_in', { userId, door: 'api' });
  return { token, actor };
}

/** Whether the password was entered a short while ago. */
export const isRecentlyAuthenticated = (
  { reauthenticatedAt }: { reauthenticatedAt: Date | null },
  now: Date,
): boolean =>
  reauthenticatedAt !== null && now.getTime() - reauthenticatedAt.getTime() <= PROOF_MINUTES * MINUTE_MS;

/** Writes that who has this session has just proved to be the owner. */
export async function recordReauthentication(db: Db, sessionId: string, now = databaseNow()): Promise<void> {
  await db.updateTable('sessions').set({ reauthenticatedAt: now }).where('id', '=', sessionId).execute();
}

const session = (db: Db, id: string) => db.selectFrom('sessions').select('id').where('id', '=', id);

/** Whether a session was not ended since it was found: by a new password, set elsewhere, say. */
export const isOpen = async (db: Db, sessionId: string): Promise<boolean> =>
  (await session(db, sessionId).executeTakeFirst()) !== undefined;

/**
 * Refuses a session that has ended. What lets somebody in later asks under the lock of the user, which whoever ends all of
 * them has.
 */
export async function requireSession(trx: Trx, sessionId: string): Promise<void> {
  if (await session(trx, sessionId).forKeyShare().executeTakeFirst()) return;
  const message = 'You were signed out meanwhile, so nothing was changed. Please sign in again';
  throw new Refusal(401, 'unauthenticated', message);
}

/**
 * Ends every session and token of an account, browsers and programs alike, but for one that is to stay, and what was about
 * to become one. Answers whether there was any.
 */
export async function endSessionsOf(
  db: Db,
  userId: string,
  why: SessionEnd,
  but?: { sessionId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .$if(but !== undefined, (query) => query.where('id', '<>', but!.sessionId))
    .executeTakeFirst();
  const codes = await db.deleteFrom('exchangeCodes').where('userId', '=', userId).executeTakeFirst();
  if (numDeletedRows > 0n) emitEvent('session_ended', { userId, why }, db);
  return numDeletedRows + codes.numDeletedRows > 0n;
}

/** Ends the session of a token. */
export async function endSession(db: Db, token: string): Promise<void> {
  const ended = await db
    .deleteFrom('sessions')
    .where('tokenHash', '=', hashToken(token))
    .returning('userId')
    .executeTakeFirst();
  if (ended) emitEvent('session_ended', { userId: ended.userId, why: 'sign_out' }, db);
}
