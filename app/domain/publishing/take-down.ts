import { type Db, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { AccessDelayed } from '#app/domain/linkedin/access-delayed.ts';
import { type Access, markConnectionExpired, withAccessToken } from '#app/domain/linkedin/connection.ts';
import { isDeletable } from '#app/domain/posts/addresses.ts';
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
 * that LinkedIn named to us or its owner pasted. When LinkedIn does not confirm, nothing is deleted here.
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
  const { networkUrn: urn, status } = post;
  if (status !== 'published') {
    return describeDeletion(post).kind === 'mayStay'
      ? left('LinkedIn never told whether it has this post')
      : GONE;
  }
  if (!urn) return left('We do not know where this post is on LinkedIn');
  if (!isDeletable(urn)) return left('LinkedIn does not delete a post by the kind of link that we have');
  const isNamed = await isNamedByLinkedIn(db, post.id, urn);
  const access = await accessFor(db, actor);
  const outcome = await callToDelete(db, access, urn);
  if (outcome.kind === 'deleted' && (isNamed || outcome.status !== 404)) return GONE;
  const isElsewhere = outcome.kind === 'deleted' || (outcome.kind === 'refused' && outcome.status === 403);
  if (isElsewhere && !isNamed) return left('LinkedIn has no post of yours at the link that you gave');
  if (outcome.kind === 'unauthorized') {
    await transact(db, (trx) => markConnectionExpired(trx, actor.userId, access.tokenSealed));
  }
  throw notDeleted(outcome);
}

/** Whether LinkedIn itself answered with this urn to an attempt at the post; otherwise its owner pasted it. */
async function isNamedByLinkedIn(db: Db, postId: string, urn: string): Promise<boolean> {
  const row = await db
    .selectFrom('publications')
    .select('id')
    .where('postId', '=', postId)
    .where('networkUrn', '=', urn)
    .executeTakeFirst();
  return row !== undefined;
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

async function callToDelete(db: Db, access: Access, urn: string): Promise<DeleteOutcome> {
  const tried = await tryVersions(access, (caller) => deleteOnNetwork({ ...caller, urn }));
  await noteVersions(db, tried, new Date());
  return tried.outcome;
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
