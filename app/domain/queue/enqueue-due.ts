import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import { beginsAt, fitsBatch, isDue, isEligible, isToBeSeen } from './eligibility.ts';

const BATCH = 5_000;
/** So many jobs send what goes together at most, and so many posts make one more of them worth while. */
const PARTS = { most: 4, posts: 50 };

/**
 * Hands over every post whose time has come, until none is left: what goes together to a few jobs that look
 * for it themselves, all others to a job each. What is due but may not go out (paused, no plan, LinkedIn not
 * connected, waiting for approval) is held: it leaves the index of due rows until it is released. Answers how
 * many jobs were added.
 */
export async function enqueueDuePosts(db: Db, now = new Date()): Promise<number> {
  if (!(await isAnyDue(db, now))) return 0;
  let added = 0;
  await forEachSettled([enqueueAlone, enqueueTogether], async (part) => {
    added += await part(db, now);
  });
  return added;
}

/** What does not go together, so that whoever sends the rest comes upon none of it. */
async function enqueueAlone(db: Db, now: Date): Promise<number> {
  for (let added = 0; ; ) {
    const batch = await transact(db, (trx) => enqueueBatch(trx, now));
    added += batch.added;
    if (batch.looked < BATCH) return added;
  }
}

/** The short question that most minutes end with: the whole rule takes longer to plan than to answer. */
async function isAnyDue(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from post_schedules where held_at is null and due_at <= ${now} limit 1`.execute(db);
  return rows.length > 0;
}

/** Nothing is written for each post: who sends it takes it. */
async function enqueueTogether(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from post_schedules join posts on posts.id = post_schedules.post_id
      where ${isDue(now)} and ${fitsBatch(now)}
      limit ${PARTS.most * PARTS.posts}) as due`.execute(db);
  const parts = Math.ceil(rows[0]!.count / PARTS.posts);
  const payloads = Array.from({ length: parts }, (_, part) => ({ part }));
  await enqueueAll(db, jobs.publishDue, payloads);
  return parts;
}

/** One statement for the rows and one for the jobs: a commit for each post would be the bottleneck. */
async function enqueueBatch(trx: Trx, now: Date): Promise<{ looked: number; added: number }> {
  const { rows } = await sql<{ postId: string; at: Date | null }>`
    with due as (
      select post_schedules.post_id, ${isEligible(now)} as may_go, greatest(${now}, ${beginsAt}) as begins_at
      from post_schedules
        -- Each looked up by itself: joined, a minute with many due posts reads every post there is.
        cross join lateral (select * from posts where posts.id = post_schedules.post_id offset 0) as posts
      where ${isToBeSeen(now)} and not ${fitsBatch(now)}
      order by post_schedules.due_at
      limit ${BATCH}
      for update of post_schedules skip locked
    )
    update post_schedules set
      enqueued_at = case when due.may_go then due.begins_at end,
      held_at = case when due.may_go then null else ${now}::timestamptz end
    from due where post_schedules.post_id = due.post_id
    returning post_schedules.post_id, post_schedules.enqueued_at as at`.execute(trx);
  const ready = rows.flatMap(({ postId, at }) => (at ? [{ postId, at }] : []));
  const payloads = ready.map(({ postId }) => ({ postId }));
  await enqueueAll(
    trx,
    jobs.publishPost,
    payloads,
    ready.map(({ at }) => at),
  );
  return { looked: rows.length, added: ready.length };
}
