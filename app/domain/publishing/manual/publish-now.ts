import { type Db, type Trx, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { requireActive } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { FAILURES, isDuplicate } from '#app/domain/posts/failures.ts';
import { urnOfAddress } from '#app/domain/posts/linkedin-urls.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { canGoBack } from '#app/domain/posts/present.ts';
import { REFUSALS_A_DAY_MAX } from '#app/domain/publishing/limits.ts';
import { findOwnSlot } from '#app/domain/publishing/slots/waiting-posts.ts';
import { URN_KEY } from '#app/domain/publishing/state/linkedin-urns.ts';
import {
  alreadyPublished,
  lockOwnPost,
  requireRead,
  requireReleased,
  undecided,
} from '#app/domain/publishing/state/lock-own-post.ts';
import { markPublished, markScheduled, type StoredPost } from '#app/domain/publishing/state/post-state.ts';
import { moveToFreeSlot, sendByHand } from '#app/domain/publishing/state/schedule.ts';
import { refuseTooSoon } from './test-post.ts';

const DAY_MS = 86_400_000;

/** The actor's post under lock, after the user's, under which a time is given and a test is let go. */
async function lockToSend(trx: Trx, actor: Actor, postId: string): Promise<StoredPost> {
  await lockUser(trx, actor.userId);
  return lockOwnPost(trx, actor, postId);
}

async function sendNow(trx: Trx, actor: Actor, { id, visibility }: StoredPost, at?: Date): Promise<void> {
  const now = at ?? (await databaseTime(trx));
  await requireActive(trx, actor.userId);
  if (!(await isUserConnected(trx, actor.userId, now)))
    throw new Refusal(409, 'linkedin_not_connected', 'Please connect LinkedIn first');
  if (visibility !== 'PUBLIC') await refuseTooSoon(trx, actor, now, id);
  await sendByHand(trx, id, now);
  await markScheduled(trx, id);
}

/** `revision` is what its owner has read: they send that text and no other. */
type ToSend = [db: Db, actor: Actor, postId: string, revision?: number, now?: Date];
type ManualInput = { trx: Trx; actor: Actor; post: StoredPost; now: Date | undefined };

/** Sends a post as soon as a worker takes it, whatever its slot, when `check` refuses nothing. */
const sends =
  (deed: string, check: (asked: ManualInput) => Promise<void> | void) =>
  (...[db, actor, postId, revision, now]: ToSend): Promise<void> =>
    transact(db, async (trx) => {
      const post = await lockToSend(trx, actor, postId);
      await check({ trx, actor, post, now });
      requireRead(post, revision, deed);
      await sendNow(trx, actor, post, now);
    });

/** Publishes a scheduled post. */
export const publishNow = sends('publish it', ({ post }) => {
  if (post.status === 'published') throw alreadyPublished();
  if (post.status === 'failed') throw new Refusal(409, 'failed', 'This post failed. Use Retry');
});

/**
 * Takes "Publish now" back, as long as nothing was sent and the time of the post is still to come. One that was not
 * approved waits for that again.
 */
export async function backToItsTime(db: Db, actor: Actor, postId: string): Promise<Post> {
  return transact(db, async (trx) => {
    const post = await lockToSend(trx, actor, postId);
    await requireReleased(trx);
    const now = await databaseTime(trx);
    if (!canGoBack(await findPost(trx, actor, post.id), now))
      throw new Refusal(409, 'not_waiting', 'This post cannot go back to its time');
    // Settings that were saved meanwhile give its slot another time.
    const timetable = await readTimetable(trx, actor.userId, now);
    await moveToFreeSlot(trx, post.id, await findOwnSlot(trx, post, timetable, now));
    return findPost(trx, actor, post.id);
  });
}

/** LinkedIn counts what it refuses, for all of us together. */
async function refuseOften(trx: Trx, { timeZone }: Actor, postId: string, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const refused = await trx
    .selectFrom('publishAttempts')
    .select('startedAt')
    .where('postId', '=', postId)
    .where('state', '=', 'refused')
    .where('startedAt', '>', dayAgo)
    .orderBy('startedAt', 'desc')
    .limit(REFUSALS_A_DAY_MAX)
    .execute();
  if (refused.length < REFUSALS_A_DAY_MAX) return;
  const from = formatInstant(new Date(refused.at(-1)!.startedAt.getTime() + DAY_MS), timeZone);
  const message = `LinkedIn has refused this post ${REFUSALS_A_DAY_MAX} times within a day. You can try again from ${from}`;
  throw new Refusal(429, 'rate_limited', message);
}

/** Sends a failed post again. One that LinkedIn did not confirm waits for its owner's decision first. */
export const retryPost = sends('try again', async ({ trx, actor, post, now }) => {
  if (post.status !== 'failed') throw new Refusal(409, 'not_failed', 'Only a failed post can be tried again');
  if (post.isUnconfirmed) throw undecided();
  if (isDuplicate(post)) throw new Refusal(409, 'duplicate', FAILURES.duplicate.reason);
  await refuseOften(trx, actor, post.id, now ?? (await databaseTime(trx)));
});

/** The urn in the link a person pasted; null when they pasted nothing. */
function readLink(link: string): string | null {
  if (link.trim() === '') return null;
  const urn = urnOfAddress(link);
  if (urn) return urn;
  const message =
    'This is not the address of a LinkedIn post. Open the post, choose Copy link and paste that';
  throw new Refusal(422, 'invalid', message, { field: 'link' });
}

/** LinkedIn did not confirm it, and its owner is to say what became of it. */
function requireUndecided({ status, isUnconfirmed }: StoredPost): void {
  if (status !== 'failed' || !isUnconfirmed)
    throw new Refusal(409, 'not_unconfirmed', 'There is nothing to decide about this post');
}

/**
 * "Post it again": the user did not find an unconfirmed post on their profile. It stays unconfirmed, so that
 * nothing can change it, until LinkedIn has answered to the very same text.
 */
export const postAgain = sends('decide', ({ post }) => requireUndecided(post));

/** When a post was sent that its owner has found: by the last attempt that may be there. */
const findSent = (trx: Trx, postId: string) =>
  trx
    .selectFrom('publishAttempts')
    .select('startedAt')
    .where('postId', '=', postId)
    .where('state', 'in', ['unknown', 'held'])
    .orderBy('startedAt', 'desc')
    .executeTakeFirst();

/** "It is there": the user found an unconfirmed post on their profile; its address is optional. */
export async function acknowledgePost(
  db: Db,
  actor: Actor,
  input: { postId: string; link: string },
  now?: Date,
): Promise<void> {
  const urn = readLink(input.link);
  try {
    await transact(db, async (trx) => {
      const post = await lockToSend(trx, actor, input.postId);
      requireUndecided(post);
      // A restored database can have lost the attempt.
      const sentAt = (await findSent(trx, post.id))?.startedAt ?? now ?? (await databaseTime(trx));
      await markPublished(trx, post, urn, sentAt);
    });
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== URN_KEY) throw error;
    throw new Refusal(409, 'link_taken', 'This link belongs to another post of yours', { field: 'link' });
  }
}
