import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { countCovering } from '#app/domain/payments/predicates.ts';
import { countsOfAll } from '#app/domain/posts/counts/counts.ts';

/** Up to so many accounts, posts are counted exactly; above, the worker's latest counts are used. */
export const EXACT_COUNT_MAX = 2_000;

type PostStats = { totalPosts: number; publishedPosts: number };
type OtherStats = {
  totalUsers: number;
  adminCount: number;
  activeSubscriptions: number;
  pendingPayments: number;
};
/** `countedAt`: the time of the worker's count; null for an estimate; absent for an exact count. */
export type AdminStats = OtherStats & PostStats & { countedAt?: Date | null };

const otherStats = (now: Date) => sql<OtherStats>`
    select people.*, paid.*
    from (select (select count(*)::int from users) as "totalUsers",
      (select count(*)::int from users where role = 'admin') as "adminCount") as people,
    (select
      ${countCovering(now)} as "activeSubscriptions",
      (select count(*)::int from payments where status = 'pending') as "pendingPayments") as paid`;

/** Exact figures. Test posts and deleted posts do not count. */
export const adminStats = (now: Date) => sql<OtherStats & PostStats>`
    select others.*, published + failed + waiting as "totalPosts", published as "publishedPosts"
    from (${otherStats(now)}) as others, (${countsOfAll}) as posts`;

/** For many accounts: the worker's counts or, before the first count, the planner's estimates. */
const storedPostStats = sql<PostStats & { countedAt: Date | null }>`
    select coalesce(written, guess.total) as "totalPosts",
      case when written is null then guess.published else posts end as "publishedPosts",
      case when written is not null then counted_at end as "countedAt"
    from (select greatest(max(reltuples) filter (where relname = 'post_schedules'), 0)::int as total,
        greatest(max(reltuples) filter (where relname = 'post_schedules_posted_at_idx'), 0)::int as published
      from pg_class where oid in ('post_schedules'::regclass, to_regclass('post_schedules_posted_at_idx'))) as guess
    left join published_totals on true
    where exists (select from users offset ${sql.lit(EXACT_COUNT_MAX)})`;

export async function readAdminStats(db: Db, now = new Date()): Promise<AdminStats> {
  const [stored] = (await storedPostStats.execute(db)).rows;
  if (!stored) return (await adminStats(now).execute(db)).rows[0]!;
  return { ...(await otherStats(now).execute(db)).rows[0]!, ...stored };
}
