import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { type PostView, presentPost } from '#app/domain/posts/present.ts';
import { atRequestedRevision } from '#app/http/forms/list-params.ts';
import { loadMove } from '#app/routes/posts/move/load.ts';

/** The post that an open dialog is about. One that is to be deleted or moved need not stand on the page. */
export async function dialogsOf(
  db: Db,
  actor: Actor,
  posts: PostView[],
  query: URLSearchParams,
  now = new Date(),
) {
  const find = (name: string) => posts.find(({ id }) => id === query.get(name));
  const deletingId = query.get('confirm-delete');
  const publishing = find('confirm-publish');
  return {
    publishing: publishing && atRequestedRevision(publishing, query),
    deleting: find('confirm-delete') ?? (deletingId ? await findView(db, actor, deletingId) : undefined),
    moving: await loadMove(db, actor, query, now),
  };
}

/** A post that an address names; undefined when it is not the actor's. */
async function findView(db: Db, actor: Actor, postId: string): Promise<PostView | undefined> {
  try {
    return presentPost(await findPost(db, actor, postId), actor.timeZone);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
