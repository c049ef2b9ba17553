import { type Db, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { withAccessToken } from '#app/domain/linkedin/connection.ts';
import { findPost } from '#app/domain/posts/posts.ts';
import { markDeleted } from '#app/domain/posts/rows.ts';
import { leaveQueue } from '#app/domain/queue/deliveries.ts';
import { alreadyPublished, lockOwnPost } from '#app/domain/queue/own-post.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { env } from '#app/env.ts';
import { deletePost as deleteOnNetwork } from '#app/integrations/linkedin-posts.ts';

/**
 * Deletes a post. A published one is deleted on LinkedIn first; when LinkedIn does not confirm that, nothing
 * is deleted here.
 */
export async function deletePost(db: Db, actor: Actor, postId: string, now = new Date()): Promise<void> {
  const post = await findPost(db, actor, postId);
  if (post.status === 'published' && post.networkUrn) await takeDown(db, actor, post.networkUrn);
  await transact(db, async (trx) => {
    const locked = await lockOwnPost(trx, actor, postId);
    if (locked.status === 'published' && post.status !== 'published') {
      throw alreadyPublished(
        'This post was published a moment ago. Delete it again to take it down from LinkedIn',
      );
    }
    await leaveQueue(trx, locked.id);
    await markDeleted(trx, locked.id, now);
  });
}

async function takeDown(db: Db, actor: Actor, urn: string): Promise<void> {
  const access = await withAccessToken(db, actor.userId);
  if (!access) {
    throw new Refusal(
      409,
      'linkedin_not_connected',
      'Connect LinkedIn first, so that the post can be deleted there',
    );
  }
  for (const version of env().LINKEDIN_VERSIONS) {
    const outcome = await deleteOnNetwork({ accessToken: access.token, version, urn });
    if (outcome.kind === 'deleted') return;
    if (outcome.kind !== 'version') break;
  }
  throw new Refusal(
    502,
    'linkedin_unavailable',
    'LinkedIn did not delete the post. Nothing was deleted. Try again',
  );
}
