import { type Db, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { AccessDelayed } from '#app/domain/linkedin/access/delayed.ts';
import { type Access, markConnectionExpired, withAccessToken } from '#app/domain/linkedin/connection.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { presentDeletion } from '#app/domain/posts/deletion.ts';
import { postUrl, recentActivityUrl } from '#app/domain/posts/linkedin-urls.ts';
import { findPost, isDeleted, type Post } from '#app/domain/posts/lists/post.ts';
import { noteVersions, tryVersions } from '#app/domain/publishing/send/call.ts';
import {
  alreadyPublished,
  lockOwnPost,
  requireReleased,
} from '#app/domain/publishing/state/lock-own-post.ts';
import { markDeleted } from '#app/domain/publishing/state/post-state.ts';
import { findDueAt } from '#app/domain/publishing/state/schedule.ts';
import { type DeleteOutcome, deletePost as deleteOnNetwork } from '#app/integrations/linkedin/posts.ts';

/**
 * `isGoneThere`: it was on LinkedIn and is not any more. When it may be there, `why` says so and what helps, in words,
 * and `url` is where to look.
 */
export type TakenDown = { isGoneThere: boolean; why: string | null; url?: string };

/** `isHereOnly`: LinkedIn is left out. `beforeCall` runs before LinkedIn is asked, and may refuse that. */
type Manner = { isHereOnly?: boolean; beforeCall?: () => Promise<void> };

const GONE: TakenDown = { isGoneThere: true, why: null };
const DELETED: TakenDown = { isGoneThere: false, why: null };
const left = ({ networkUrn }: Post, why: string): TakenDown => ({
  isGoneThere: false,
  url: postUrl(networkUrn) ?? recentActivityUrl(),
  why: `${why}, so it was deleted here only. If it is still on LinkedIn, delete it there yourself`,
});

/**
 * Deletes a post. A published one is deleted on LinkedIn first, where that can be: under a share or ugcPost urn
 * that LinkedIn named in an answer to one of our attempts for the connected member. When LinkedIn does not confirm,
 * nothing is deleted here, unless its owner wants that only (`isHereOnly`). Deleting again also succeeds.
 */
export async function deletePost(
  db: Db,
  actor: Actor,
  postId: string,
  manner: Manner = {},
): Promise<TakenDown> {
  let became = DELETED;
  try {
    const post = await findPost(db, actor, postId);
    became = await takeDown(db, actor, post, manner);
    await markTakenDown(db, actor, post);
  } catch (error) {
    // Who deletes what somebody has deleted beside them has what they want.
    if (!(error instanceof Refusal) || !(await isDeleted(db, actor, postId))) throw error;
  }
  return became;
}

/** In a restored database: what was due is its owner's to decide about, and not to come back into the queue. */
const CHECKED = 'Publishing is being checked, and this post may be on LinkedIn. Try again later';

async function markTakenDown(db: Db, actor: Actor, post: Post): Promise<void> {
  await transact(db, async (trx) => {
    const locked = await lockOwnPost(trx, actor, post.id);
    if (locked.status === 'published' && post.status !== 'published') {
      throw alreadyPublished(
        'This post was published a moment ago. Delete it again to take it down from LinkedIn',
      );
    }
    const [dueAt, now] = [await findDueAt(trx, locked), await databaseTime(trx)];
    if (dueAt && dueAt <= now) await requireReleased(trx, CHECKED);
    await markDeleted(trx, locked.id, now);
  });
}

async function takeDown(db: Db, actor: Actor, post: Post, manner: Manner): Promise<TakenDown> {
  switch (presentDeletion(post).kind) {
    case 'gone':
      return DELETED;
    case 'mayStay':
      return left(post, 'LinkedIn never said whether it has this post');
    case 'stays':
      return left(
        post,
        post.networkUrn
          ? 'We delete on LinkedIn only what it has named to us, and the link is one that you gave'
          : 'We do not know where this post is on LinkedIn',
      );
    case 'elsewhere':
    case 'disconnected':
    case 'takesDown':
      if (manner.isHereOnly) return left(post, 'LinkedIn was not asked');
      await manner.beforeCall?.();
      return callToDelete(db, actor, post);
  }
}

/** The member who is connected when it is deleted counts, whoever was when its owner was asked. */
async function callToDelete(db: Db, actor: Actor, post: Post): Promise<TakenDown> {
  const access = await accessFor(db, actor);
  if (access.authorUrn !== post.authorUrn) {
    return left(post, 'It was published on another LinkedIn account than the one that is connected');
  }
  const urn = post.networkUrn!;
  const tried = await tryVersions(access, (caller) => deleteOnNetwork({ ...caller, urn }));
  await noteVersions(db, tried, new Date());
  const { outcome } = tried;
  if (outcome.kind === 'deleted') return GONE;
  if (outcome.kind === 'unauthorized') {
    await transact(db, (trx) => markConnectionExpired(trx, actor.userId, access.tokenSealed));
  }
  throw notDeleted(outcome);
}

async function accessFor(db: Db, actor: Actor): Promise<Access> {
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
