import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { countCovering } from '#app/domain/payments/predicates.ts';
import { countsOfAll } from '#app/domain/posts/counts/counts.ts';

/** Of so many accounts their posts are counted when somebody asks; of more, as the worker counted them last. */
export const COUNTED_AT_ONCE = 2_000;

type Posts = { totalPosts: number; publishedPosts: number };
type Others = {
  /** Only who has verified an address has an account. */
  totalUsers: number;
  adminCount: number;
  activeSubscriptions: number;
  pendingPayments: number;
};
/** `countedAt`: when posts were counted, if that is a while ago; null when they were not yet, and are estimated. */
export type AdminStats = Others & Posts & { countedAt?: Date | null };

const others = (now: Date) => sql<Others>`
    select people.*, paid.*
    from (select (select count(*)::int from users) as "totalUsers",
      (select count(*)::int from users where role = 'admin') as "adminCount") as people,
    (select
      ${countCovering(now)} as "activeSubscriptions",
      (select count(*)::int from payments where status = 'pending') as "pendingPayments") as paid`;

/** How many there are of everything; of posts those that their users count, so neither test posts nor what was deleted. */
export const adminStats = (now: Date) => sql<Others & Posts>`
    select others.*, published + failed + waiting as "totalPosts", published as "publishedPosts"
    from (${others(now)}) as others, (${countsOfAll}) as posts`;

/** Many accounts there: what is kept of posts or, before it was counted first, what the planner believes of them. */
const countedPosts = sql<Posts & { countedAt: Date | null }>`
    select coalesce(written, guess.total) as "totalPosts",
      case when written is null then guess.published else posts end as "publishedPosts",
      case when written is not null then counted_at end as "countedAt"
    from (select greatest(max(reltuples) filter (where relname = 'post_schedules'), 0)::int as total,
        greatest(max(reltuples) filter (where relname = 'post_schedules_posted_at_idx'), 0)::int as published
      from pg_class where oid in ('post_schedules'::regclass, to_regclass('post_schedules_posted_at_idx'))) as guess
    left join published_totals on true
    where exists (select from users offset ${sql.lit(COUNTED_AT_ONCE)})`;

/** The figures of all; a view never counts the posts of many accounts. */
export async function readAdminStats(db: Db, now = new Date()): Promise<AdminStats> {
  const [kept] = (await countedPosts.execute(db)).rows;
  if (!kept) return (await adminStats(now).execute(db)).rows[0]!;
  return { ...(await others(now).execute(db)).rows[0]!, ...kept };
}
