import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { findFreeSlots, lockUser, moveToSlot, readTimetable } from '#app/domain/automation/timetable.ts';
import { withAccessToken } from '#app/domain/linkedin/connection.ts';
import { lockOwnPost } from '#app/domain/publishing/by-hand.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { env } from '#app/env.ts';
import { canBeFetched } from '#app/integrations/image-guard.ts';
import { deletePost as deleteOnNetwork } from '#app/integrations/linkedin-posts.ts';
import { commentaryLength } from '#app/integrations/little-text.ts';
import { findPost, type Post } from './posts.ts';
import { POST_MAX, type PostChange } from './schema.ts';

/** Edits a post that is not published. A new picture is uploaded anew. */
export async function editPost(
  db: Db,
  actor: Actor,
  input: PostChange & { postId: string },
  now = new Date(),
): Promise<Post> {
  const { postId, content, imageUrl, hashtags } = input;
  if (imageUrl && !canBeFetched(imageUrl)) {
    throw new Refusal(422, 'invalid', 'Invalid image URL', { field: 'imageUrl' });
  }
  return transact(db, async (trx) => {
    const post = await lockOwnPost(trx, actor, postId);
    if (post.status === 'published') {
      throw new Refusal(409, 'already_published', 'This post is already published');
    }
    const length = commentaryLength(content ?? post.content, hashtags ?? post.hashtags);
    if (length > POST_MAX) {
      const message = `With its hashtags the post has ${length.toLocaleString('en')} of ${POST_MAX.toLocaleString('en')} characters`;
      throw new Refusal(422, 'invalid', message, { field: 'content' });
    }
    const isRewritten = content !== undefined && content !== post.content;
    await trx
      .updateTable('posts')
      .set({ content, hashtags, imageUrl, ...(isRewritten ? { editedAt: now } : {}) })
      .where('id', '=', post.id)
      .execute();
    if (imageUrl !== undefined && imageUrl !== post.imageUrl) {
      await trx.updateTable('deliveries').set({ imageUrn: null }).where('postId', '=', post.id).execute();
    }
    return findPost(trx, actor, post.id);
  });
}

/** Lets a post that waited for approval go out at its slot, or at the next free one when that is past. */
export async function approvePost(db: Db, actor: Actor, postId: string, now = new Date()): Promise<Post> {
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const post = await lockOwnPost(trx, actor, postId);
    if (post.status !== 'pending') {
      throw new Refusal(409, 'not_pending', 'This post does not wait for approval');
    }
    await trx.updateTable('posts').set({ status: 'generated' }).where('id', '=', post.id).execute();
    await letGo(trx, actor.userId, post.id, now);
    return findPost(trx, actor, post.id);
  });
}

async function letGo(trx: Trx, userId: string, postId: string, now: Date): Promise<void> {
  const delivery = await trx
    .selectFrom('deliveries')
    .select('dueAt')
    .where('postId', '=', postId)
    .executeTakeFirst();
  if (!delivery || delivery.dueAt > now) return;
  const timetable = await readTimetable(trx, userId, now);
  const [slot] = await findFreeSlots(trx, userId, timetable, now, 1);
  await moveToSlot(trx, postId, slot!);
}

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
      const message = 'This post was published a moment ago. Delete it again to take it down from LinkedIn';
      throw new Refusal(409, 'already_published', message);
    }
    await trx.deleteFrom('deliveries').where('postId', '=', locked.id).execute();
    await trx.updateTable('posts').set({ deletedAt: now }).where('id', '=', locked.id).execute();
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
