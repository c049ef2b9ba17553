import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { requireEnabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isSetAside } from '#app/domain/posts/failures.ts';
import { findPost, isDeleted, type Post } from '#app/domain/posts/lists/post.ts';
import { skipPost } from '#app/domain/publishing/slots/move.ts';
import {
  alreadyPublished,
  CHANGED_ELSEWHERE,
  lockOwnPost,
  unconfirmed,
} from '#app/domain/publishing/state/lock-own-post.ts';
import type { StoredPost } from '#app/domain/publishing/state/post-state.ts';
import { approvePost } from './approve.ts';
import type { ApprovalLink } from './links.ts';

const changedSince = () =>
  new Refusal(
    409,
    CHANGED_ELSEWHERE,
    'The text was changed after you opened this page, so nothing was approved. Read the new text below, then approve it',
  );

const refuse = (code: string, message: string) => new Refusal(409, code, message);

const deleted = () => refuse('deleted', 'This post was deleted, so nothing of it is published');

function alreadyDecided(post: StoredPost): Refusal {
  if (post.status === 'published') return alreadyPublished();
  if (post.isUnconfirmed) return unconfirmed();
  if (post.status === 'generated') return refuse('approved', 'This post is approved already');
  if (post.failure === 'skipped') return refuse('skipped', 'You skipped this post, so it waits for nothing');
  if (isSetAside(post)) return refuse('set_aside', 'This post was set aside. Sign in to schedule it again');
  return refuse('failed', 'This post was approved, and could not be published. Sign in to see why');
}

/** `isRepeated`: the post was decided so before, and nothing was changed. */
type Decided = { post: Post; isRepeated: boolean };

type Decision = {
  isDone: (post: StoredPost) => boolean;
  act: (trx: Trx, actor: Actor, post: StoredPost, now: Date) => Promise<unknown>;
};

async function decide(db: Db, { actor, postId }: ApprovalLink, decision: Decision, at?: Date) {
  return transact(db, async (trx): Promise<Decided> => {
    await lockUser(trx, actor.userId);
    await requireEnabled(trx, actor.userId);
    if (await isDeleted(trx, actor, postId)) throw deleted();
    const post = await lockOwnPost(trx, actor, postId);
    const isRepeated = decision.isDone(post);
    if (!isRepeated) {
      if (post.status !== 'pending') throw alreadyDecided(post);
      const now = at ?? (await databaseTime(trx));
      await decision.act(trx, actor, post, now);
      await trx
        .updateTable('postSchedules')
        .set({ decidedByEmailAt: now })
        .where('postId', '=', postId)
        .where('userId', '=', actor.userId)
        .execute();
    }
    return { post: await findPost(trx, actor, postId), isRepeated };
  });
}

export const approveByEmail = (db: Db, link: ApprovalLink, readRevision: number, at?: Date) =>
  decide(
    db,
    link,
    {
      isDone: ({ status }) => status === 'generated',
      act: async (trx, actor, { id, revision }, now) => {
        if (revision !== readRevision) throw changedSince();
        await approvePost(trx, actor, id, readRevision, now);
      },
    },
    at,
  );

export const skipByEmail = (db: Db, link: ApprovalLink, at?: Date) =>
  decide(
    db,
    link,
    {
      isDone: ({ status, failure }) => status === 'failed' && failure === 'skipped',
      act: (trx, actor, { id }) => skipPost(trx, actor, id),
    },
    at,
  );
