import type { Db } from '#app/db/client.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { getConnection } from './connection.ts';

/** On whose profile the actor's posts appear, as far as we know what LinkedIn shows of them. */
export async function findAuthor(db: Db, actor: Actor, now = new Date()) {
  const [user, member] = await Promise.all([findUser(db, actor.userId), getConnection(db, actor, now)]);
  return { name: member?.name || user.name, headline: user.headline, picture: member?.picture ?? null };
}
export type Author = Awaited<ReturnType<typeof findAuthor>>;
