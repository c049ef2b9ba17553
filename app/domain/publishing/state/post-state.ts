import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#app/db/client.ts';
import { databaseClock } from '#app/db/clock.ts';
import type { PostFailure, PostStatus } from '#app/db/tables.ts';
import type { Slot } from '#app/domain/automation/slots.ts';
import { type FailureText, failureText } from '#app/domain/posts/failures.ts';
import { hidePost, insertPost, lockThoseFree, type NewPost } from '#app/domain/posts/rows.ts';
import { mustBeApproved } from '#app/domain/publishing/predicates.ts';
import { notifyWebhooks, webhookColumns, webhookColumnsIfChanged } from './notify-webhooks.ts';

/*
 * The state of a post is in its row of `post_schedules`, which every post has. A transaction that locks both rows locks
 * the post first: two transactions that lock in different orders would deadlock.
 */

/** Set in the statement that ends the waiting of a post. `was_due_at` keeps the time for which it was due. */
export const OUT_OF_QUEUE = {
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
 * Stores a post with its schedule, due at `slot` when it has one. Returns its id, or undefined when its position in the
 * run or its slot is taken.
 */
export async function addPost(
  trx: Trx,
  post: NewPost,
  slot: Slot | null,
  status: PostStatus = 'generated',
): Promise<string | undefined> {
  const postId = await insertPost(trx, post, slot);
  if (!postId) return undefined;
  const schedule = { postId, userId: post.userId, status, dueAt: slot?.at ?? null };
  await trx.insertInto('postSchedules').values(schedule).execute();
  return postId;
}

/**
 * Locks a post and its schedule and returns both; only a post of `userId` when given, and only a deleted post when
 * `isDeleted`. One statement, because after waiting for a lock a statement re-reads only the rows that it locks.
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

/** Identifies a post for queries that also check its user. */
export type OwnPost = Pick<StoredPost, 'id' | 'userId'>;

/**
 * Locks those posts that wait to be published and are not locked, and returns their ids. Their state is read in a second
 * statement, which costs less than locking each schedule: a schedule is only written under the lock of its post.
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

type StateChange = Partial<typeof OUT_OF_QUEUE> & {
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

const updateSchedule = (trx: Trx, { id, userId }: OwnPost) =>
  trx.updateTable('postSchedules').where('postId', '=', id).where('userId', '=', userId);

async function setStateAndNotify(
  trx: Trx,
  type: 'post.published' | 'post.failed',
  post: OwnPost,
  change: StateChange,
): Promise<void> {
  const update = updateSchedule(trx, post).set(change);
  await notifyWebhooks(trx, type, await update.returning(webhookColumnsIfChanged(type)).execute());
}

/** A post that waits for approval, or waited before it was published manually, still needs approval. */
const needsApproval = sql<boolean>`needs_approval or status = 'pending'`;
const FAILED = { status: 'failed', failedAt: databaseClock, needsApproval, issueResolved: false } as const;
const SCHEDULED = { status: 'generated', failure: null, reason: null, decidedByEmailAt: null } as const;

export async function markApproved(trx: Trx, post: OwnPost, at: Date): Promise<void> {
  const approved: StateChange = { ...SCHEDULED, needsApproval: false, approvedAt: at };
  await updateSchedule(trx, post).set(approved).execute();
}

/**
 * The post waits to be published manually. That does not approve it for any other time, so it still needs approval when
 * it did before. An unconfirmed post stays unconfirmed until LinkedIn has responded again.
 */
export async function markScheduled(trx: Trx, postId: string): Promise<void> {
  const isUnapproved = sql<boolean>`(${needsApproval} or failure = 'not_approved') is true`;
  const scheduled: StateChange = { ...SCHEDULED, needsApproval: isUnapproved };
  await trx.updateTable('postSchedules').set(scheduled).where('postId', '=', postId).execute();
}

/** The post is no longer manual. It waits for approval when it did before or when the settings now require it. */
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
    .returning(webhookColumnsIfChanged('post.needs_approval'))
    .execute();
  await notifyWebhooks(trx, 'post.needs_approval', queued);
}

export async function markFixed(trx: Trx, post: OwnPost): Promise<void> {
  await updateSchedule(trx, post).set({ issueResolved: true }).execute();
}

/**
 * The post is on LinkedIn since `at`, and leaves the queue. Throws an error with the constraint `URN_KEY`
 * (`linkedin-urns.ts`) when another post of the user has the urn.
 */
export async function markPublished(trx: Trx, post: OwnPost, urn: string | null, at: Date): Promise<void> {
  await setStateAndNotify(trx, 'post.published', post, {
    status: 'published',
    failure: null,
    reason: null,
    isUnconfirmed: false,
    postedAt: at,
    networkUrn: urn,
    ...OUT_OF_QUEUE,
  });
}

type Published = { postId: string; urn: string | null; at: Date };

/** Like `markPublished`, for many posts that wait to be published. */
export async function markBatchPublished(trx: Trx, posts: Published[]): Promise<void> {
  const input = sql<Published>`unnest(${posts.map(({ postId }) => postId)}::uuid[],
    ${posts.map(({ urn }) => urn)}::text[], ${posts.map(({ at }) => at)}::timestamptz[])`;
  const published = await trx
    .updateTable('postSchedules')
    .from(input.as<'input'>(sql`input (post_id, urn, at)`))
    .set({ status: 'published', failure: null, reason: null, ...OUT_OF_QUEUE })
    .set(({ ref }) => ({ postedAt: ref('input.at'), networkUrn: ref('input.urn') }))
    .whereRef('postSchedules.postId', '=', 'input.postId')
    .returning(webhookColumns('post.published'))
    .execute();
  await notifyWebhooks(trx, 'post.published', published);
}

/**
 * The post fails and leaves the queue. `reason` replaces the text of the failure. After `unconfirmed` it is not known
 * whether the post is on LinkedIn. A post that was not approved still needs approval.
 */
export async function markFailed(
  trx: Trx,
  post: OwnPost,
  failure: PostFailure,
  reason?: string,
): Promise<void> {
  await setStateAndNotify(trx, 'post.failed', post, {
    ...FAILED,
    isUnconfirmed: failure === 'unconfirmed',
    ...failureText(failure, reason),
    ...OUT_OF_QUEUE,
  });
}

/** The post fails without having been sent, and leaves the queue. An unconfirmed post stays unconfirmed. */
export async function markUnsent(
  trx: Trx,
  post: OwnPost,
  failure: PostFailure,
  reason?: string,
): Promise<void> {
  const update = updateSchedule(trx, post).returning(webhookColumnsIfChanged('post.failed'));
  const fail = (text: FailureText) => update.set({ ...FAILED, ...text, ...OUT_OF_QUEUE });
  const unconfirmed = await fail(failureText('unconfirmed')).where('isUnconfirmed', '=', true).execute();
  const failed = unconfirmed.length > 0 ? unconfirmed : await fail(failureText(failure, reason)).execute();
  await notifyWebhooks(trx, 'post.failed', failed);
}

/** The post is deleted and leaves the queue. Another post of the user can then have its urn. */
export async function markDeleted(trx: Trx, postId: string, now: Date): Promise<void> {
  await hidePost(trx, postId, now);
  const deleted: StateChange = { deletedAt: now, ...OUT_OF_QUEUE };
  await trx.updateTable('postSchedules').set(deleted).where('postId', '=', postId).execute();
}
