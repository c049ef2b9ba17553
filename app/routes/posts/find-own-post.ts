import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';

/** Returns the post with an id from the URL; undefined without an id, or if the actor has no such post. */
export async function findOwnPost(db: Db, actor: Actor, postId: string | null): Promise<Post | undefined> {
  if (postId === null) return undefined;
  return findPost(db, actor, postId).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
}
