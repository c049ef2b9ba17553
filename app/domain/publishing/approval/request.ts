import { type NotNull, type RawBuilder, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser, mailUser } from '#app/domain/accounts/users.ts';
import { coveredUntil } from '#app/domain/payments/predicates.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { toApprove } from '#app/domain/publishing/mails.ts';
import { hasRecentRun } from '#app/domain/writing/predicates.ts';
import { env } from '#app/env.ts';
import { onlyApprovalLacks } from './approve.ts';
import { approvalLinks } from './links.ts';

/** In one mail; what is over goes into the next one. */
const MOST_POSTS = 25;
/** A run that takes longer keeps nobody waiting for what it has brought already. */
const RUN_MS = 15 * 60_000;
/** Between two mails, so that who arranges a week is mailed where it ends, not each step. */
const APART_MS = 10 * 60_000;
/** What is due within that, and was in no mail as lately, waits for none. */
const SOON_MS = 60 * 60_000;

const isUnasked = (now: Date): RawBuilder<boolean> =>
  sql`(post_schedules.status = 'pending' and post_schedules.approval_requested_for is distinct from post_schedules.due_at
    and post_schedules.due_at > ${now} and post_schedules.deleted_at is null)`;

/** A mail about it, or it and others, was sent a short while ago. One that a clock wrote that was ahead is none. */
const isFresh = (delivery: 'postSchedules' | 'lately', now: Date): RawBuilder<boolean> => {
  const approvalRequestedAt = sql.ref(`${delivery}.approval_requested_at`);
  return sql`(${approvalRequestedAt} > ${new Date(now.getTime() - APART_MS)} and ${approvalRequestedAt} <= ${now}) is true`;
};

const isItsTurn = (now: Date): RawBuilder<boolean> =>
  sql`((post_schedules.due_at < ${new Date(now.getTime() + SOON_MS)} and not (${isFresh('postSchedules', now)}))
    or not exists (select from post_schedules lately
      where lately.user_id = post_schedules.user_id and ${isFresh('lately', now)}))`;

/**
 * Mails to everybody the posts that wait for their approval and of which they were not mailed yet, or another time:
 * after a run all together, and what was moved meanwhile with it.
 */
export async function requestApproval(db: Db, now = new Date()): Promise<void> {
  const users = await db
    .selectFrom('postSchedules')
    .select('userId')
    .distinct()
    .where(isUnasked(now))
    .where(isItsTurn(now))
    .where(onlyApprovalLacks('postSchedules.userId', now))
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
    .where(isUnasked(now))
    .orderBy('postSchedules.dueAt')
    .orderBy('posts.id')
    .limit(MOST_POSTS)
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
    posts: posts.map((post) => toApprove(post, { ...post, timeZone }, linkTo)),
    url: `${env().APP_URL}/app/scheduled`,
  };
  await mailUser(trx, userId, 'approvalAsked', data, `approval:${ids[0]}:${now.getTime()}`);
}
