import { type Db, transact } from '#app/db/client.ts';
import { listSignInMethods } from '#app/domain/accounts/oauth/identities.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { recordFactorRemoved } from './two-step.ts';

export type Passkey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

export const listPasskeys = (db: Db, { userId }: Actor): Promise<Passkey[]> =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();

async function findPasskey(db: Db, actor: Actor, id: string): Promise<Passkey> {
  const passkey = (await listPasskeys(db, actor)).find((each) => each.id === id);
  if (!passkey) throw notFound('This passkey');
  return passkey;
}

export async function renamePasskey(db: Db, actor: Actor, id: string, name: string): Promise<void> {
  await findPasskey(db, actor, id);
  await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('userId', '=', actor.userId)
    .execute();
}

/** Removes a passkey and notifies the user. Throws a Refusal for the last sign-in method. */
export const removePasskey = (db: Db, actor: Actor, id: string): Promise<void> =>
  transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const { name } = await findPasskey(trx, actor, id);
    if ((await listSignInMethods(trx, actor)).isOnlyOne) {
      throw new Refusal(409, 'last_way_in', 'This passkey is your only way in. Choose a password first.');
    }
    await trx.deleteFrom('passkeys').where('id', '=', id).where('userId', '=', actor.userId).execute();
    const message = `The passkey "${name}" of your account was removed.`;
    await recordFactorRemoved(trx, actor.userId, { means: 'passkey', message });
  });
