import { type NotNull, type RawBuilder, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser, mailUser } from '#app/domain/accounts/users.ts';
import { coveredUntil } from '#app/domain/payments/predicates.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { presentForApproval } from '#app/domain/publishing/mails.ts';
import { hasRecentRun } from '#app/domain/writing/predicates.ts';
import { env } from '#app/env.ts';
import { lacksOnlyApproval } from './approve.ts';
import { approvalLinks } from './links.ts';

/** The maximum number of posts in one mail; the others are in the next one. */
const MAX_POSTS = 25;
/** After this time a running generation run no longer delays the mail about its finished posts. */
const RUN_MS = 15 * 60_000;
/** The minimum time between two mails, so that a user who moves many posts gets one mail about the result. */
const APART_MS = 10 * 60_000;
/** A post that is due within this time does not wait for `APART_MS`, unless it was itself in a recent mail. */
const SOON_MS = 60 * 60_000;

const isNotRequested = (now: Date): RawBuilder<boolean> =>
  sql`(post_schedules.status = 'pending' and post_schedules.approval_requested_for is distinct from post_schedules.due_at
    and post_schedules.due_at > ${now} and post_schedules.deleted_at is null)`;

/** A mail about the post was sent less than `APART_MS` ago. Ignores times in the future, from a clock that was ahead. */
const wasRequestedRecently = (table: 'postSchedules' | 'recent', now: Date): RawBuilder<boolean> => {
  const approvalRequestedAt = sql.ref(`${table}.approval_requested_at`);
  return sql`(${approvalRequestedAt} > ${new Date(now.getTime() - APART_MS)} and ${approvalRequestedAt} <= ${now}) is true`;
};

const isRequestDue = (now: Date): RawBuilder<boolean> =>
  sql`((post_schedules.due_at < ${new Date(now.getTime() + SOON_MS)} and not (${wasRequestedRecently('postSchedules', now)}))
    or not exists (select from post_schedules recent
      where recent.user_id = post_schedules.user_id and ${wasRequestedRecently('recent', now)}))`;

/**
 * Mails each user the posts that wait for approval and were not mailed yet, or were mailed with another time. Waits for a
 * running generation run, so that all its posts are in one mail.
 */
export async function mailApprovalRequests(db: Db, now = new Date()): Promise<void> {
  const users = await db
    .selectFrom('postSchedules')
    .select('userId')
    .distinct()
    .where(isNotRequested(now))
    .where(isRequestDue(now))
    .where(lacksOnlyApproval('postSchedules.userId', now))
    .where(({ not }) => not(hasRecentRun('postSchedules.userId', new Date(now.getTime() - RUN_MS))))
    .execute();
  await forEachSettled(users, ({ userId }) => transact(db, (trx) => mailRequest(trx, userId, now)));
}

async function mailRequest(trx: Trx, userId: string, now: Date): Promise<void> {
  const { timeZone } = await lockUser(trx, userId);
  const posts = await trx
    .selectFrom('postSchedules')
    .innerJoin('posts', 'posts.id', 'postSchedules.postId')
    .select(['posts.id', 'posts.userId', 'posts.content', 'posts.hashtags', 'posts.revision'])
    .select(['posts.approvalMovedAt', 'postSchedules.dueAt'])
    .select(coveredUntil('postSchedules.userId', now).as('paidUntil'))
    .$narrowType<{ dueAt: NotNull }>()
    .where('postSchedules.userId', '=', userId)
    .where(isNotRequested(now))
    .orderBy('postSchedules.dueAt')
    .orderBy('posts.id')
    .limit(MAX_POSTS)
    .forUpdate(['posts', 'postSchedules'])
    .execute();
  const ids = posts.map(({ id }) => id);
  if (ids.length === 0) return;
  await trx
    .updateTable('postSchedules')
    .set(({ ref }) => ({ approvalRequestedAt: now, approvalRequestedFor: ref('dueAt') }))
    .where('postId', 'in', ids)
    .execute();
  const linkTo = await approvalLinks(trx, userId, now);
  const data = {
    posts: posts.map((post) => presentForApproval(post, { ...post, timeZone }, linkTo)),
    url: `${env().APP_URL}/app/scheduled`,
  };
  await mailUser(trx, userId, 'approvalAsked', data, `approval:${ids[0]}:${now.getTime()}`);
}
