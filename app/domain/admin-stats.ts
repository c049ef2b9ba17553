import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { covers } from './payments/facts.ts';
import { countsOfAll } from './posts/counts.ts';

/** Of so many accounts their posts are counted when somebody asks; of more, as the worker counted them last. */
const COUNTED_AT_ONCE = 2_000;

type Posts = { totalPosts: number; publishedPosts: number };
type Others = {
  /** Only who has verified an address has an account. */
  totalUsers: number;
  adminCount: number;
  activeSubscriptions: number;
  pendingPayments: number;
};
/** `countedAt`: when posts were counted, if that is a while ago. */
export type AdminStats = Others & Posts & { countedAt?: Date };

const others = (now: Date) => sql<Others>`
    select people.*, paid.*
    from (select count(*)::int as "totalUsers", (count(*) filter (where role = 'admin'))::int as "adminCount"
      from users) as people,
    (select
      (select count(*)::int from payments where user_id is not null and ${covers('payments', now)}) as "activeSubscriptions",
      (select count(*)::int from payments where status = 'pending') as "pendingPayments") as paid`;

/** How many there are of everything; of posts those that their users count, so neither test posts nor what was deleted. */
export const adminStats = (now: Date) => sql<Others & Posts>`
    select others.*, published + failed + waiting as "totalPosts", published as "publishedPosts"
    from (${others(now)}) as others, (${countsOfAll}) as posts`;

/** What is kept of posts where there are many accounts, and it was counted. */
const keptPosts = sql<Posts & { countedAt: Date }>`
    select written as "totalPosts", posts as "publishedPosts", counted_at as "countedAt" from published_totals
    where written is not null and exists (select from users offset ${sql.lit(COUNTED_AT_ONCE)})`;

export async function readAdminStats(db: Db, now = new Date()): Promise<AdminStats> {
  const [kept] = (await keptPosts.execute(db)).rows;
  if (!kept) return (await adminStats(now).execute(db)).rows[0]!;
  return { ...(await others(now).execute(db)).rows[0]!, ...kept };
}
