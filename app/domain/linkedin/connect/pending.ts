import type { Db } from '#app/db/client.ts';
import { requireEnabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { openTokens, sealTokens } from '#app/domain/linkedin/access/sealed-tokens.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import { CONNECT_ERRORS, POSTING_SCOPE } from '#app/domain/linkedin/schema.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { connectMember, type Member, scopesOf } from './connect.ts';

const PENDING_MS = 10 * 60_000;

/** Stores a connection until the user confirms it. Throws a Refusal for a disabled account. */
export async function createPendingConnection(
  db: Db,
  userId: string,
  member: Member,
  now = new Date(),
): Promise<string> {
  await requireEnabled(db, userId);
  const { sub: memberId, name, email, picture } = member.profile;
  const { expiresAt, refreshExpiresAt } = member.tokens;
  const { id } = await db
    .insertInto('pendingLinkedinConnections')
    .values({
      userId,
      memberId,
      name,
      email,
      picture,
      scopes: scopesOf(member),
      expiresAt,
      refreshExpiresAt,
      ...sealTokens(userId, member.tokens, 'pending_linkedin_connections'),
      offeredUntil: new Date(now.getTime() + PENDING_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whether to ask: the member allows publishing, nothing is connected, and no other account has this member. */
export async function canOfferConnection(
  db: Db,
  userId: string,
  member: Member,
  now = new Date(),
): Promise<boolean> {
  if (!scopesOf(member).includes(POSTING_SCOPE) || (await isUserConnected(db, userId, now))) return false;
  const owner = await db
    .selectFrom('linkedinConnections')
    .select('userId')
    .where('memberId', '=', member.profile.sub)
    .where('userId', '!=', userId)
    .executeTakeFirst();
  return !owner;
}

/** Without tokens; undefined once it is confirmed, declined or expired. */
export const findPendingConnection = (db: Db, id: string, now = new Date()) =>
  db
    .selectFrom('pendingLinkedinConnections')
    .select(['userId', 'name', 'email', 'picture'])
    .where('id', '=', id)
    .where('offeredUntil', '>', now)
    .executeTakeFirst();

export async function acceptPendingConnection(db: Db, id: string, now = new Date()): Promise<void> {
  const pending = await deletePending(db, id, now);
  if (!pending) throw new Refusal(409, 'state_invalid', CONNECT_ERRORS.state_invalid);
  const { memberId: sub, name, email, picture, userId, expiresAt, refreshExpiresAt, scopes } = pending;
  const plain = openTokens(userId, pending, 'pending_linkedin_connections');
  const profile = { sub, name, email, picture, isEmailVerified: false };
  await connectMember(
    db,
    userId,
    { tokens: { ...plain, expiresAt, refreshExpiresAt, scopes }, profile },
    now,
  );
}

export async function declinePendingConnection(db: Db, id: string): Promise<void> {
  await deletePending(db, id, new Date());
}

const deletePending = (db: Db, id: string, now: Date) =>
  db
    .deleteFrom('pendingLinkedinConnections')
    .where('id', '=', id)
    .where('offeredUntil', '>', now)
    .returningAll()
    .executeTakeFirst();
