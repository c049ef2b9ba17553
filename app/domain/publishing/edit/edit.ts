import { type Db, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isFixedBy } from '#app/domain/posts/failures.ts';
import { POST_MAX } from '#app/domain/posts/limits.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { deleteImage, rewritePost } from '#app/domain/posts/rows.ts';
import type { PostChange } from '#app/domain/posts/schema.ts';
import {
  alreadyPublished,
  CHANGED_ELSEWHERE,
  lockOwnPost,
  undecided,
} from '#app/domain/publishing/state/lock-own-post.ts';
import { markFixed, type StoredPost } from '#app/domain/publishing/state/post-state.ts';
import { isAllowedUrl } from '#app/integrations/http/address-guard.ts';
import { commentaryLength, commentaryOf } from '#app/integrations/linkedin/little-text.ts';

export const asItIs = () =>
  new Refusal(409, 'test_post', 'A test post goes out as it is. Delete it and send another one');

const changedElsewhere = () =>
  new Refusal(
    409,
    CHANGED_ELSEWHERE,
    'This post was changed elsewhere after you opened it here. What you typed is kept: save again to put it in the place of the other text',
    { field: 'revision' },
  );

type Edit = PostChange & { postId: string; revision?: number | undefined };

const isSaid = (post: StoredPost, { content, imageUrl, altText, hashtags }: PostChange) =>
  (content ?? post.content) === post.content &&
  (imageUrl === undefined || imageUrl === post.imageUrl) &&
  (altText === undefined || altText === post.altText) &&
  (hashtags ?? post.hashtags).join() === post.hashtags.join();

function requireEditable(post: StoredPost): void {
  if (post.status === 'published') throw alreadyPublished();
  if (post.isUnconfirmed) throw undecided();
  if (post.visibility !== 'PUBLIC') throw asItIs();
}

function requireShortEnough(content: string, hashtags: string[]): void {
  const length = commentaryLength(content, hashtags);
  if (length <= POST_MAX) return;
  const message = `With its hashtags the post has ${length.toLocaleString('en')} of ${POST_MAX.toLocaleString('en')} characters`;
  throw new Refusal(422, 'invalid', message, { field: 'content' });
}

/**
 * Edits a post that is not published. One that says something else than at the `revision` that somebody began from
 * is left alone; the same edit a second time changes nothing. A new picture is uploaded anew, and has no
 * description but a new one.
 */
export async function editPost(db: Db, actor: Actor, input: Edit, now?: Date): Promise<Post> {
  const { postId, content, imageUrl, altText, hashtags } = input;
  if (imageUrl && !isAllowedUrl(imageUrl)) {
    throw new Refusal(422, 'invalid', 'Invalid image URL', { field: 'imageUrl' });
  }
  return transact(db, async (trx) => {
    const post = await lockOwnPost(trx, actor, postId);
    requireEditable(post);
    if (isSaid(post, input)) return findPost(trx, actor, post.id);
    if (input.revision !== undefined && input.revision !== post.revision) throw changedElsewhere();
    const edited = { content: content ?? post.content, hashtags: hashtags ?? post.hashtags };
    requireShortEnough(edited.content, edited.hashtags);
    const isRewritten = edited.content !== post.content;
    const isOtherPicture = imageUrl !== undefined && imageUrl !== post.imageUrl;
    const isOtherText =
      commentaryOf(edited.content, edited.hashtags) !== commentaryOf(post.content, post.hashtags);
    await rewritePost(trx, post, {
      content,
      hashtags,
      imageUrl,
      altText: isOtherPicture ? (altText ?? null) : altText,
      ...(isRewritten ? { editedAt: now ?? (await databaseTime(trx)) } : {}),
    });
    if (isFixedBy(post.failure, { isOtherText, isOtherPicture })) await markFixed(trx, post);
    if (isOtherPicture) await deleteImage(trx, post.id, post.imageUrn);
    return findPost(trx, actor, post.id);
  });
}
