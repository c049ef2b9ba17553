import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { lastDays } from '#app/domain/automation/slots.ts';
import { SET_ASIDE } from '#app/domain/posts/failures.ts';

/** The longest chart and its comparison need this many days. */
const COUNTED_DAYS = 180;
/** A late response counts on the day of its call, so the last counted days are counted again. */
const RECOUNTED_DAYS = 2;

/**
 * Counts the published and failed posts of each day, in UTC, since the last counted days. A post that the user set aside
 * did not fail, and a post that was published after a failure counts as published only. Lateness is from the due time
 * until the call to LinkedIn started.
 */
export async function countDays(db: Db, now: Date): Promise<void> {
  const days = lastDays(COUNTED_DAYS, 'UTC', now);
  const { rows } = await sql<{ from: string | null }>`
    select to_char(max(day) - ${RECOUNTED_DAYS}::int, 'YYYY-MM-DD') as "from" from publishing_days
    where day <= ${days.at(-1)}::date`.execute(db);
  const from = rows[0]?.from ?? '';
  // One statement for each day keeps each of them short.
  for (const day of days) if (day >= from) await countDay(db, day, now);
  if (from) await recountFailures(db, from);
}

/** Counts the failures of earlier days again, for posts that failed then and were published since `from`. */
async function recountFailures(db: Db, from: string): Promise<void> {
  const { rows } = await sql<{ day: string }>`
    select distinct to_char(failed_at at time zone 'UTC', 'YYYY-MM-DD') as day from post_schedules
    where status = 'published' and failed_at is not null and posted_at >= ${startOf(from)}
      and failed_at < ${startOf(from)}`.execute(db);
  for (const { day } of rows)
    await sql`update publishing_days set failed = (select count(*) from ${failedOn(day)})
      where day = ${day}::date`.execute(db);
}

const startOf = (day: string, later = 0) =>
  sql`((${day}::date + ${later}::int)::timestamp at time zone 'UTC')`;

const within = (column: string, day: string) =>
  sql`${sql.ref(column)} >= ${startOf(day)} and ${sql.ref(column)} < ${startOf(day, 1)}`;

const failedOn = (day: string) => sql`post_schedules where status = 'failed' and ${within('failed_at', day)}
  and (failure <> all(${SET_ASIDE}::text[])) is not false`;

async function countDay(db: Db, day: string, now: Date): Promise<void> {
  await sql`insert into publishing_days (day, published, failed, late_p50_ms, late_p99_ms, counted_at)
    select ${day}::date, published, failed, late[1], late[2], ${now}::timestamptz
    from (select count(*) as published, percentile_disc(array[0.5, 0.99]) within group (order by
        case when was_due_at is not null then greatest(0, 1000 * extract(epoch from posted_at - was_due_at)) end) as late
      from post_schedules where status = 'published' and ${within('posted_at', day)}) as published_posts,
    (select count(*) as failed from ${failedOn(day)}) as failed_posts
    on conflict (day) do update set published = excluded.published, failed = excluded.failed,
      late_p50_ms = excluded.late_p50_ms, late_p99_ms = excluded.late_p99_ms, counted_at = excluded.counted_at`.execute(
    db,
  );
}
