import { type NotNull, type RawBuilder, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser, mailUser } from '#app/domain/accounts/users.ts';
import { coveredUntil } from '#app/domain/payments/predicates.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { toApprove } from '#app/domain/queue/mails.ts';
import { hasYoungRun } from '#app/domain/writing/predicates.ts';
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
  sql`(deliveries.status = 'pending' and deliveries.asked_due_at is distinct from deliveries.due_at
    and deliveries.due_at > ${now} and deliveries.deleted_at is null)`;

/** A mail about it, or it and others, was sent a short while ago. One that a clock wrote that was ahead is none. */
const isFresh = (delivery: 'deliveries' | 'lately', now: Date): RawBuilder<boolean> => {
  const askedAt = sql.ref(`${delivery}.asked_at`);
  return sql`(${askedAt} > ${new Date(now.getTime() - APART_MS)} and ${askedAt} <= ${now}) is true`;
};

const isItsTurn = (now: Date): RawBuilder<boolean> =>
  sql`((deliveries.due_at < ${new Date(now.getTime() + SOON_MS)} and not (${isFresh('deliveries', now)}))
    or not exists (select from deliveries lately
      where lately.user_id = deliveries.user_id and ${isFresh('lately', now)}))`;

/**
 * Mails to everybody the posts that wait for their approval and of which they were not mailed yet, or another time:
 * after a run all together, and what was moved meanwhile with it.
 */
export async function requestApproval(db: Db, now = new Date()): Promise<void> {
  const users = await db
    .selectFrom('deliveries')
    .select('userId')
    .distinct()
    .where(isUnasked(now))
    .where(isItsTurn(now))
    .where(onlyApprovalLacks('deliveries.userId', now))
    .where(({ not }) => not(hasYoungRun('deliveries.userId', new Date(now.getTime() - RUN_MS))))
    .execute();
  await forEachSettled(users, ({ userId }) => transact(db, (trx) => mailRequest(trx, userId, now)));
}

async function mailRequest(trx: Trx, userId: string, now: Date): Promise<void> {
  const { timeZone } = await lockUser(trx, userId);
  const posts = await trx
    .selectFrom('deliveries')
    .innerJoin('posts', 'posts.id', 'deliveries.postId')
    .select(['posts.id', 'posts.userId', 'posts.content', 'posts.hashtags', 'posts.revision'])
    .select(['posts.approvalMovedAt', 'deliveries.dueAt'])
    .select(coveredUntil('deliveries.userId', now).as('paidUntil'))
    .$narrowType<{ dueAt: NotNull }>()
    .where('deliveries.userId', '=', userId)
    .where(isUnasked(now))
    .orderBy('deliveries.dueAt')
    .orderBy('posts.id')
    .limit(MOST_POSTS)
    .forUpdate(['posts', 'deliveries'])
    .execute();
  const ids = posts.map(({ id }) => id);
  if (ids.length === 0) return;
  await trx
    .updateTable('deliveries')
    .set(({ ref }) => ({ askedAt: now, askedDueAt: ref('dueAt') }))
    .where('postId', 'in', ids)
    .execute();
  const linkTo = await approvalLinks(trx, userId, now);
  const data = {
    posts: posts.map((post) => toApprove(post, { ...post, timeZone }, linkTo)),
    url: `${env().APP_URL}/app/scheduled`,
  };
  await mailUser(trx, userId, 'approvalAsked', data, `approval:${ids[0]}:${now.getTime()}`);
}
