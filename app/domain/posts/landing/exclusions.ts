import { sql } from 'kysely';
import { afterCommit, type Db, type Trx, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import { allowsLanding } from '#app/domain/accounts/predicates.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { postUrl } from '#app/domain/posts/linkedin-urls.ts';
import { beginningOf, clearTopPosts } from './top-posts.ts';

type Bar = { postId: string; reason: string };

const WHAT = 'This post';

async function requirePublic(trx: Trx, postId: string): Promise<void> {
  const found = isId(postId)
    ? await trx
        .selectFrom('posts')
        .innerJoin('postSchedules', 'postSchedules.postId', 'posts.id')
        .select('posts.id')
        .where('posts.id', '=', postId)
        .where('status', '=', 'published')
        .where('posts.deletedAt', 'is', null)
        .where(allowsLanding('posts.userId'))
        .executeTakeFirst()
    : undefined;
  if (!found) throw notFound(WHAT);
}

/** An admin takes a post off the start page; of its author the one before it may be shown. */
export async function takeOffStartPage(db: Db, admin: Actor, bar: Bar, now = new Date()): Promise<void> {
  await transact(db, async (trx) => {
    await requirePublic(trx, bar.postId);
    const added = await trx
      .insertInto('landingExclusions')
      .values({ ...bar, excludedBy: admin.userId, excludedAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('postId')
      .executeTakeFirst();
    if (!added) throw new Refusal(409, 'taken_off', 'This post was taken off the start page already');
    await record(trx, admin, { action: 'post.taken_off', ...bar }, now);
    afterCommit(trx, () => clearTopPosts(db));
  });
}

/** An admin lets a post stand on the start page again. */
export async function putBackOnStartPage(db: Db, admin: Actor, bar: Bar, now = new Date()): Promise<void> {
  await transact(db, async (trx) => {
    const gone = isId(bar.postId)
      ? await trx
          .deleteFrom('landingExclusions')
          .where('postId', '=', bar.postId)
          .returning('reason')
          .executeTakeFirst()
      : undefined;
    if (!gone) throw new Refusal(409, 'not_taken_off', 'This post is not taken off the start page');
    await record(trx, admin, { action: 'post.put_back', ...bar, before: { reason: gone.reason } }, now);
    afterCommit(trx, () => clearTopPosts(db));
  });
}

type Recorded = Bar & { action: string; before?: { reason: string } };

async function record(trx: Trx, admin: Actor, { action, postId, reason, before }: Recorded, now: Date) {
  await recordAdminAction(trx, admin, { action, subjectId: postId, detail: { reason }, before }, now);
}

/** The most that a page lists. */
const LISTED = 100;

type TakenOff = {
  id: string;
  content: string;
  topicName: string | null;
  networkUrn: string | null;
  reason: string;
  excludedAt: Date;
  by: string | null;
};

/** What admins took off, the latest first: as long as its author lets it be shown. */
export async function listTakenOff(db: Db) {
  const { rows } = await sql<TakenOff>`
    select posts.id, content, topics.name as topic_name, network_urn, bars.reason, excluded_at, admins.name as by
    from landing_exclusions as bars
    join posts on posts.id = bars.post_id and posts.deleted_at is null
    join post_schedules on post_schedules.post_id = posts.id
    left join topics on topics.id = posts.topic_id
    left join users as admins on admins.id = bars.excluded_by
    where ${allowsLanding('posts.user_id')}
    order by excluded_at desc, posts.id limit ${LISTED}`.execute(db);
  return rows.map(({ networkUrn, content, ...row }) => ({
    ...row,
    content: beginningOf(content),
    url: networkUrn && postUrl(networkUrn),
  }));
}

/** What was taken off of a user's own posts, and why. */
export const listTakenOffOf = (db: Db, userId: string) =>
  db
    .selectFrom('landingExclusions')
    .innerJoin('posts', 'posts.id', 'landingExclusions.postId')
    .select(['postId', 'content', 'reason', 'excludedAt'])
    .where('posts.userId', '=', userId)
    .where('posts.deletedAt', 'is', null)
    .orderBy('excludedAt', 'desc')
    .limit(LISTED)
    .execute();
