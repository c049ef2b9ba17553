import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { type PostView, presentPost } from '#app/domain/posts/present.ts';
import { atRequestedRevision } from '#app/http/forms/list-params.ts';
import { loadMove } from '#app/routes/posts/move/load.ts';
import { findOwnPost } from './find-own-post.ts';

/** Loads the post of an open dialog. A post that is deleted or moved need not be on the current page of the list. */
export async function loadDialogs(
  db: Db,
  actor: Actor,
  posts: PostView[],
  query: URLSearchParams,
  now = new Date(),
) {
  const find = (name: string) => posts.find(({ id }) => id === query.get(name));
  const publishing = find('confirm-publish');
  const findElsewhere = async () => {
    const post = await findOwnPost(db, actor, query.get('confirm-delete'));
    return post && presentPost(post, actor.timeZone);
  };
  return {
    publishing: publishing && atRequestedRevision(publishing, query),
    deleting: find('confirm-delete') ?? (await findElsewhere()),
    moving: await loadMove(db, actor, query, now),
  };
}
