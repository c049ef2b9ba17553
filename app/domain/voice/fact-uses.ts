import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';

/** Which posts say each of the actor's facts, the latest first. */
export const listFactUses = (db: Db, { userId }: Actor) =>
  db
    .selectFrom('factUses')
    .innerJoin('facts', 'facts.id', 'factUses.factId')
    .innerJoin('posts', 'posts.id', 'factUses.postId')
    .select(['factUses.factId', 'factUses.postId', 'posts.content', 'posts.createdAt'])
    .where('facts.userId', '=', userId)
    .where('posts.deletedAt', 'is', null)
    .orderBy('posts.createdAt', 'desc')
    .execute();
