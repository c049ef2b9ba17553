import { type Db, transact } from '#app/db/client.ts';
import { deleteOauthStates } from '#app/domain/accounts/oauth/oauth-states.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { openTokens } from '#app/domain/linkedin/access/sealed-tokens.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { SecretUnreadable } from '#app/domain/platform/secrets.ts';
import { revokeToken } from '#app/integrations/linkedin/oauth.ts';

/**
 * Forgets the connection and its tokens, and asks LinkedIn to end them too. Whether LinkedIn does so
 * changes nothing here.
 */
export async function disconnect(db: Db, actor: Actor): Promise<void> {
  const { userId } = actor;
  const removed = await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await deleteOauthStates(trx, userId);
    await trx.deleteFrom('pendingLinkedinConnections').where('userId', '=', userId).execute();
    return trx
      .deleteFrom('linkedinConnections')
      .where('userId', '=', userId)
      .returning(['accessTokenSealed', 'refreshTokenSealed'])
      .executeTakeFirst();
  });
  if (!removed) return;
  emitEvent('linkedin_disconnected', { userId });
  try {
    await revokeToken(openTokens(userId, removed).accessToken);
  } catch {
    // LinkedIn may be away, and a key may be retired: the tokens are gone here in any case.
  }
}

/**
 * As `disconnect`, of somebody who leaves: the tokens stay until LinkedIn has been asked, which `isLast` gives up. Answers
 * whether nothing of it is left.
 */
export async function endAccess(db: Db, userId: string, { isLast }: { isLast: boolean }): Promise<boolean> {
  const row = await db
    .selectFrom('linkedinConnections')
    .select(['accessTokenSealed', 'refreshTokenSealed'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (!row) return true;
  try {
    await revokeToken(openTokens(userId, row).accessToken);
  } catch (error) {
    if (!isLast && !(error instanceof SecretUnreadable)) return false;
  }
  await db.deleteFrom('linkedinConnections').where('userId', '=', userId).execute();
  return true;
}
