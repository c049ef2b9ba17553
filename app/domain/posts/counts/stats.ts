import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { localDayOf } from '#app/domain/automation/slots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { hasTurns } from '#app/domain/topics/predicates.ts';
import { countsOf, type PostCounts } from './counts.ts';

export type Stats = {
  totalPosts: number;
  publishedPosts: number;
  scheduledPosts: number;
  totalTopics: number;
  activeTopics: number;
  pausedTopics: number;
  generatedToday: number;
  publishedToday: number;
};

type StatsInput = { userId: string; start: Date; end: Date };

/** Selects the counts of the dashboard, in one row. `start` and `end` bound the user's local day. */
export const statsOf = ({ userId, start, end }: StatsInput) => sql<Stats>`
    with counted as materialized (${countsOf(userId)})
    select
      published + failed + waiting as total_posts,
      published as published_posts,
      waiting as scheduled_posts,
      (select count(*)::int from topics where user_id = ${userId}) as total_topics,
      (select count(*)::int from topics where user_id = ${userId} and ${hasTurns()}) as active_topics,
      (select count(*)::int from topics where user_id = ${userId} and is_active and not ${hasTurns()}) as paused_topics,
      (select count(*)::int from posts where user_id = ${userId} and deleted_at is null
        and visibility = 'PUBLIC' and created_at >= ${start} and created_at < ${end}) as generated_today,
      (select count(*)::int from post_schedules join posts on posts.id = post_schedules.post_id
        where post_schedules.user_id = ${userId} and post_schedules.deleted_at is null and status = 'published'
        and posted_at >= ${start} and posted_at < ${end} and visibility = 'PUBLIC') as published_today
    from counted
  `;

const readStats = compiledQuery((_, input: StatsInput) => statsOf(input));

/** Returns the numbers of the dashboard without test posts. Today is the user's local day. */
export async function getStats(db: Db, actor: Actor, now = new Date()): Promise<Stats> {
  const { userId, timeZone } = actor;
  const [stats] = await readStats(db, { userId, ...localDayOf(now, timeZone) });
  return stats!;
}

const readCounts = compiledQuery((_, { userId }: { userId: string }) => countsOf(userId));

/** Returns the totals of the history without test posts. Sums of engagement are null when none was typed in. */
export async function getTotals(db: Db, actor: Actor) {
  const [counts] = await readCounts(db, { userId: actor.userId });
  return toTotals(counts!);
}

export function toTotals({ published, failed, waiting, ...engagement }: PostCounts) {
  const sum = (name: keyof typeof engagement) =>
    engagement[name] === null ? null : Number(engagement[name]);
  return {
    posts: published + failed + waiting,
    likes: sum('likes'),
    comments: sum('comments'),
    shares: sum('shares'),
  };
}

/** Whether the history has a post, tests included. */
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
