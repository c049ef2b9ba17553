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
  requireReleased,
  requireSameRevision,
  unconfirmed,
} from '#app/domain/publishing/state/lock-own-post.ts';
import { markPublished, markScheduled, type StoredPost } from '#app/domain/publishing/state/post-state.ts';
import { moveToFreeSlot, sendManually } from '#app/domain/publishing/state/schedule.ts';
import { requireTestAllowed } from './test-post.ts';

const DAY_MS = 86_400_000;

/** Locks the user, then the post: slots and the limits of test posts are checked under the lock of the user. */
async function lockToSend(trx: Trx, actor: Actor, postId: string): Promise<StoredPost> {
  await lockUser(trx, actor.userId);
  return lockOwnPost(trx, actor, postId);
}

async function sendNow(trx: Trx, actor: Actor, { id, visibility }: StoredPost, at?: Date): Promise<void> {
  const now = at ?? (await databaseTime(trx));
  await requireActive(trx, actor.userId);
  if (!(await isUserConnected(trx, actor.userId, now)))
    throw new Refusal(409, 'linkedin_not_connected', 'Please connect LinkedIn first');
  if (visibility !== 'PUBLIC') await requireTestAllowed(trx, actor, now, id);
  await sendManually(trx, id, now);
  await markScheduled(trx, id);
}

/** `revision` is the one that the user has read: only that text is sent. */
type SendArguments = [db: Db, actor: Actor, postId: string, revision?: number, now?: Date];
type ManualInput = { trx: Trx; actor: Actor; post: StoredPost; now: Date | undefined };

/** Makes a command that sends a post as soon as a worker is free, unless `check` throws. `action` is for messages. */
const sendCommand =
  (action: string, check: (input: ManualInput) => Promise<void> | void) =>
  (...[db, actor, postId, revision, now]: SendArguments): Promise<void> =>
    transact(db, async (trx) => {
      const post = await lockToSend(trx, actor, postId);
      await check({ trx, actor, post, now });
      requireSameRevision(post, revision, action);
      await sendNow(trx, actor, post, now);
    });

export const publishNow = sendCommand('publish it', ({ post }) => {
  if (post.status === 'published') throw alreadyPublished();
  if (post.status === 'failed') throw new Refusal(409, 'failed', 'This post failed. Use Retry');
});

/** Undoes "Publish now" while nothing was sent and the post's slot is still to come. An unapproved post waits again. */
export async function undoPublishNow(db: Db, actor: Actor, postId: string): Promise<Post> {
  return transact(db, async (trx) => {
    const post = await lockToSend(trx, actor, postId);
    await requireReleased(trx);
    const now = await databaseTime(trx);
    if (!canGoBack(await findPost(trx, actor, post.id), now))
      throw new Refusal(409, 'not_waiting', 'This post cannot go back to its time');
    // Its slot has another time when the settings were saved meanwhile.
    const timetable = await readTimetable(trx, actor.userId, now);
    await moveToFreeSlot(trx, post.id, await findOwnSlot(trx, post, timetable, now));
    return findPost(trx, actor, post.id);
  });
}

/** LinkedIn's limits count refused calls too, for the whole app. */
async function requireFewRefusals(trx: Trx, { timeZone }: Actor, postId: string, now: Date): Promise<void> {
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

/** Sends a failed post again, unless it is unconfirmed: then the user decides first. */
export const retryPost = sendCommand('try again', async ({ trx, actor, post, now }) => {
  if (post.status !== 'failed') throw new Refusal(409, 'not_failed', 'Only a failed post can be tried again');
  if (post.isUnconfirmed) throw unconfirmed();
  if (isDuplicate(post)) throw new Refusal(409, 'duplicate', FAILURES.duplicate.reason);
  await requireFewRefusals(trx, actor, post.id, now ?? (await databaseTime(trx)));
});

/** Returns the urn in the link that the user pasted, or null when it is empty. */
function readLink(link: string): string | null {
  if (link.trim() === '') return null;
  const urn = urnOfAddress(link);
  if (urn) return urn;
  const message =
    'This is not the address of a LinkedIn post. Open the post, choose Copy link and paste that';
  throw new Refusal(422, 'invalid', message, { field: 'link' });
}

function requireUndecided({ status, isUnconfirmed }: StoredPost): void {
  if (status !== 'failed' || !isUnconfirmed)
    throw new Refusal(409, 'not_unconfirmed', 'There is nothing to decide about this post');
}

/**
 * "Post it again": the user did not find an unconfirmed post on their profile. It stays unconfirmed, so that it cannot be
 * changed, until LinkedIn has responded to the same text.
 */
export const postAgain = sendCommand('decide', ({ post }) => requireUndecided(post));

const findUncertainAttempt = (trx: Trx, postId: string) =>
  trx
    .selectFrom('publishAttempts')
    .select('startedAt')
    .where('postId', '=', postId)
    .where('state', 'in', ['unknown', 'held'])
    .orderBy('startedAt', 'desc')
    .executeTakeFirst();

/** "It is there": the user found an unconfirmed post on their profile. The link is optional. */
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
      // A restored database may have lost the attempt.
      const sentAt =
        (await findUncertainAttempt(trx, post.id))?.startedAt ?? now ?? (await databaseTime(trx));
      await markPublished(trx, post, urn, sentAt);
    });
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== URN_KEY) throw error;
    throw new Refusal(409, 'link_taken', 'This link belongs to another post of yours', { field: 'link' });
  }
}
