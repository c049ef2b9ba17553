import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { localDayOf } from '#app/domain/automation/slots.ts';
import { WAITING_STATUSES } from './limits.ts';

export type Stats = {
  totalPosts: number;
  publishedPosts: number;
  scheduledPosts: number;
  totalTopics: number;
  activeTopics: number;
  generatedToday: number;
  publishedToday: number;
};

/** The numbers of the dashboard, without test posts; "today" is the user's local day. */
export async function getStats(db: Db, actor: Actor, now = new Date()): Promise<Stats> {
  const { start, end } = localDayOf(now, actor.timeZone);
  const { rows } = await sql<Record<keyof Stats, string>>`
    with by_status as materialized (
      select status, count(*) as number from deliveries
      where user_id = ${actor.userId} and deleted_at is null group by status
      union all
      select status, -count(*) from posts join deliveries on deliveries.post_id = posts.id
      where posts.user_id = ${actor.userId} and posts.deleted_at is null and visibility = 'CONNECTIONS'
      group by status
    )
    select
      (select coalesce(sum(number), 0) from by_status) as total_posts,
      (select coalesce(sum(number), 0) from by_status where status = 'published') as published_posts,
      (select coalesce(sum(number), 0) from by_status where status = any(${WAITING_STATUSES}))
        as scheduled_posts,
      (select count(*) from topics where user_id = ${actor.userId}) as total_topics,
      (select count(*) from topics where user_id = ${actor.userId} and is_active) as active_topics,
      (select count(*) from posts where user_id = ${actor.userId} and deleted_at is null
        and visibility = 'PUBLIC' and created_at >= ${start} and created_at < ${end}) as generated_today,
      (select count(*) from deliveries join posts on posts.id = deliveries.post_id
        where deliveries.user_id = ${actor.userId} and deliveries.deleted_at is null and status = 'published'
        and posted_at >= ${start} and posted_at < ${end} and visibility = 'PUBLIC') as published_today
  `.execute(db);
  const counts = Object.entries(rows[0]!).map(([name, count]) => [name, Number(count)]);
  return Object.fromEntries(counts) as Stats;
}

/** Totals of the post history, without test posts. Of engagement it adds up what was typed in; null when nothing was. */
export async function getTotals(db: Db, actor: Actor) {
  const { posts, ...typed } = await db
    .selectFrom('posts')
    .leftJoin('engagements', 'engagements.postId', 'posts.id')
    .select(({ fn }) => [
      fn.countAll<string>().as('posts'),
      fn.sum<string | null>('likes').as('likes'),
      fn.sum<string | null>('comments').as('comments'),
      fn.sum<string | null>('shares').as('shares'),
    ])
    .where('posts.userId', '=', actor.userId)
    .where('posts.deletedAt', 'is', null)
    .where('posts.visibility', '=', 'PUBLIC')
    .executeTakeFirstOrThrow();
  const sum = (name: keyof typeof typed) => (typed[name] === null ? null : Number(typed[name]));
  return { posts: Number(posts), likes: sum('likes'), comments: sum('comments'), shares: sum('shares') };
}

/** Whether the history has a post, were it a test. */
export async function hasPosts(db: Db, { userId }: Actor): Promise<boolean> {
  const row = await db
    .selectFrom('posts')
    .select('id')
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
