import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { covers } from './payments/facts.ts';
import { countsOfAll } from './posts/counts.ts';

export type AdminStats = {
  /** Only who has verified an address has an account. */
  totalUsers: number;
  adminCount: number;
  activeSubscriptions: number;
  pendingPayments: number;
  totalPosts: number;
  publishedPosts: number;
};

/** How many there are of everything; of posts those that their users count, so neither test posts nor what was deleted. */
export const adminStats = (now: Date) => sql<AdminStats>`
    select people.*, paid.*, written.*
    from (select count(*)::int as "totalUsers", (count(*) filter (where role = 'admin'))::int as "adminCount"
      from users) as people,
    (select
      (select count(*)::int from payments where user_id is not null and ${covers('payments', now)}) as "activeSubscriptions",
      (select count(*)::int from payments where status = 'pending') as "pendingPayments") as paid,
    (select published + failed + waiting as "totalPosts", published as "publishedPosts"
      from (${countsOfAll}) as posts) as written`;

export async function readAdminStats(db: Db, now = new Date()): Promise<AdminStats> {
  const { rows } = await adminStats(now).execute(db);
  return rows[0]!;
}
