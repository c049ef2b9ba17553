import { sql } from 'kysely';
import { afterCommit, type Db, type Trx, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import { allowsLanding } from '#app/domain/accounts/predicates.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { postUrl } from '#app/domain/posts/linkedin-urls.ts';
import { beginningOf, clearTopPosts } from './top-posts.ts';

type Exclusion = { postId: string; reason: string };

async function requirePublic(trx: Trx, postId: string): Promise<void> {
  const postNotFound = () => notFound('This post');
  if (!isId(postId)) throw postNotFound();
  await trx
    .selectFrom('posts')
    .innerJoin('postSchedules', 'postSchedules.postId', 'posts.id')
    .select('posts.id')
    .where('posts.id', '=', postId)
    .where('status', '=', 'published')
    .where('posts.deletedAt', 'is', null)
    .where(allowsLanding('posts.userId'))
    .executeTakeFirstOrThrow(postNotFound);
}

/** Takes a post off the start page. An older post of its author may be shown instead. */
export async function takeOffStartPage(
  db: Db,
  admin: Actor,
  { postId, reason }: Exclusion,
  now = new Date(),
): Promise<void> {
  await transact(db, async (trx) => {
    await requirePublic(trx, postId);
    const added = await trx
      .insertInto('landingExclusions')
      .values({ postId, reason, excludedBy: admin.userId, excludedAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('postId')
      .executeTakeFirst();
    if (!added) throw new Refusal(409, 'taken_off', 'This post was taken off the start page already');
    const entry = { action: 'post.taken_off', subjectId: postId, detail: { reason } };
    await recordAdminAction(trx, admin, entry, now);
    afterCommit(trx, () => clearTopPosts(db));
  });
}

export async function putBackOnStartPage(
  db: Db,
  admin: Actor,
  { postId, reason }: Exclusion,
  now = new Date(),
): Promise<void> {
  await transact(db, async (trx) => {
    const removed = isId(postId)
      ? await trx
          .deleteFrom('landingExclusions')
          .where('postId', '=', postId)
          .returning('reason')
          .executeTakeFirst()
      : undefined;
    if (!removed) throw new Refusal(409, 'not_taken_off', 'This post is not taken off the start page');
    const entry = { action: 'post.put_back', subjectId: postId, detail: { reason }, before: removed };
    await recordAdminAction(trx, admin, entry, now);
    afterCommit(trx, () => clearTopPosts(db));
  });
}

const LIST_MAX = 100;

type ExcludedPost = {
  id: string;
  content: string;
  topicName: string | null;
  networkUrn: string | null;
  reason: string;
  excludedAt: Date;
  by: string | null;
};

/** Lists the posts that admins took off the start page, newest first, while their authors allow posts there. */
export async function listTakenOff(db: Db) {
  const { rows } = await sql<ExcludedPost>`
    select posts.id, content, topics.name as topic_name, network_urn, exclusions.reason, excluded_at, admins.name as by
    from landing_exclusions as exclusions
    join posts on posts.id = exclusions.post_id and posts.deleted_at is null
    join post_schedules on post_schedules.post_id = posts.id
    left join topics on topics.id = posts.topic_id
    left join users as admins on admins.id = exclusions.excluded_by
    where ${allowsLanding('posts.user_id')}
    order by excluded_at desc, posts.id limit ${LIST_MAX}`.execute(db);
  return rows.map(({ networkUrn, content, ...row }) => ({
    ...row,
    content: beginningOf(content),
    url: networkUrn && postUrl(networkUrn),
  }));
}

export const listTakenOffOf = (db: Db, userId: string) =>
  db
    .selectFrom('landingExclusions')
    .innerJoin('posts', 'posts.id', 'landingExclusions.postId')
    .select(['postId', 'content', 'reason', 'excludedAt'])
    .where('posts.userId', '=', userId)
    .where('posts.deletedAt', 'is', null)
    .orderBy('excludedAt', 'desc')
    .limit(LIST_MAX)
    .execute();
