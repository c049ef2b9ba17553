import type { Db } from '#app/db/client.ts';
import { findUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { getConnection } from './connection.ts';

export const authorOf = (
  user: { name: string; headline: string },
  member: { name: string; picture: string | null } | null,
) => ({ name: member?.name || user.name, headline: user.headline, picture: member?.picture ?? null });
export type Author = ReturnType<typeof authorOf>;

export async function findAuthor(db: Db, actor: Actor, now = new Date()): Promise<Author> {
  const [user, member] = await Promise.all([findUser(db, actor.userId), getConnection(db, actor, now)]);
  return authorOf(user, member);
}
