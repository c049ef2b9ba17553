import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { forEachSettled } from '#app/domain/platform/for-each-settled.ts';
import { enqueueAll, jobs } from '#app/domain/platform/jobs.ts';
import {
  fitsBatch,
  isDue,
  isEligible,
  needsTick,
  startsAt,
} from '#app/domain/publishing/eligibility/eligibility.ts';
import { beatEpoch } from '#app/domain/publishing/safety/epoch.ts';

/** Enqueues the due posts, each minute, unless this database was restored or copied. */
export async function tickPublishing(db: Db, now: Date): Promise<void> {
  if (await beatEpoch(db)) await enqueueDuePosts(db, now);
}

const CHUNK_SIZE = 5_000;
/** The maximum number of batch jobs, and how many posts need one more of them. */
const PARTS = { max: 4, posts: 50 };

/**
 * Adds jobs for all due posts: a few batch jobs, which find their posts themselves, and a job for each post that does not
 * fit a batch. Due posts that are not eligible (automation paused, no plan, LinkedIn not connected, not approved) are
 * held: they leave the index of due rows until they are released. Returns the number of jobs.
 */
export async function enqueueDuePosts(db: Db, now = new Date()): Promise<number> {
  if (!(await isAnyDue(db, now))) return 0;
  let added = 0;
  await forEachSettled([enqueueSingleJobs, enqueueBatchJobs], async (part) => {
    added += await part(db, now);
  });
  return added;
}

/** Enqueues or holds, in chunks, the posts that do not fit a batch. */
async function enqueueSingleJobs(db: Db, now: Date): Promise<number> {
  for (let added = 0; ; ) {
    const chunk = await transact(db, (trx) => enqueueSingleChunk(trx, now));
    added += chunk.added;
    if (chunk.updated < CHUNK_SIZE) return added;
  }
}

/** A cheap check, which is enough in most minutes: planning the full query takes longer than running it. */
async function isAnyDue(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from post_schedules where held_at is null and due_at <= ${now} limit 1`.execute(db);
  return rows.length > 0;
}

/** Writes nothing to the posts: the batch sender locks them. */
async function enqueueBatchJobs(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from post_schedules join posts on posts.id = post_schedules.post_id
      where ${isDue(now)} and ${fitsBatch(now)}
      limit ${PARTS.max * PARTS.posts}) as due`.execute(db);
  const parts = Math.ceil(rows[0]!.count / PARTS.posts);
  const payloads = Array.from({ length: parts }, (_, part) => ({ part }));
  await enqueueAll(db, jobs.sendBatch, payloads);
  return parts;
}

/** One statement for the rows and one for the jobs: a commit for each post would be the bottleneck. */
async function enqueueSingleChunk(trx: Trx, now: Date): Promise<{ updated: number; added: number }> {
  const { rows } = await sql<{ postId: string; at: Date | null }>`
    with due as (
      select post_schedules.post_id, ${isEligible(now)} as is_eligible, greatest(${now}, ${startsAt}) as starts_at
      from post_schedules
        -- Looked up row by row: a plain join reads the whole table in a minute with many due posts.
        cross join lateral (select * from posts where posts.id = post_schedules.post_id offset 0) as posts
      where ${needsTick(now)} and not ${fitsBatch(now)}
      order by post_schedules.due_at
      limit ${CHUNK_SIZE}
      for update of post_schedules skip locked
    )
    update post_schedules set
      enqueued_at = case when due.is_eligible then due.starts_at end,
      held_at = case when due.is_eligible then null else ${now}::timestamptz end
    from due where post_schedules.post_id = due.post_id
    returning post_schedules.post_id, post_schedules.enqueued_at as at`.execute(trx);
  const ready = rows.flatMap(({ postId, at }) => (at ? [{ postId, at }] : []));
  const payloads = ready.map(({ postId }) => ({ postId }));
  const runAt = ready.map(({ at }) => at);
  await enqueueAll(trx, jobs.publishPost, payloads, runAt);
  return { updated: rows.length, added: ready.length };
}
