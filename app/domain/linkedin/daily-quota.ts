import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import { env } from '#app/env.ts';
import { linkedInCalls } from '#app/integrations/linkedin/responses.ts';

/** From this share of the daily limit on admins are alerted, as LinkedIn mails the owner of the application. */
export const QUOTA_ALARM = 0.75;
const FAULT = 'linkedin-budget';
const WRITE_INTERVAL_MS = 5_000;
const LEARNED_DAYS = 30;

type Resource = 'posts' | 'other';
export type LinkedInQuota = {
  /** Attempts to publish today (UTC) and all other calls. */
  posts: number;
  other: number;
  limit: number | null;
  isLearned: boolean;
};

/** Calls of this process that are not stored yet. */
const unsaved: Record<Resource, number> = { posts: 0, other: 0 };
linkedInCalls.subscribe((message) => {
  const { method, path } = message as { method: string; path: string };
  unsaved[method === 'POST' && path.endsWith('/rest/posts') ? 'posts' : 'other']++;
});

/** Adds this process's calls to the day. A row for each call would be the bottleneck of publishing. */
export async function writeCalls(db: Db): Promise<void> {
  const rows = (['posts', 'other'] as const).map((resource) => ({ resource, calls: unsaved[resource] }));
  const counts = rows.filter(({ calls }) => calls > 0);
  if (counts.length === 0) return;
  for (const { resource, calls } of counts) unsaved[resource] -= calls;
  try {
    await sql`insert into linkedin_days as counted (day, resource, calls)
      select (now() at time zone 'utc')::date, r.resource, r.calls
      from json_to_recordset(${JSON.stringify(counts)}::json) as r (resource text, calls int)
      on conflict (day, resource) do update set calls = counted.calls + excluded.calls`.execute(db);
  } catch (error) {
    for (const { resource, calls } of counts) unsaved[resource] += calls;
    throw error;
  }
}

/** Stores the calls every few seconds, and once more when the returned function is called. */
export function recordCalls(db: Db, failed: (error: unknown) => void): () => Promise<void> {
  const write = () => writeCalls(db).catch(failed);
  const timer = setInterval(write, WRITE_INTERVAL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return write();
  };
}

/** LinkedIn refuses more posts today: the number of calls is the limit. */
export async function recordAppLimit(db: Db, now: Date): Promise<void> {
  await sql`update linkedin_days set limit_at = coalesce(limit_at, calls)
    where day = (${now}::timestamptz at time zone 'utc')::date and resource = 'posts'`.execute(db);
}

type QuotaRow = { posts: number; other: number; limitAt: number | null };

export async function readQuota(
  db: Db,
  now = new Date(),
  configured = env().LINKEDIN_POSTS_A_DAY,
): Promise<LinkedInQuota> {
  const { rows } = await sql<QuotaRow>`
    select coalesce(sum(d.calls) filter (where d.day = t.today and d.resource = 'posts'), 0)::int as posts,
      coalesce(sum(d.calls) filter (where d.day = t.today and d.resource = 'other'), 0)::int as other,
      max(d.limit_at) as limit_at
    from (select (${now}::timestamptz at time zone 'utc')::date as today) t
      left join linkedin_days d on d.day > t.today - ${LEARNED_DAYS}::int and d.day <= t.today`.execute(db);
  const { posts, other, limitAt } = rows[0]!;
  return {
    posts,
    other,
    limit: configured ?? limitAt,
    isLearned: configured === undefined && limitAt !== null,
  };
}

const formatCount = (count: number) => count.toLocaleString('en');

/** Alerts admins when most of the daily limit is used; clears the alert the next day. */
export async function checkQuota(db: Db, now = new Date()): Promise<void> {
  const { posts, limit } = await readQuota(db, now);
  if (limit === null || posts < limit * QUOTA_ALARM) return clearFaults(db, FAULT);
  const message = `Tidepost has asked LinkedIn to take ${formatCount(posts)} posts today, of about ${formatCount(limit)} that it takes from the application in a day. What is over that goes out after 00:00 UTC.`;
  await reportFault(db, FAULT, message, now);
}

export type LinkedInDay = { day: string; posts: number; other: number; limitAt: number | null };

/** Calls of the last days (UTC), newest first; days without calls are left out. */
export async function listLinkedInDays(db: Db, days: number, now = new Date()): Promise<LinkedInDay[]> {
  const { rows } = await sql<LinkedInDay>`
    select to_char(day, 'YYYY-MM-DD') as day, max(limit_at) as limit_at,
      coalesce(sum(calls) filter (where resource = 'posts'), 0)::int as posts,
      coalesce(sum(calls) filter (where resource = 'other'), 0)::int as other
    from linkedin_days where day > (${now}::timestamptz at time zone 'utc')::date - ${days}::int
    group by linkedin_days.day order by linkedin_days.day desc`.execute(db);
  return rows;
}
