import { sql } from 'kysely';
import type { Trx } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { hasOpenAttempt, isReleasedHere } from '#app/domain/publishing/predicates.ts';
import { lockPost, type StoredPost } from './post-state.ts';

export const alreadyPublished = (message = 'This post is already published') =>
  new Refusal(409, 'already_published', message);

/** Nothing is sent or changed by any door until its owner has said whether it is on LinkedIn. */
export const undecided = () =>
  new Refusal(
    409,
    'unconfirmed',
    'LinkedIn did not confirm this post. Look at your profile, then press "It is there" or "Post it again" in Post History',
  );

/** The code of what is refused because the post says something else than its owner has before them. */
export const CHANGED_ELSEWHERE = 'changed_elsewhere';

export const beingPublished = () => new Refusal(409, 'being_published', 'This post is being published now');

/**
 * The actor's post under lock. Refuses one whose publication has started and is not settled: nobody may
 * change or delete what LinkedIn may be taking at this moment.
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

/**
 * Refuses when the post says something else than at the revision that its owner read: what was not read is neither
 * approved nor sent. Without one nothing is compared.
 */
export function requireRead({ revision }: StoredPost, read: number | undefined, act: string): void {
  if (read === undefined || read === revision) return;
  const message = `This post was changed after you opened this page. Read it again, then ${act}`;
  throw new Refusal(409, CHANGED_ELSEWHERE, message);
}

export async function isReleased(trx: Trx): Promise<boolean> {
  const { isReleased } = await trx
    .selectNoFrom(sql<boolean>`${isReleasedHere}`.as('isReleased'))
    .executeTakeFirstOrThrow();
  return isReleased;
}

/**
 * In a restored database a post may be out, and those that are due are handed to their owners: none leaves its place
 * until the operator has looked.
 */
export async function requireReleased(
  trx: Trx,
  message = 'Publishing is being checked, so posts keep their times now. Try again later',
): Promise<void> {
  if (!(await isReleased(trx))) throw new Refusal(409, 'publishing_checked', message);
}
