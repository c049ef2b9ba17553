import { type NotNull, type RawBuilder, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { lockUser, mailUser } from '#app/domain/accounts/users.ts';
import { eachAlone } from '#app/domain/each-alone.ts';
import { hasYoungRun } from '#app/domain/writing/facts.ts';
import { env } from '#app/env.ts';
import { onlyApprovalLacks } from './approval.ts';
import { approvalLinks } from './approval-links.ts';
import { toApprove } from './mails.ts';

/** In one mail; what is over goes into the next one. */
const MOST_POSTS = 25;
/** A run that takes longer keeps nobody waiting for what it has brought already. */
const RUN_MS = 15 * 60_000;

const isUnasked = (now: Date): RawBuilder<boolean> =>
  sql`(deliveries.status = 'pending' and deliveries.asked_at is null and deliveries.due_at > ${now}
    and deliveries.deleted_at is null)`;

/** Mails to everybody the posts that wait for their approval and that they were not mailed yet, after a run all together. */
export async function askForApproval(db: Db, now = new Date()): Promise<void> {
  const users = await db
    .selectFrom('deliveries')
    .select('userId')
    .distinct()
    .where(isUnasked(now))
    .where(onlyApprovalLacks('deliveries.userId', now))
    .where(({ not }) => not(hasYoungRun('deliveries.userId', new Date(now.getTime() - RUN_MS))))
    .execute();
  await eachAlone(users, ({ userId }) => transact(db, (trx) => askUser(trx, userId, now)));
}

async function askUser(trx: Trx, userId: string, now: Date): Promise<void> {
  const { timeZone } = await lockUser(trx, userId);
  const posts = await trx
    .selectFrom('deliveries')
    .innerJoin('posts', 'posts.id', 'deliveries.postId')
    .select(['posts.id', 'posts.userId', 'posts.content', 'posts.hashtags', 'posts.revision'])
    .select(['posts.approvalMovedAt', 'deliveries.dueAt'])
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
  await trx.updateTable('deliveries').set({ askedAt: now }).where('postId', 'in', ids).execute();
  const linkTo = await approvalLinks(trx, userId, now);
  const data = {
    posts: posts.map((post) => toApprove(post, post.dueAt, timeZone, linkTo)),
    url: `${env().APP_URL}/app/scheduled`,
  };
  await mailUser(trx, userId, 'approvalAsked', data, `approval:${ids[0]}:${now.getTime()}`);
}
