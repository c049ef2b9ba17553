import { type RawBuilder, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import { WAITING_STATUSES } from '#app/domain/posts/limits.ts';

/*
 * The table `post_counts` counts a user's older posts that were published or failed; only newer ones are counted on
 * each request. Triggers update its row in the transaction that changes a counted post (migrations/0010-publishing.sql).
 */

/** Stored counts end this many days ago; the triggers allow one day more. */
const COUNTED_AFTER_DAYS = 2;
const BATCH = 500;
const FAULT = 'post_counts';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The status in a column is that of a waiting post. The statuses are literals: for a parameter Postgres does not know
 * how few rows have the value, and plans the query for each request.
 */
export const waits = (status: string): RawBuilder<boolean> =>
  sql`${sql.ref(status)} = any(${sql.lit(`{${WAITING_STATUSES.join()}}`)})`;

/** The posts in a state that are newer than the stored counts. A lateral join reads each by its key: there are few. */
const newer = (state: 'published' | 'failed', at: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(select count(*)::int from post_schedules
    cross join lateral (select visibility from posts where posts.id = post_schedules.post_id offset 0) as seen
    where post_schedules.user_id = requested.user_id and status = ${sql.lit(state)} and deleted_at is null
      and ${at} >= coalesce(closed_before, '-infinity') and ${at} <= 'infinity' and visibility = 'PUBLIC')`;

const waiting: RawBuilder<number> = sql`(select count(*)::int from post_schedules
  cross join lateral (select visibility from posts where posts.id = post_schedules.post_id offset 0) as seen
  where post_schedules.user_id = requested.user_id and ${waits('status')} and deleted_at is null
    and visibility = 'PUBLIC')`;

const postedAt = sql`posted_at`;
const failedAt = sql`coalesce(failed_at, 'infinity'::timestamptz)`;

const counts = sql`coalesce(stored.published, 0) + ${newer('published', postedAt)} as published,
    coalesce(stored.failed, 0) + ${newer('failed', failedAt)} as failed,
    ${waiting} as waiting`;

/** Selects one row: the counts of a user's posts without tests, and the sums of engagement, null without any. */
export const countsOf = (userId: string) => sql<PostCounts>`
  select ${counts},
    case when likes_typed > 0 then likes end as likes,
    case when comments_typed > 0 then comments end as comments,
    case when shares_typed > 0 then shares end as shares
  from (select ${userId}::uuid as user_id) as requested
  left join post_counts as stored on stored.user_id = requested.user_id`;

/** Selects a row for each of these users: the counts of their posts without tests. */
export const countsOfEach = (userIds: string[]) => sql<PostCountsOfUser>`
  select requested.user_id as "userId", ${counts}
  from unnest(${userIds}::uuid[]) as requested (user_id)
  left join lateral (select * from post_counts where post_counts.user_id = requested.user_id offset 0) as stored on true`;
type PostCountsOfUser = { userId: string } & Record<'published' | 'failed' | 'waiting', number>;

/** Selects one row: the counts of the posts of all users without tests. */
export const countsOfAll = sql<Record<'published' | 'failed' | 'waiting', number>>`
  select coalesce(sum(published), 0)::int as published, coalesce(sum(failed), 0)::int as failed,
    coalesce(sum(waiting), 0)::int as waiting
  from (select ${counts} from (select id as user_id from users) as requested
    left join post_counts as stored on stored.user_id = requested.user_id) as each`;

/** Selects one row: published posts, their authors, and all posts, of all users without tests. */
export const publishedOfAll = sql<Record<'posts' | 'authors' | 'written', number>>`
  select coalesce(sum(published), 0)::int as posts, count(*) filter (where published > 0)::int as authors,
    coalesce(sum(published + failed + waiting), 0)::int as written
  from (
    select ${counts} from (select id as user_id from users) as requested left join post_counts as stored on stored.user_id = requested.user_id
    offset 0 -- or the planner counts twice, as it is used twice
  ) as of_each`;

/** Sums of engagement are bigints, so strings. */
export type PostCounts = Record<'published' | 'failed' | 'waiting', number> &
  Record<'likes' | 'comments' | 'shares', string | null>;

type Difference = { userId: string; stored: string; counted: string };

/**
 * Counts the posts of every user again, compares the result with the stored counts and extends these to a later instant.
 * Differences are corrected, reported to the operator and returned.
 */
export async function reconcileCounts(db: Db, now = new Date()): Promise<Difference[]> {
  await sql`insert into post_counts (user_id)
    select id from users where not exists (select from post_counts where user_id = users.id)
    on conflict do nothing`.execute(db);
  const differences: Difference[] = [];
  for (let last: string | undefined = FIRST_ID; last; ) {
    const after: string = last;
    last = await transact(db, async (trx) => {
      const locked = await lockBatch(trx, after);
      if (locked.length > 0) differences.push(...(await recount(trx, locked, now)));
      return locked.at(-1);
    });
  }
  await reportDifferences(db, differences, now);
  return differences;
}

/** Triggers that change the counts wait for this lock. The next statement sees what was committed before. */
async function lockBatch(trx: Trx, after: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('postCounts')
    .select('userId')
    .where('userId', '>', after)
    .orderBy('userId')
    .limit(BATCH)
    .forUpdate()
    .execute();
  return rows.map(({ userId }) => userId);
}

/** Counts the posts before the instant of the stored counts, and before the next one. */
const countBefore = (from: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql`(
  select count(case when ${at} < stored.closed_before then 1 end) as before, count(case when ${at} < next.instant then 1 end) as after
  from ${from} and post_schedules.deleted_at is null)`;
const all = (state: 'published' | 'failed') =>
  sql`post_schedules where post_schedules.user_id = stored.user_id and status = ${sql.lit(state)}`;
const tests = (state: 'published' | 'failed') =>
  sql`posts join post_schedules on post_schedules.post_id = posts.id
    where posts.user_id = stored.user_id and visibility = 'CONNECTIONS' and status = ${sql.lit(state)}`;

const engagement = sql`(
  select coalesce(sum(likes), 0) as likes, count(likes) as likes_typed, coalesce(sum(comments), 0) as comments,
    count(comments) as comments_typed, coalesce(sum(shares), 0) as shares, count(shares) as shares_typed
  from engagements join posts on posts.id = engagements.post_id
  where engagements.user_id = stored.user_id and posts.deleted_at is null and visibility = 'PUBLIC')`;

async function recount(trx: Trx, userIds: string[], now: Date): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    with counted as materialized (
      select stored.user_id, next.instant, typed.*,
        published.before - published_tests.before as published_before,
        published.after - published_tests.after as published,
        failed.before - failed_tests.before as failed_before,
        failed.after - failed_tests.after as failed
      from post_counts as stored
      cross join (select least(${now}, now()) - ${COUNTED_AFTER_DAYS} * interval '1 day' as instant) as next,
        lateral ${countBefore(all('published'), postedAt)} as published,
        lateral ${countBefore(tests('published'), postedAt)} as published_tests,
        lateral ${countBefore(all('failed'), failedAt)} as failed,
        lateral ${countBefore(tests('failed'), failedAt)} as failed_tests,
        lateral ${engagement} as typed
      where stored.user_id = any(${userIds}::uuid[])
    ), moved as (
      update post_counts as stored set closed_before = instant, published = counted.published, failed = counted.failed,
        likes = counted.likes, likes_typed = counted.likes_typed, comments = counted.comments,
        comments_typed = counted.comments_typed, shares = counted.shares, shares_typed = counted.shares_typed
      from counted where counted.user_id = stored.user_id and (closed_before > instant
        or ${row('stored', 'published', 'failed')} is distinct from ${row('counted', 'published', 'failed')})
    )
    select stored.user_id as "userId", ${row('stored', 'published', 'failed')}::text as stored,
      ${row('counted', 'published_before', 'failed_before')}::text as counted
    from post_counts as stored join counted using (user_id)
    where ${row('stored', 'published', 'failed')}
      is distinct from ${row('counted', 'published_before', 'failed_before')}`.execute(trx);
  return rows;
}

const SUMS = ['likes', 'likes_typed', 'comments', 'comments_typed', 'shares', 'shares_typed'];
const row = (of: string, ...states: string[]) =>
  sql`row(${sql.join([...states, ...SUMS].map((name) => sql`${sql.ref(`${of}.${name}`)}::bigint`))})`;

async function reportDifferences(db: Db, differences: Difference[], now: Date): Promise<void> {
  const [first] = differences;
  if (!first) return clearFaults(db, FAULT);
  const users = differences.length === 1 ? 'one user' : `${differences.length} users`;
  const message = `The kept counts of posts of ${users} were wrong and have been set right. Of ${first.userId} they were ${first.stored}, and counted ${first.counted}.`;
  await reportFault(db, FAULT, message, now);
}
