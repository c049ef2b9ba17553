import type { Db } from '#app/db/client.ts';
import { written } from '#app/db/written.ts';
import type { Actor } from '#app/domain/actor.ts';
import { hashToken, randomToken } from '#app/domain/secrets.ts';

export const SESSION_DAYS = 30;
const DAY_MS = 86_400_000;
/** A session is written at most this often, so that reading a page is not a write. */
const SLIDE_AFTER_MS = DAY_MS;

export type SessionKind = 'web' | 'api';

/** Makes a session and answers its token, which is stored nowhere. */
export async function createSession(
  db: Db,
  userId: string,
  kind: SessionKind,
  userAgent: string,
  now = new Date(),
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + SESSION_DAYS * DAY_MS);
  await db
    .insertInto('sessions')
    .values({ userId, kind, tokenHash: hashToken(token), userAgent: userAgent.slice(0, 300), expiresAt })
    .execute();
  return { token, expiresAt };
}

export type FoundSession = { sessionId: string; actor: Actor; isSlid: boolean };

const readSession = written((db: Db, given: { tokenHash: string; kind: SessionKind; now: Date }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['sessions.id', 'sessions.lastSeenAt', 'users.id as userId'])
    .select(['users.name', 'users.email', 'users.role', 'users.timeZone'])
    .where('sessions.tokenHash', '=', given.tokenHash)
    .where('sessions.kind', '=', given.kind)
    .where('sessions.expiresAt', '>', given.now),
);

/** Who the token belongs to, or undefined when it is unknown, expired or of another kind. */
export async function findSession(
  db: Db,
  token: string,
  kind: SessionKind,
  now = new Date(),
): Promise<FoundSession | undefined> {
  const [row] = await readSession(db, { tokenHash: hashToken(token), kind, now });
  if (!row) return undefined;
  const isSlid = now.getTime() - row.lastSeenAt.getTime() > SLIDE_AFTER_MS;
  if (isSlid) {
    const expiresAt = new Date(now.getTime() + SESSION_DAYS * DAY_MS);
    await db.updateTable('sessions').set({ lastSeenAt: now, expiresAt }).where('id', '=', row.id).execute();
  }
  const { userId, name, email, timeZone } = row;
  return {
    sessionId: row.id,
    isSlid,
    actor: { userId, name, email, timeZone, isAdmin: row.role === 'admin' },
  };
}

/** Makes an API session and answers its token and whose it is. */
export async function openApiSession(db: Db, userId: string, userAgent: string, now = new Date()) {
  const { token } = await createSession(db, userId, 'api', userAgent, now);
  const { actor } = (await findSession(db, token, 'api', now))!;
  return { token, actor };
}

/** Ends every session of an account, browsers and programs alike. */
export async function endSessionsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('userId', '=', userId).execute();
}

/** Ends the session of a token. */
export async function endSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('tokenHash', '=', hashToken(token)).execute();
}
