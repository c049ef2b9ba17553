import type { Db } from '#app/db/client.ts';
import { requireEnabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { openTokens, sealTokens } from '#app/domain/linkedin/access/sealed-tokens.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import { CONNECT_ERRORS, POSTING_SCOPE } from '#app/domain/linkedin/schema.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { connectMember, type Member, scopesOf } from './connect.ts';

/** How long what LinkedIn gave waits for an answer. */
const OFFER_MS = 10 * 60_000;

/** Keeps what LinkedIn gave until its owner has said whether we may publish with it; nothing for an account that was stopped. */
export async function makeOffer(db: Db, userId: string, member: Member, now = new Date()): Promise<string> {
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
      offeredUntil: new Date(now.getTime() + OFFER_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whether publishing with what LinkedIn gave is worth asking about: it may be used, and nothing is connected. */
export async function isOfferable(
  db: Db,
  userId: string,
  member: Member,
  now = new Date(),
): Promise<boolean> {
  if (!scopesOf(member).includes(POSTING_SCOPE) || (await isUserConnected(db, userId, now))) return false;
  const other = await db
    .selectFrom('linkedinConnections')
    .select('userId')
    .where('memberId', '=', member.profile.sub)
    .where('userId', '!=', userId)
    .executeTakeFirst();
  return !other;
}

/** What is offered, without its tokens; undefined once it is answered or over. */
export const findOffer = (db: Db, id: string, now = new Date()) =>
  db
    .selectFrom('pendingLinkedinConnections')
    .select(['userId', 'name', 'email', 'picture'])
    .where('id', '=', id)
    .where('offeredUntil', '>', now)
    .executeTakeFirst();

/** Yes: we publish with it, and it is answered. Refuses what is over. */
export async function acceptOffer(db: Db, id: string, now = new Date()): Promise<void> {
  const offer = await takeOffer(db, id, now);
  if (!offer) throw new Refusal(409, 'state_invalid', CONNECT_ERRORS.state_invalid);
  const { memberId: sub, name, email, picture, userId, expiresAt, refreshExpiresAt, scopes } = offer;
  const plain = openTokens(userId, offer, 'pending_linkedin_connections');
  const profile = { sub, name, email, picture, isEmailVerified: false };
  await connectMember(
    db,
    userId,
    { tokens: { ...plain, expiresAt, refreshExpiresAt, scopes }, profile },
    now,
  );
}

/** No: nothing of it is kept. */
export async function declineOffer(db: Db, id: string): Promise<void> {
  await takeOffer(db, id, new Date());
}

const takeOffer = (db: Db, id: string, now: Date) =>
  db
    .deleteFrom('pendingLinkedinConnections')
    .where('id', '=', id)
    .where('offeredUntil', '>', now)
    .returningAll()
    .executeTakeFirst();
