import { type Db, transact } from '#app/db/client.ts';
import { deleteOauthStates } from '#app/domain/accounts/oauth/oauth-states.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { openTokens } from '#app/domain/linkedin/access/sealed-tokens.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { SecretUnreadable } from '#app/domain/platform/secrets.ts';
import { revokeToken } from '#app/integrations/linkedin/oauth.ts';

/** Deletes the connection, and revokes its token at LinkedIn if possible. */
export async function disconnect(db: Db, actor: Actor): Promise<void> {
  const { userId } = actor;
  const connection = await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await deleteOauthStates(trx, userId);
    await trx.deleteFrom('pendingLinkedinConnections').where('userId', '=', userId).execute();
    return trx
      .deleteFrom('linkedinConnections')
      .where('userId', '=', userId)
      .returning(['accessTokenSealed', 'refreshTokenSealed'])
      .executeTakeFirst();
  });
  if (!connection) return;
  emitEvent('linkedin_disconnected', { userId });
  try {
    await revokeToken(openTokens(userId, connection).accessToken);
  } catch {
    // LinkedIn may be unavailable, or the key missing. The tokens are deleted in any case.
  }
}

/** For account deletion: keeps the tokens until they are revoked, except at the last attempt. */
export async function revokeAccess(
  db: Db,
  userId: string,
  { isLastAttempt }: { isLastAttempt: boolean },
): Promise<boolean> {
  const row = await db
    .selectFrom('linkedinConnections')
    .select(['accessTokenSealed', 'refreshTokenSealed'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (!row) return true;
  try {
    await revokeToken(openTokens(userId, row).accessToken);
  } catch (error) {
    if (!isLastAttempt && !(error instanceof SecretUnreadable)) return false;
  }
  await db.deleteFrom('linkedinConnections').where('userId', '=', userId).execute();
  return true;
}
