import { type RawBuilder, sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import { WAITING_STATUSES } from '#app/domain/posts/limits.ts';

/*
 * The table `post_counts` counts a user's older posts that were published or failed; only newer ones are counted on
 * each request. Triggers update its row in the transaction that changes a counted post (migrations/0010-publishing.sql).
 */

/** What is kept ends so many days ago; the triggers mind a day more. */
const KEPT_AFTER_DAYS = 2;
const BATCH = 500;
const FAULT = 'post_counts';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The delivery in a column is of a post that waits. The statuses are written out: of a value the database does not know
 * how few have it, and plans a read of them for each request anew.
 */
export const waits = (status: string): RawBuilder<boolean> =>
  sql`${sql.ref(status)} = any(${sql.lit(`{${WAITING_STATUSES.join()}}`)})`;

/** The posts in a state that are not kept. Each is looked up by itself: there are few, whatever is known of all. */
const newer = (state: 'published' | 'failed', at: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(select count(*)::int from post_schedules
    cross join lateral (select visibility from posts where posts.id = post_schedules.post_id offset 0) as seen
    where post_schedules.user_id = asked.user_id and status = ${sql.lit(state)} and deleted_at is null
      and ${at} >= coalesce(closed_before, '-infinity') and ${at} <= 'infinity' and visibility = 'PUBLIC')`;

const waiting: RawBuilder<number> = sql`(select count(*)::int from post_schedules
  cross join lateral (select visibility from posts where posts.id = post_schedules.post_id offset 0) as seen
  where post_schedules.user_id = asked.user_id and ${waits('status')} and deleted_at is null
    and visibility = 'PUBLIC')`;

const postedAt = sql`posted_at`;
const failedAt = sql`coalesce(failed_at, 'infinity'::timestamptz)`;

const standing = sql`coalesce(kept.published, 0) + ${newer('published', postedAt)} as published,
    coalesce(kept.failed, 0) + ${newer('failed', failedAt)} as failed,
    ${waiting} as waiting`;

/** One row: how many posts of the user stand where, without tests, and what was typed in about them; null is nothing. */
export const countsOf = (userId: string) => sql<PostCounts>`
  select ${standing},
    case when likes_typed > 0 then likes end as likes,
    case when comments_typed > 0 then comments end as comments,
    case when shares_typed > 0 then shares end as shares
  from (select ${userId}::uuid as user_id) as asked
  left join post_counts as kept on kept.user_id = asked.user_id`;

/** How many posts of each of these users stand where, without tests: a row for each. */
export const countsOfEach = (userIds: string[]) => sql<PostCountsOfUser>`
  select asked.user_id as "userId", ${standing}
  from unnest(${userIds}::uuid[]) as asked (user_id)
  left join lateral (select * from post_counts where post_counts.user_id = asked.user_id offset 0) as kept on true`;
type PostCountsOfUser = { userId: string } & Record<'published' | 'failed' | 'waiting', number>;

/** One row: how many posts of everybody stand where, without tests. */
export const countsOfAll = sql<Record<'published' | 'failed' | 'waiting', number>>`
  select coalesce(sum(published), 0)::int as published, coalesce(sum(failed), 0)::int as failed,
    coalesce(sum(waiting), 0)::int as waiting
  from (select ${standing} from (select id as user_id from users) as asked
    left join post_counts as kept on kept.user_id = asked.user_id) as each`;

/** One row: how many posts are out, of how many authors, and how many there are. Of everybody together, without tests. */
export const outOfAll = sql<Record<'posts' | 'authors' | 'written', number>>`
  select coalesce(sum(published), 0)::int as posts, count(*) filter (where published > 0)::int as authors,
    coalesce(sum(published + failed + waiting), 0)::int as written
  from (
    select ${standing} from (select id as user_id from users) as asked left join post_counts as kept on kept.user_id = asked.user_id
    offset 0 -- or the planner counts twice, as it is used twice
  ) as of_each`;

/** Of what was typed in the sums are bigints, so strings. */
export type PostCounts = Record<'published' | 'failed' | 'waiting', number> &
  Record<'likes' | 'comments' | 'shares', string | null>;

/** A user whose kept row was another than the posts say. */
type Difference = { userId: string; kept: string; counted: string };

/**
 * Counts the posts of every user anew, compares that with what is kept and keeps it up to a later instant. A difference
 * is mended, and the operator told. Answers what differed.
 */
export async function proveCounts(db: Db, now = new Date()): Promise<Difference[]> {
  await sql`insert into post_counts (user_id)
    select id from users where not exists (select from post_counts where user_id = users.id)
    on conflict do nothing`.execute(db);
  const differences: Difference[] = [];
  for (let last: string | undefined = FIRST_ID; last; ) {
    const after: string = last;
    last = await transact(db, async (trx) => {
      const locked = await lockBatch(trx, after);
      if (locked.length > 0) differences.push(...(await countAnew(trx, locked, now)));
      return locked.at(-1);
    });
  }
  await reportDifferences(db, differences, now);
  return differences;
}

/** Whoever changes what is kept waits for this lock; what they did before is seen by the statement that comes after. */
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

/** How many are over at the instant that is kept, and at the next one. */
const over = (from: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql`(
  select count(case when ${at} < kept.closed_before then 1 end) as before, count(case when ${at} < next.instant then 1 end) as after
  from ${from} and post_schedules.deleted_at is null)`;
const all = (state: 'published' | 'failed') =>
  sql`post_schedules where post_schedules.user_id = kept.user_id and status = ${sql.lit(state)}`;
const tests = (state: 'published' | 'failed') =>
  sql`posts join post_schedules on post_schedules.post_id = posts.id
    where posts.user_id = kept.user_id and visibility = 'CONNECTIONS' and status = ${sql.lit(state)}`;

const typed = sql`(
  select coalesce(sum(likes), 0) as likes, count(likes) as likes_typed, coalesce(sum(comments), 0) as comments,
    count(comments) as comments_typed, coalesce(sum(shares), 0) as shares, count(shares) as shares_typed
  from engagements join posts on posts.id = engagements.post_id
  where engagements.user_id = kept.user_id and posts.deleted_at is null and visibility = 'PUBLIC')`;

async function countAnew(trx: Trx, userIds: string[], now: Date): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    with counted as materialized (
      select kept.user_id, next.instant, typed.*,
        published.before - published_tests.before as published_before,
        published.after - published_tests.after as published,
        failed.before - failed_tests.before as failed_before,
        failed.after - failed_tests.after as failed
      from post_counts as kept
      cross join (select least(${now}, now()) - ${KEPT_AFTER_DAYS} * interval '1 day' as instant) as next,
        lateral ${over(all('published'), postedAt)} as published,
        lateral ${over(tests('published'), postedAt)} as published_tests,
        lateral ${over(all('failed'), failedAt)} as failed,
        lateral ${over(tests('failed'), failedAt)} as failed_tests,
        lateral ${typed} as typed
      where kept.user_id = any(${userIds}::uuid[])
    ), moved as (
      update post_counts as kept set closed_before = instant, published = counted.published, failed = counted.failed,
        likes = counted.likes, likes_typed = counted.likes_typed, comments = counted.comments,
        comments_typed = counted.comments_typed, shares = counted.shares, shares_typed = counted.shares_typed
      from counted where counted.user_id = kept.user_id and (closed_before > instant
        or ${row('kept', 'published', 'failed')} is distinct from ${row('counted', 'published', 'failed')})
    )
    select kept.user_id as "userId", ${row('kept', 'published', 'failed')}::text as kept,
      ${row('counted', 'published_before', 'failed_before')}::text as counted
    from post_counts as kept join counted using (user_id)
    where ${row('kept', 'published', 'failed')}
      is distinct from ${row('counted', 'published_before', 'failed_before')}`.execute(trx);
  return rows;
}

const SUMS = ['likes', 'likes_typed', 'comments', 'comments_typed', 'shares', 'shares_typed'];
const row = (of: string, ...states: string[]) =>
  sql`row(${sql.join([...states, ...SUMS].map((name) => sql`${sql.ref(`${of}.${name}`)}::bigint`))})`;

async function reportDifferences(db: Db, differences: Difference[], now: Date): Promise<void> {
  const [first] = differences;
  if (!first) return clearFaults(db, FAULT);
  const whose = differences.length === 1 ? 'one user' : `${differences.length} users`;
  const message = `The kept counts of posts of ${whose} were wrong and have been set right. Of ${first.userId} they were ${first.kept}, and counted ${first.counted}.`;
  await reportFault(db, FAULT, message, now);
}
