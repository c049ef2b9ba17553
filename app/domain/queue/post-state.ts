import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#app/db/client.ts';
import { databaseClock } from '#app/db/clock.ts';
import type { PostFailure, PostStatus } from '#app/db/tables.ts';
import type { Slot } from '#app/domain/automation/slots.ts';
import { type FailureText, inWords } from '#app/domain/posts/failures.ts';
import { hidePost, insertPost, lockThoseFree, type NewPost } from '#app/domain/posts/rows.ts';
import { eventsOf, notifiedOnce, notifyWebhooks } from './notify-webhooks.ts';
import { mustBeApproved } from './predicates.ts';

/*
 * Where a post stands is written on its delivery, which every post has. Whoever locks both locks the post first:
 * two who lock in different orders wait for each other for ever.
 */

/** In one statement with what a post has come to: it waits for nothing any more. When it was due stays known. */
export const LEFT = {
  wasDueAt: sql<Date | null>`coalesce(post_schedules.due_at, post_schedules.was_due_at)`,
  dueAt: null,
  isManual: false,
  heldAt: null,
  notBefore: null,
  enqueuedAt: null,
  leaseToken: null,
  leaseUntil: null,
};

/**
 * Stores a post with its delivery, which waits for its slot when it has one. Answers its id, or undefined when its
 * place in the run or its slot is taken.
 */
export async function addPost(
  trx: Trx,
  post: NewPost,
  slot: Slot | null,
  status: PostStatus = 'generated',
): Promise<string | undefined> {
  const postId = await insertPost(trx, post, slot);
  if (!postId) return undefined;
  const delivery = { postId, userId: post.userId, status, dueAt: slot?.at ?? null };
  await trx.insertInto('postSchedules').values(delivery).execute();
  return postId;
}

/**
 * The post and where it stands, both rows locked; of `userId` alone when that is given, and a deleted post only when `isDeleted`.
 * Undefined when there is none. In one statement, because one that waits for a lock sees anew only what it locks.
 */
export const lockPost = (trx: Trx, postId: string, userId?: string, isDeleted = false) =>
  trx
    .selectFrom('posts')
    .innerJoin('postSchedules', 'postSchedules.postId', 'posts.id')
    .selectAll('posts')
    .select(['status', 'failure', 'isUnconfirmed', 'issueResolved', 'postedAt', 'networkUrn', 'notBefore'])
    .where('posts.id', '=', postId)
    .$if(userId !== undefined, (query) => query.where('posts.userId', '=', userId!))
    .where('posts.deletedAt', isDeleted ? 'is not' : 'is', null)
    .forUpdate(['posts', 'postSchedules'])
    .executeTakeFirst();

export type StoredPost = NonNullable<Awaited<ReturnType<typeof lockPost>>>;

/** Which post it is, and whose: the rows of a user are found by both. */
export type OwnPost = Pick<StoredPost, 'id' | 'userId'>;

/**
 * Locks those of many posts that wait to be published and that nobody has under lock. Where they stand is asked
 * in a second statement, which costs less than a lock of each delivery: nobody writes that without the lock of the
 * post.
 */
export async function lockScheduled(trx: Trx, postIds: string[]): Promise<Set<string>> {
  const locked = await lockThoseFree(trx, postIds);
  if (locked.length === 0) return new Set();
  const scheduled = await trx
    .selectFrom('postSchedules')
    .select('postId')
    .where('postId', 'in', locked)
    .where('status', '=', 'generated')
    .where('isUnconfirmed', '=', false)
    .execute();
  return new Set(scheduled.map(({ postId }) => postId));
}

type StateChange = Partial<typeof LEFT> & {
  status?: PostStatus;
  needsApproval?: boolean | RawBuilder<boolean>;
  approvedAt?: Date;
  decidedByEmailAt?: null;
  failure?: PostFailure | null;
  reason?: string | null;
  isUnconfirmed?: boolean;
  issueResolved?: boolean;
  postedAt?: Date;
  failedAt?: RawBuilder<Date>;
  networkUrn?: string | null;
  deletedAt?: Date;
};

const deliveryOf = (trx: Trx, { id, userId }: OwnPost) =>
  trx.updateTable('postSchedules').where('postId', '=', id).where('userId', '=', userId);

async function setStateAndNotify(
  trx: Trx,
  type: 'post.published' | 'post.failed',
  post: OwnPost,
  standing: StateChange,
): Promise<void> {
  const update = deliveryOf(trx, post).set(standing);
  await notifyWebhooks(trx, type, await update.returning(notifiedOnce(type)).execute());
}

/** What waits for approval, or did before it was sent by hand, needs that still. */
const needsApproval = sql<boolean>`needs_approval or status = 'pending'`;
const FAILED = { status: 'failed', failedAt: databaseClock, needsApproval, issueResolved: false } as const;
const SCHEDULED = { status: 'generated', failure: null, reason: null, decidedByEmailAt: null } as const;

/** Its owner has approved it, and it waits to be published. */
export async function markApproved(trx: Trx, post: OwnPost, at: Date): Promise<void> {
  const approved: StateChange = { ...SCHEDULED, needsApproval: false, approvedAt: at };
  await deliveryOf(trx, post).set(approved).execute();
}

/**
 * It waits to be published by hand, which is no consent to any other time: one that was not approved needs that as
 * before. One that LinkedIn did not confirm stays so until LinkedIn has answered again.
 */
export async function markScheduled(trx: Trx, postId: string): Promise<void> {
  const orSetAside = sql<boolean>`(${needsApproval} or failure = 'not_approved') is true`;
  const scheduled: StateChange = { ...SCHEDULED, needsApproval: orSetAside };
  await trx.updateTable('postSchedules').set(scheduled).where('postId', '=', postId).execute();
}

/** It goes by the rules of the queue. One that was not approved waits for that, when it did before or has to since. */
export async function markQueued(trx: Trx, postId: string): Promise<void> {
  const queued = await trx
    .updateTable('postSchedules')
    .from('posts')
    .set({
      isManual: false,
      needsApproval: false,
      status: sql`case when needs_approval or (approved_at is null and ${mustBeApproved})
        then 'pending' else status end`,
    })
    .whereRef('posts.id', '=', 'postSchedules.postId')
    .where('postId', '=', postId)
    .returning(notifiedOnce('post.needs_approval'))
    .execute();
  await notifyWebhooks(trx, 'post.needs_approval', queued);
}

/** Its owner has changed since what it failed for. */
export async function markFixed(trx: Trx, post: OwnPost): Promise<void> {
  await deliveryOf(trx, post).set({ issueResolved: true }).execute();
}

/**
 * It is out, and leaves the queue. `at` is when it was sent. A urn that another post of the user has is an error
 * that names `URN_KEY` (`linkedin-urns.ts`).
 */
export async function markPublished(trx: Trx, post: OwnPost, urn: string | null, at: Date): Promise<void> {
  await setStateAndNotify(trx, 'post.published', post, {
    status: 'published',
    failure: null,
    reason: null,
    isUnconfirmed: false,
    postedAt: at,
    networkUrn: urn,
    ...LEFT,
  });
}

type Published = { postId: string; urn: string | null; at: Date };

/** As `markPublished` for many that wait to be published. */
export async function markBatchPublished(trx: Trx, posts: Published[]): Promise<void> {
  const given = sql<Published>`unnest(${posts.map(({ postId }) => postId)}::uuid[],
    ${posts.map(({ urn }) => urn)}::text[], ${posts.map(({ at }) => at)}::timestamptz[])`;
  const published = await trx
    .updateTable('postSchedules')
    .from(given.as<'given'>(sql`given (post_id, urn, at)`))
    .set({ status: 'published', failure: null, reason: null, ...LEFT })
    .set(({ ref }) => ({ postedAt: ref('given.at'), networkUrn: ref('given.urn') }))
    .whereRef('postSchedules.postId', '=', 'given.postId')
    .returning(eventsOf('post.published'))
    .execute();
  await notifyWebhooks(trx, 'post.published', published);
}

/**
 * LinkedIn has answered, and the post leaves the queue. `reason` says more than the words of the failure. After
 * `unconfirmed` nobody knows whether the post is there. One that was not approved needs that as before.
 */
export async function markFailed(
  trx: Trx,
  post: OwnPost,
  failure: PostFailure,
  reason?: string,
): Promise<void> {
  const isUnconfirmed = failure === 'unconfirmed';
  await setStateAndNotify(trx, 'post.failed', post, {
    ...FAILED,
    isUnconfirmed,
    ...inWords(failure, reason),
    ...LEFT,
  });
}

/** LinkedIn was not asked, so what it once left open about the post is as open as it was. The post leaves the queue. */
export async function markUnsent(
  trx: Trx,
  post: OwnPost,
  failure: PostFailure,
  reason?: string,
): Promise<void> {
  const failed = deliveryOf(trx, post).returning(notifiedOnce('post.failed'));
  const fail = (told: FailureText) => failed.set({ ...FAILED, ...told, ...LEFT });
  const open = await fail(inWords('unconfirmed')).where('isUnconfirmed', '=', true).execute();
  const unsent = open.length > 0 ? open : await fail(inWords(failure, reason)).execute();
  await notifyWebhooks(trx, 'post.failed', unsent);
}

/** The post is deleted and leaves the queue; its address is free for another post of its owner. */
export async function markDeleted(trx: Trx, postId: string, now: Date): Promise<void> {
  await hidePost(trx, postId, now);
  const deleted: StateChange = { deletedAt: now, ...LEFT };
  await trx.updateTable('postSchedules').set(deleted).where('postId', '=', postId).execute();
}
