import { type Db, transact } from '#app/db/client.ts';
import { SESSIONS_SHOWN, TOKENS_MAX } from '#app/domain/accounts/limits.ts';
import type { TokenInput } from '#app/domain/accounts/schema.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { findOrRefuse } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { hashToken, randomToken } from '#app/domain/platform/secrets.ts';
import { adminIdleSince, requireSession, type SignedIn } from './sessions.ts';

const DAY_MS = 86_400_000;
const TOO_MANY = `You can have at most ${TOKENS_MAX} tokens. Revoke one that you no longer use`;

const COLUMNS = ['id', 'name', 'scope', 'device', 'createdAt', 'lastSeenAt', 'expiresAt'] as const;

type Row = { name: string | null; createdAt: Date; lastSeenAt: Date };

const toToken = <R extends Row>({ lastSeenAt, ...row }: R) => ({
  ...row,
  lastUsedAt: lastSeenAt > row.createdAt ? lastSeenAt : null,
});

export type Token = Awaited<ReturnType<typeof listTokens>>[number];

/** Named tokens, then the latest sessions of programs that signed in; newest first. */
export async function listTokens(db: Db, { userId, isAdmin }: Actor, now = databaseNow()) {
  const rows = await db
    .selectFrom('sessions')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .where('kind', '=', 'api')
    .where((eb) => eb.or([eb('expiresAt', '>', now), eb('expiresAt', 'is', null)]))
    .$if(isAdmin, (query) =>
      query.where((eb) => eb.or([eb('name', 'is not', null), eb('lastSeenAt', '>=', adminIdleSince(now))])),
    )
    .orderBy((eb) => eb('name', 'is', null))
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(TOKENS_MAX + SESSIONS_SHOWN)
    .execute();
  return rows.map(toToken);
}

/** Returns the secret, which is not stored. It expires no later than the token that creates it (`until`). */
export async function createToken(
  db: Db,
  { userId, sessionId }: SignedIn,
  { name, scope, days }: TokenInput,
  { until = null, now = databaseNow() }: { until?: Date | null; now?: Date } = {},
): Promise<{ token: Token; secret: string }> {
  const secret = `tp_${randomToken()}`;
  const expiries = [until?.getTime(), days && now.getTime() + days * DAY_MS].filter(
    (expiry) => expiry !== undefined,
  );
  const expiresAt = expiries.length > 0 ? new Date(Math.min(...expiries)) : null;
  return transact(db, async (trx) => {
    await lockUser(trx, userId);
    await requireSession(trx, sessionId);
    const { count } = await trx
      .selectFrom('sessions')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('userId', '=', userId)
      .where('name', 'is not', null)
      .where((eb) => eb.or([eb('expiresAt', '>', now), eb('expiresAt', 'is', null)]))
      .executeTakeFirstOrThrow();
    if (Number(count) >= TOKENS_MAX) throw new Refusal(409, 'too_many_tokens', TOO_MANY);
    const times = { createdAt: now, lastSeenAt: now, expiresAt };
    const row = await trx
      .insertInto('sessions')
      .values({ userId, kind: 'api', tokenHash: hashToken(secret), name, scope, ...times })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    emitEvent('token_made', { userId, tokenId: row.id }, trx);
    return { token: toToken(row), secret };
  });
}

export async function endToken(db: Db, { userId }: Actor, tokenId: string): Promise<void> {
  await findOrRefuse('This token', tokenId, () =>
    db
      .deleteFrom('sessions')
      .where('id', '=', tokenId)
      .where('userId', '=', userId)
      .where('kind', '=', 'api')
      .returning('id')
      .executeTakeFirst(),
  );
  emitEvent('token_revoked', { userId, tokenId }, db);
}
