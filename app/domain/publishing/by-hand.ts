import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { enqueue, jobs } from '#app/domain/jobs.ts';
import { isId } from '#app/domain/paging.ts';
import { notFound, Refusal } from '#app/domain/refusal.ts';
import { hasOpenAttempt, isConnected } from './standing.ts';

const alreadyPublished = () => new Refusal(409, 'already_published', 'This post is already published');
const beingPublished = () => new Refusal(409, 'being_published', 'This post is being published now');

/**
 * The actor's post under lock. Refuses one whose publication has started and is not settled: nobody may
 * change or delete what LinkedIn may be taking at this moment.
 */
export async function lockOwnPost(trx: Trx, actor: Actor, postId: string) {
  const post = isId(postId)
    ? await trx
        .selectFrom('posts')
        .selectAll()
        .where('id', '=', postId)
        .where('userId', '=', actor.userId)
        .where('deletedAt', 'is', null)
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!post) throw notFound('This post');
  if (await hasOpenAttempt(trx, post.id)) throw beingPublished();
  return post;
}

async function requireConnection(trx: Trx, actor: Actor): Promise<void> {
  if (!(await isConnected(trx, actor.userId)))
    throw new Refusal(409, 'linkedin_not_connected', 'Please connect LinkedIn first');
}

async function sendNow(trx: Trx, actor: Actor, postId: string, now: Date): Promise<void> {
  await requireConnection(trx, actor);
  const due = {
    dueAt: now,
    isByHand: true,
    heldAt: null,
    notBefore: null,
    enqueuedAt: now,
    leaseToken: null,
    leaseUntil: null,
  };
  await trx
    .insertInto('deliveries')
    .values({ postId, userId: actor.userId, ...due })
    .onConflict((conflict) => conflict.column('postId').doUpdateSet(due))
    .execute();
  await trx
    .updateTable('posts')
    .set({ status: 'generated', reason: null, isUnconfirmed: false })
    .where('id', '=', postId)
    .execute();
  await enqueue(trx, jobs.publishPost, { postId }, now);
}

/** Publishes a scheduled post as soon as a worker takes it, whatever its slot. */
export async function publishNow(db: Db, actor: Actor, postId: string, now = new Date()): Promise<void> {
  await transact(db, async (trx) => {
    const post = await lockOwnPost(trx, actor, postId);
    if (post.status === 'published') throw alreadyPublished();
    if (post.status === 'failed') throw new Refusal(409, 'failed', 'This post failed. Use Retry');
    await sendNow(trx, actor, post.id, now);
  });
}

/** Sends a failed post again. For one that LinkedIn did not confirm this is "Post it again". */
export async function retryPost(db: Db, actor: Actor, postId: string, now = new Date()): Promise<void> {
  await transact(db, async (trx) => {
    const post = await lockOwnPost(trx, actor, postId);
    if (post.status !== 'failed')
      throw new Refusal(409, 'not_failed', 'Only a failed post can be tried again');
    await sendNow(trx, actor, post.id, now);
  });
}

/** The urn in the address of a post: raw, encoded, or as `…-activity-123…` in a link from "Copy link". */
function urnOfLink(link: string): string | null {
  const found = /(?:urn:li:|-)(share|ugcPost|activity)[:-](\d+)/.exec(link.replace(/%3a/gi, ':'));
  return found && `urn:li:${found[1]}:${found[2]}`;
}

/** "It is there": the user found an unconfirmed post on their profile; the link is optional. */
export async function acknowledgePost(
  db: Db,
  actor: Actor,
  input: { postId: string; link: string },
  now = new Date(),
): Promise<void> {
  const urn = urnOfLink(input.link);
  await transact(db, async (trx) => {
    const post = await lockOwnPost(trx, actor, input.postId);
    if (post.status !== 'failed' || !post.isUnconfirmed) {
      throw new Refusal(409, 'not_unconfirmed', 'There is nothing to decide about this post');
    }
    const other = await trx.selectFrom('posts').select('id').where('networkUrn', '=', urn).executeTakeFirst();
    if (other && other.id !== post.id) {
      throw new Refusal(409, 'link_taken', 'This link belongs to another post', { field: 'link' });
    }
    await trx
      .updateTable('posts')
      .set({ status: 'published', postedAt: now, networkUrn: urn, reason: null, isUnconfirmed: false })
      .where('id', '=', post.id)
      .execute();
  });
}
