import { sql } from 'kysely';
import type { Trx } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { hasOpenAttempt, isReleasedHere } from '#app/domain/publishing/predicates.ts';
import { lockPost, type StoredPost } from './post-state.ts';

export const alreadyPublished = (message = 'This post is already published') =>
  new Refusal(409, 'already_published', message);

/** An unconfirmed post is not sent or changed until the user has said whether it is on LinkedIn. */
export const unconfirmed = () =>
  new Refusal(
    409,
    'unconfirmed',
    'LinkedIn did not confirm this post. Look at your profile, then press "It is there" or "Post it again" in Post History',
  );

export const CHANGED_ELSEWHERE = 'changed_elsewhere';

export const beingPublished = () => new Refusal(409, 'being_published', 'This post is being published now');

/**
 * Locks the actor's post and returns it. Throws when it does not exist or has an open attempt: a post that LinkedIn may
 * be accepting at this moment must not be changed or deleted.
 */
export async function lockOwnPost(trx: Trx, actor: Actor, postId: string): Promise<StoredPost> {
  const post = isId(postId) ? await lockPost(trx, postId, actor.userId) : undefined;
  if (!post) throw notFound('This post');
  const { isOpen } = await trx
    .selectFrom('posts')
    .select(hasOpenAttempt('posts.id').as('isOpen'))
    .where('id', '=', post.id)
    .where('userId', '=', actor.userId)
    .executeTakeFirstOrThrow();
  if (isOpen) throw beingPublished();
  return post;
}

/** Throws when the post has changed since `readRevision`, which the user has read. `undefined` skips the check. */
export function requireSameRevision(
  { revision }: StoredPost,
  readRevision: number | undefined,
  action: string,
): void {
  if (readRevision === undefined || readRevision === revision) return;
  const message = `This post was changed after you opened this page. Read it again, then ${action}`;
  throw new Refusal(409, CHANGED_ELSEWHERE, message);
}

export async function isPublishingReleased(trx: Trx): Promise<boolean> {
  const { isReleased } = await trx
    .selectNoFrom(sql<boolean>`${isReleasedHere}`.as('isReleased'))
    .executeTakeFirstOrThrow();
  return isReleased;
}

/**
 * Throws in a restored database until the operator has released publishing: a post may be on LinkedIn already, and due
 * posts are handed to their users, so none of them may move.
 */
export async function requireReleased(
  trx: Trx,
  message = 'Publishing is being checked, so posts keep their times now. Try again later',
): Promise<void> {
  if (!(await isPublishingReleased(trx))) throw new Refusal(409, 'publishing_checked', message);
}
