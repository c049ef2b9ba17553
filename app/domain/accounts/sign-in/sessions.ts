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

/** Throws a Refusal when the password was changed since it was checked; waits for a change in progress. */
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

/** The session's insert waits for a deletion or disabling of the account in progress, and these wait for it. */
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

/** A session expires after so many days without use, */
const SESSION_DAYS = 30;
/** and at the latest so many days after its start. */
const LONGEST_DAYS = 90;
/** An admin's session expires after so many hours without use. */
const ADMIN_IDLE_HOURS = 8;
const REAUTH_MINUTES = 15;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Limits writes: reading a page should not write. */
const LAST_SEEN_PRECISION_MS = 15 * MINUTE_MS;

export type SessionKind = 'web' | 'api';
type Scope = 'read' | 'write';

export type SignedIn = { userId: string; sessionId: string };

/** `passwordHash`: the session is valid only while the account has this password. */
type SessionOrigin = { ipPrefix?: string; passwordHash?: string | undefined };

/** Ends the sessions that were used least recently. Skips locked rows, which another transaction is ending. */
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
  const unlocked = trx.selectFrom('sessions').select('id').where('id', 'in', oldest).forUpdate().skipLocked();
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('id', 'in', unlocked)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) emitEvent('session_ended', { userId, why: 'too_many' }, trx);
}

export async function createSession(
  db: Db,
  userId: string,
  kind: SessionKind,
  userAgent: string,
  now = databaseNow(),
  { ipPrefix = '', passwordHash }: SessionOrigin = {},
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
  /** Null for a named token. */
  reauthenticatedAt: Date | null;
  /** Null for a token that does not expire. */
  expiresAt: Date | null;
  isExtended: boolean;
};

const readSession = compiledQuery((db: Db, input: { tokenHash: string; kind: SessionKind; now: Date }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['sessions.id', 'sessions.name as tokenName', 'sessions.scope', 'sessions.reauthenticatedAt'])
    .select(['sessions.createdAt', 'sessions.lastSeenAt', 'sessions.expiresAt', 'users.id as userId'])
    .select(['users.name', 'users.email', 'users.role', 'users.timeZone'])
    .where('sessions.tokenHash', '=', input.tokenHash)
    .where('sessions.kind', '=', input.kind)
    .where((eb) => eb.or([eb('sessions.expiresAt', '>', input.now), eb('sessions.expiresAt', 'is', null)])),
);

type Row = Awaited<ReturnType<typeof readSession>>[number];

const unusedMs = ({ lastSeenAt }: Row, now: Date) => now.getTime() - lastSeenAt.getTime();

/** Admin sessions that were last used before this have expired. */
export const adminIdleSince = (now: Date) => new Date(now.getTime() - ADMIN_IDLE_HOURS * HOUR_MS);

/** Named tokens are exempt: a program may call once a month. */
const isIdleAdmin = (row: Row, now: Date) =>
  row.role === 'admin' && row.tokenName === null && row.lastSeenAt < adminIdleSince(now);

/** Records the use of a session and returns its expiry, which moves for browsers. */
async function recordUse(db: Db, row: Row, kind: SessionKind, now: Date): Promise<Date | null> {
  const latest = row.createdAt.getTime() + LONGEST_DAYS * DAY_MS;
  const extended = new Date(Math.min(now.getTime() + SESSION_DAYS * DAY_MS, latest));
  const expiresAt = kind === 'web' ? extended : row.expiresAt;
  await db.updateTable('sessions').set({ lastSeenAt: now, expiresAt }).where('id', '=', row.id).execute();
  return expiresAt;
}

/** Undefined when the token is unknown, expired or of another kind. */
export async function findSession(
  db: Db,
  token: string,
  kind: SessionKind,
  now = databaseNow(),
): Promise<FoundSession | undefined> {
  const [row] = await readSession(db, { tokenHash: hashToken(token), kind, now });
  if (!row || isIdleAdmin(row, now)) return undefined;
  const isFirstUse = row.tokenName !== null && row.lastSeenAt.getTime() === row.createdAt.getTime();
  const isRecorded = isFirstUse || unusedMs(row, now) > LAST_SEEN_PRECISION_MS;
  const expiresAt = isRecorded ? await recordUse(db, row, kind, now) : row.expiresAt;
  const { userId, name, email, timeZone, scope, reauthenticatedAt } = row;
  return {
    sessionId: row.id,
    actor: { userId, name, email, timeZone, isAdmin: row.role === 'admin' },
    scope,
    reauthenticatedAt,
    expiresAt,
    isExtended: isRecorded && kind === 'web',
  };
}

export async function openApiSession(
  db: Db,
  userId: string,
  userAgent: string,
  now = databaseNow(),
  origin: SessionOrigin = {},
): Promise<{ token: string; actor: Actor }> {
  const { token } = await createSession(db, userId, 'api', userAgent, now, origin);
  const { actor } = (await findSession(db, token, 'api', now))!;
  emitEvent('sign_in', { userId, door: 'api' });
  return { token, actor };
}

export const isRecentlyAuthenticated = (
  { reauthenticatedAt }: { reauthenticatedAt: Date | null },
  now: Date,
): boolean =>
  reauthenticatedAt !== null && now.getTime() - reauthenticatedAt.getTime() <= REAUTH_MINUTES * MINUTE_MS;

export async function recordReauthentication(db: Db, sessionId: string, now = databaseNow()): Promise<void> {
  await db.updateTable('sessions').set({ reauthenticatedAt: now }).where('id', '=', sessionId).execute();
}

const selectSession = (db: Db, id: string) => db.selectFrom('sessions').select('id').where('id', '=', id);

/** Whether a session still exists: a new password, for example, ends the others. */
export const isSessionOpen = async (db: Db, sessionId: string): Promise<boolean> =>
  (await selectSession(db, sessionId).executeTakeFirst()) !== undefined;

/** Throws a Refusal when the session has ended. Call it under the user's lock. */
export async function requireSession(trx: Trx, sessionId: string): Promise<void> {
  if (await selectSession(trx, sessionId).forKeyShare().executeTakeFirst()) return;
  const message = 'You were signed out meanwhile, so nothing was changed. Please sign in again';
  throw new Refusal(401, 'unauthenticated', message);
}

/** Ends all sessions and tokens of an account, except for one, and exchange codes. Returns whether there was any. */
export async function endSessionsOf(
  db: Db,
  userId: string,
  why: SessionEnd,
  except?: { sessionId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '<>', except!.sessionId))
    .executeTakeFirst();
  const codes = await db.deleteFrom('exchangeCodes').where('userId', '=', userId).executeTakeFirst();
  if (numDeletedRows > 0n) emitEvent('session_ended', { userId, why }, db);
  return numDeletedRows + codes.numDeletedRows > 0n;
}

export async function endSession(db: Db, token: string): Promise<void> {
  const deleted = await db
    .deleteFrom('sessions')
    .where('tokenHash', '=', hashToken(token))
    .returning('userId')
    .executeTakeFirst();
  if (deleted) emitEvent('session_ended', { userId: deleted.userId, why: 'sign_out' }, db);
}
