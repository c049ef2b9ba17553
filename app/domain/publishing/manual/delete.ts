import { type Db, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { AccessDelayed } from '#app/domain/linkedin/access/delayed.ts';
import { type Access, markConnectionExpired, withAccessToken } from '#app/domain/linkedin/connection.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { presentDeletion } from '#app/domain/posts/deletion.ts';
import { postUrl, recentActivityUrl } from '#app/domain/posts/linkedin-urls.ts';
import { findPost, isDeleted, type Post } from '#app/domain/posts/lists/post.ts';
import { recordVersions, tryVersions } from '#app/domain/publishing/send/call.ts';
import {
  alreadyPublished,
  lockOwnPost,
  requireReleased,
} from '#app/domain/publishing/state/lock-own-post.ts';
import { markDeleted } from '#app/domain/publishing/state/post-state.ts';
import { findDueAt } from '#app/domain/publishing/state/schedule.ts';
import { type DeleteOutcome, deletePost as deleteOnNetwork } from '#app/integrations/linkedin/posts.ts';

/**
 * `isGoneThere`: the post was removed from LinkedIn. When it may still be there, `why` explains that to the user, and
 * `url` is where to look.
 */
export type DeletionResult = { isGoneThere: boolean; why: string | null; url?: string };

/** `isHereOnly`: LinkedIn is not called. `beforeCall` runs before the call and may throw a refusal. */
type DeleteOptions = { isHereOnly?: boolean; beforeCall?: () => Promise<void> };

const REMOVED: DeletionResult = { isGoneThere: true, why: null };
const DELETED: DeletionResult = { isGoneThere: false, why: null };
const notRemoved = ({ networkUrn }: Post, why: string): DeletionResult => ({
  isGoneThere: false,
  url: postUrl(networkUrn) ?? recentActivityUrl(),
  why: `${why}, so it was deleted here only. If it is still on LinkedIn, delete it there yourself`,
});

/**
 * Deletes a post. A published post is deleted on LinkedIn first, if it has a share or ugcPost urn from a response of
 * LinkedIn to an attempt for the connected member. When LinkedIn does not confirm, nothing is deleted here, unless
 * `isHereOnly`. Deleting a deleted post succeeds.
 */
export async function deletePost(
  db: Db,
  actor: Actor,
  postId: string,
  options: DeleteOptions = {},
): Promise<DeletionResult> {
  let result = DELETED;
  try {
    const post = await findPost(db, actor, postId);
    result = await removeFromLinkedIn(db, actor, post, options);
    await markDeletedHere(db, actor, post);
  } catch (error) {
    // A post that was deleted concurrently is deleted.
    if (!(error instanceof Refusal) || !(await isDeleted(db, actor, postId))) throw error;
  }
  return result;
}

/** In a restored database due posts are handed to the user to decide, and cannot be deleted before. */
const BEING_CHECKED = 'Publishing is being checked, and this post may be on LinkedIn. Try again later';

async function markDeletedHere(db: Db, actor: Actor, post: Post): Promise<void> {
  await transact(db, async (trx) => {
    const locked = await lockOwnPost(trx, actor, post.id);
    if (locked.status === 'published' && post.status !== 'published') {
      throw alreadyPublished(
        'This post was published a moment ago. Delete it again to take it down from LinkedIn',
      );
    }
    const [dueAt, now] = [await findDueAt(trx, locked), await databaseTime(trx)];
    if (dueAt && dueAt <= now) await requireReleased(trx, BEING_CHECKED);
    await markDeleted(trx, locked.id, now);
  });
}

async function removeFromLinkedIn(
  db: Db,
  actor: Actor,
  post: Post,
  options: DeleteOptions,
): Promise<DeletionResult> {
  switch (presentDeletion(post).kind) {
    case 'gone':
      return DELETED;
    case 'mayStay':
      return notRemoved(post, 'LinkedIn never said whether it has this post');
    case 'stays':
      return notRemoved(
        post,
        post.networkUrn
          ? 'We delete on LinkedIn only what it has named to us, and the link is one that you gave'
          : 'We do not know where this post is on LinkedIn',
      );
    case 'elsewhere':
    case 'disconnected':
    case 'takesDown':
      if (options.isHereOnly) return notRemoved(post, 'LinkedIn was not asked');
      await options.beforeCall?.();
      return callToDelete(db, actor, post);
  }
}

/** The member may have changed since the user was asked, so the one connected now is compared. */
async function callToDelete(db: Db, actor: Actor, post: Post): Promise<DeletionResult> {
  const access = await requireAccess(db, actor);
  if (access.authorUrn !== post.authorUrn) {
    return notRemoved(post, 'It was published on another LinkedIn account than the one that is connected');
  }
  const urn = post.networkUrn!;
  const tried = await tryVersions(access, (caller) => deleteOnNetwork({ ...caller, urn }));
  await recordVersions(db, tried, new Date());
  const { outcome } = tried;
  if (outcome.kind === 'deleted') return REMOVED;
  if (outcome.kind === 'unauthorized') {
    await transact(db, (trx) => markConnectionExpired(trx, actor.userId, access.tokenSealed));
  }
  throw notDeleted(outcome);
}

async function requireAccess(db: Db, actor: Actor): Promise<Access> {
  try {
    const access = await withAccessToken(db, actor.userId);
    if (access) return access;
  } catch (error) {
    if (!(error instanceof AccessDelayed)) throw error;
    const retryAfter = error.retryAfterSeconds ?? undefined;
    throw Object.assign(unavailable('LinkedIn is not available now', retryAfter), { cause: error });
  }
  const message = 'Connect LinkedIn first, so that the post can be deleted there';
  throw new Refusal(409, 'linkedin_not_connected', message);
}

const unavailable = (what: string, retryAfter?: number) =>
  new Refusal(502, 'linkedin_unavailable', `${what}. Nothing was deleted. Try again later`, { retryAfter });

function notDeleted(outcome: DeleteOutcome): Refusal {
  switch (outcome.kind) {
    case 'unauthorized': {
      const message =
        'LinkedIn no longer accepts our permission. Connect LinkedIn again, then delete the post';
      return new Refusal(409, 'linkedin_not_connected', message);
    }
    case 'throttled':
      return unavailable('LinkedIn asks us to wait', outcome.retryAfterSeconds ?? undefined);
    case 'version':
      return unavailable('LinkedIn refuses the version of its API that we use, and our operator is told');
    case 'refused':
      return unavailable(`LinkedIn refused to delete the post (${outcome.code ?? outcome.status})`);
    default:
      return unavailable('LinkedIn did not delete the post');
  }
}
