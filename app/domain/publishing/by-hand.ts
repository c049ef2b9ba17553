import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import { findPostByUrn, markPublished, markScheduled } from '#app/domain/posts/rows.ts';
import { sendByHand } from '#app/domain/queue/deliveries.ts';
import { alreadyPublished, lockOwnPost } from '#app/domain/queue/own-post.ts';
import { Refusal } from '#app/domain/refusal.ts';

async function sendNow(trx: Trx, actor: Actor, postId: string, now: Date): Promise<void> {
  if (!(await isUserConnected(trx, actor.userId, now)))
    throw new Refusal(409, 'linkedin_not_connected', 'Please connect LinkedIn first');
  await sendByHand(trx, postId, actor.userId, now);
  await markScheduled(trx, postId);
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
    const other = await findPostByUrn(trx, urn);
    if (other && other.id !== post.id) {
      throw new Refusal(409, 'link_taken', 'This link belongs to another post', { field: 'link' });
    }
    await markPublished(trx, post.id, urn, now);
  });
}
