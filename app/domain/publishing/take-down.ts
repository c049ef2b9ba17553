import { type Db, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { AccessDelayed } from '#app/domain/linkedin/access-delayed.ts';
import { type Access, markConnectionExpired, withAccessToken } from '#app/domain/linkedin/connection.ts';
import { describeDeletion } from '#app/domain/posts/deletion.ts';
import { findPost, type Post } from '#app/domain/posts/posts.ts';
import { markDeleted } from '#app/domain/posts/rows.ts';
import { leaveQueue } from '#app/domain/queue/deliveries.ts';
import { alreadyPublished, lockOwnPost } from '#app/domain/queue/own-post.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { type DeleteOutcome, deletePost as deleteOnNetwork } from '#app/integrations/linkedin-posts.ts';
import { noteVersions, tryVersions } from './versions.ts';

/** `isGoneThere`: it is not on LinkedIn now. When that is not known, `why` says so and what helps, in words. */
export type TakenDown = { isGoneThere: boolean; why: string | null };

const GONE: TakenDown = { isGoneThere: true, why: null };
const left = (why: string): TakenDown => ({
  isGoneThere: false,
  why: `${why}, so it was deleted here only. If it is still on LinkedIn, delete it there yourself`,
});

/**
 * Deletes a post. A published one is deleted on LinkedIn first, where that can be: under a share or ugcPost urn
 * that LinkedIn named in an answer to one of our attempts. When LinkedIn does not confirm, nothing is deleted here.
 */
export async function deletePost(db: Db, actor: Actor, postId: string, now = new Date()): Promise<TakenDown> {
  const post = await findPost(db, actor, postId);
  const became = await takeDown(db, actor, post);
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
  return became;
}

async function takeDown(db: Db, actor: Actor, post: Post): Promise<TakenDown> {
  const { networkUrn: urn } = post;
  switch (describeDeletion(post).kind) {
    case 'gone':
      return GONE;
    case 'mayStay':
      return left('LinkedIn never told whether it has this post');
    case 'stays':
      return left(
        urn
          ? 'We delete on LinkedIn only what it has named to us, and the link is one that you gave'
          : 'We do not know where this post is on LinkedIn',
      );
    case 'takesDown':
      return callToDelete(db, actor, urn!);
  }
}

async function callToDelete(db: Db, actor: Actor, urn: string): Promise<TakenDown> {
  const access = await accessFor(db, actor);
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
