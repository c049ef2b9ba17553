import type { Trx } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isFixedBy } from '#app/domain/posts/failures.ts';
import { rewritePost } from '#app/domain/posts/rows.ts';
import { storeVersion, type VersionText } from '#app/domain/posts/versions.ts';
import { requireApprovalOfRewritten } from '#app/domain/publishing/approval/approve.ts';
import { hasOpenAttempt } from '#app/domain/publishing/predicates.ts';
import { lockOwnPost } from '#app/domain/publishing/state/lock-own-post.ts';
import { lockPost, markFixed, type StoredPost } from '#app/domain/publishing/state/post-state.ts';
import { requireEditable } from './edit.ts';

/** A new text, and how the text before it was made. */
type Replacement = { text: VersionText; before: Record<string, unknown> | null };

export async function replaceText(
  trx: Trx,
  post: StoredPost,
  { text, before }: Replacement,
  now: Date,
): Promise<void> {
  const { id, userId, content, hashtags } = post;
  await storeVersion(trx, { postId: id, userId }, { content, hashtags, made: before }, now);
  await rewritePost(trx, post, { content: text.content, hashtags: text.hashtags });
  if (isFixedBy(post.failure, { isOtherText: true, isOtherPicture: false })) await markFixed(trx, post);
}

export async function lockForRewrite(trx: Trx, actor: Actor, postId: string): Promise<StoredPost> {
  const post = await lockOwnPost(trx, actor, postId);
  requireEditable(post);
  return post;
}

/** Returns whether the post has an open attempt, or the user published its current text manually. */
async function isBeingSent(trx: Trx, postId: string): Promise<boolean> {
  const { isOpen, isManual } = await trx
    .selectFrom('postSchedules')
    .select(['isManual', hasOpenAttempt('postSchedules.postId').as('isOpen')])
    .where('postId', '=', postId)
    .executeTakeFirstOrThrow();
  return isOpen || isManual;
}

export type RewriteOutcome = 'replaced' | 'same' | 'changed' | 'unavailable';

const isSame = (one: Pick<VersionText, 'content' | 'hashtags'>, { content, hashtags }: VersionText) =>
  one.content === content && one.hashtags.join() === hashtags.join();

/**
 * Replaces the text of a post by a rewritten one. When the post has changed since `revision`, or is being sent, the new
 * text is only stored as a version. The user has not read the new text, so it may need approval again.
 */
export async function applyRewrite(
  trx: Trx,
  postId: string,
  revision: number,
  replacement: Replacement,
  now: Date,
): Promise<RewriteOutcome> {
  const post = await lockPost(trx, postId);
  if (!post) return 'unavailable';
  if (isSame(post, replacement.text)) return 'same';
  const storeAsVersion = () => storeVersion(trx, { postId, userId: post.userId }, replacement.text, now);
  if (post.status === 'published' || post.isUnconfirmed || (await isBeingSent(trx, postId))) {
    await storeAsVersion();
    return 'unavailable';
  }
  if (post.revision !== revision) {
    await storeAsVersion();
    return 'changed';
  }
  await replaceText(trx, post, replacement, now);
  await requireApprovalOfRewritten(trx, postId);
  return 'replaced';
}
