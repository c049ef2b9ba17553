import type { Trx } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isFixedBy } from '#app/domain/posts/failures.ts';
import { rewritePost } from '#app/domain/posts/rows.ts';
import { storeVersion, type VersionText } from '#app/domain/posts/versions.ts';
import { hasOpenAttempt } from '#app/domain/publishing/predicates.ts';
import { requestForRewritten } from '#app/domain/queue/approval/approve.ts';
import { alreadyPublished, lockOwnPost, undecided } from '#app/domain/queue/lock-own-post.ts';
import { lockPost, markFixed, type StoredPost } from '#app/domain/queue/post-state.ts';
import { asItIs } from './edit.ts';

/** What is known of how a text came about goes with it. */
type Swap = { text: VersionText; before: Record<string, unknown> | null };

/** Gives a post another text; what it said before is kept as a version. */
export async function giveText(trx: Trx, post: StoredPost, { text, before }: Swap, now: Date): Promise<void> {
  const { id, userId, content, hashtags } = post;
  await storeVersion(trx, { postId: id, userId }, { content, hashtags, made: before }, now);
  await rewritePost(trx, post, { content: text.content, hashtags: text.hashtags });
  if (isFixedBy(post.failure, { isOtherText: true, isOtherPicture: false })) await markFixed(trx, post);
}

/** Whether its text can be another one; refuses with the reason. */
export async function lockForText(trx: Trx, actor: Actor, postId: string): Promise<StoredPost> {
  const post = await lockOwnPost(trx, actor, postId);
  if (post.status === 'published') throw alreadyPublished();
  if (post.isUnconfirmed) throw undecided();
  if (post.visibility !== 'PUBLIC') throw asItIs();
  return post;
}

/** It is being sent, or its owner has sent the text that it has. */
async function isGoing(trx: Trx, postId: string): Promise<boolean> {
  const { isOpen, isManual } = await trx
    .selectFrom('postSchedules')
    .select(['isManual', hasOpenAttempt('postSchedules.postId').as('isOpen')])
    .where('postId', '=', postId)
    .executeTakeFirstOrThrow();
  return isOpen || isManual;
}

/** What became of a text that was written again. */
export type Taken = 'taken' | 'same' | 'changed' | 'gone';

const isSame = (one: Pick<VersionText, 'content' | 'hashtags'>, { content, hashtags }: VersionText) =>
  one.content === content && one.hashtags.join() === hashtags.join();

/**
 * Gives a post the text that was written for it again, unless it was changed since the revision from which that began,
 * or goes out: then the text is kept as a version. It was read by nobody yet, so where its owner approves posts it waits
 * for that anew.
 */
export async function takeRewritten(
  trx: Trx,
  postId: string,
  revision: number,
  swap: Swap,
  now: Date,
): Promise<Taken> {
  const post = await lockPost(trx, postId);
  if (!post) return 'gone';
  if (isSame(post, swap.text)) return 'same';
  const keep = () => storeVersion(trx, { postId, userId: post.userId }, swap.text, now);
  if (post.status === 'published' || post.isUnconfirmed || (await isGoing(trx, postId))) {
    await keep();
    return 'gone';
  }
  if (post.revision !== revision) {
    await keep();
    return 'changed';
  }
  await giveText(trx, post, swap, now);
  await requestForRewritten(trx, postId);
  return 'taken';
}
