import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import { env } from '#app/env.ts';
import { linkedInCalls } from '#app/integrations/linkedin/responses.ts';

/** Of what LinkedIn takes in a day: from here on admins are told, as LinkedIn itself mails whoever owns the application. */
export const BUDGET_ALARM = 0.75;
const FAULT = 'linkedin-budget';
const WRITTEN_EVERY_MS = 5_000;
/** So long a limit that was met says what the next one may be. */
const LEARNED_DAYS = 30;

type Resource = 'posts' | 'other';
export type Budget = {
  /** Posts that LinkedIn was asked to take today (UTC), whatever came of it, and all other calls. */
  posts: number;
  other: number;
  /** How many posts a day may have; null while nobody knows. */
  limit: number | null;
  isLearned: boolean;
};

/** What this process has asked for and not written down yet. */
const waiting: Record<Resource, number> = { posts: 0, other: 0 };
linkedInCalls.subscribe((message) => {
  const { method, path } = message as { method: string; path: string };
  waiting[method === 'POST' && path.endsWith('/rest/posts') ? 'posts' : 'other']++;
});

/** Adds what this process has asked for to the day. A row for each call would be the bottleneck of publishing. */
export async function writeCalls(db: Db): Promise<void> {
  const rows = (['posts', 'other'] as const).map((resource) => ({ resource, calls: waiting[resource] }));
  const some = rows.filter(({ calls }) => calls > 0);
  if (some.length === 0) return;
  for (const { resource, calls } of some) waiting[resource] -= calls;
  try {
    await sql`insert into linkedin_days as counted (day, resource, calls)
      select (now() at time zone 'utc')::date, r.resource, r.calls
      from json_to_recordset(${JSON.stringify(some)}::json) as r (resource text, calls int)
      on conflict (day, resource) do update set calls = counted.calls + excluded.calls`.execute(db);
  } catch (error) {
    for (const { resource, calls } of some) waiting[resource] += calls;
    throw error;
  }
}

/** Writes down every few seconds what this process asks LinkedIn for, and once more when what it returns is called. */
export function recordCalls(db: Db, failed: (error: unknown) => void): () => Promise<void> {
  const write = () => writeCalls(db).catch(failed);
  const timer = setInterval(write, WRITTEN_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return write();
  };
}

/** LinkedIn takes no more of the application today: so many it takes in a day. */
export async function noteAppLimit(db: Db, now: Date): Promise<void> {
  await sql`update linkedin_days set limit_at = coalesce(limit_at, calls)
    where day = (${now}::timestamptz at time zone 'utc')::date and resource = 'posts'`.execute(db);
}

type Counted = { posts: number; other: number; limitAt: number | null };

/** What was asked for today, and how much of it there may be. */
export async function readBudget(
  db: Db,
  now = new Date(),
  set = env().LINKEDIN_POSTS_A_DAY,
): Promise<Budget> {
  const { rows } = await sql<Counted>`
    select coalesce(sum(d.calls) filter (where d.day = t.today and d.resource = 'posts'), 0)::int as posts,
      coalesce(sum(d.calls) filter (where d.day = t.today and d.resource = 'other'), 0)::int as other,
      max(d.limit_at) as limit_at
    from (select (${now}::timestamptz at time zone 'utc')::date as today) t
      left join linkedin_days d on d.day > t.today - ${LEARNED_DAYS}::int and d.day <= t.today`.execute(db);
  const { posts, other, limitAt } = rows[0]!;
  return { posts, other, limit: set ?? limitAt, isLearned: set === undefined && limitAt !== null };
}

const full = (count: number) => count.toLocaleString('en');

/** Tells admins when most of what LinkedIn takes in a day is used, and takes it back with the next day. */
export async function checkBudget(db: Db, now = new Date()): Promise<void> {
  const { posts, limit } = await readBudget(db, now);
  if (limit === null || posts < limit * BUDGET_ALARM) return clearFaults(db, FAULT);
  const message = `Tidepost has asked LinkedIn to take ${full(posts)} posts today, of about ${full(limit)} that it takes from the application in a day. What is over that goes out after 00:00 UTC.`;
  await reportFault(db, FAULT, message, now);
}

export type LinkedInDay = { day: string; posts: number; other: number; limitAt: number | null };

/** What LinkedIn was asked for on the last days (UTC), the latest first; days without a call are left out. */
export async function listLinkedInDays(db: Db, days: number, now = new Date()): Promise<LinkedInDay[]> {
  const { rows } = await sql<LinkedInDay>`
    select to_char(day, 'YYYY-MM-DD') as day, max(limit_at) as limit_at,
      coalesce(sum(calls) filter (where resource = 'posts'), 0)::int as posts,
      coalesce(sum(calls) filter (where resource = 'other'), 0)::int as other
    from linkedin_days where day > (${now}::timestamptz at time zone 'utc')::date - ${days}::int
    group by linkedin_days.day order by linkedin_days.day desc`.execute(db);
  return rows;
}
