import { sql } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/jobs.ts';
import { isFree, isItsTurn, mayGo } from './may-go.ts';

const BATCH = 5_000;
/** A job that has not begun by then is added again; its key keeps it single while it waits. */
const ENQUEUE_AGAIN_MS = 2 * 60_000;

/**
 * Adds a job for every post whose time has come, until none is left. What is due but may not go out (paused,
 * no plan, LinkedIn not connected, waiting for approval) is held: it leaves the index of due rows until it
 * is released. Answers how many jobs were added.
 */
export async function enqueueDuePosts(db: Db, now = new Date()): Promise<number> {
  let added = 0;
  for (;;) {
    const batch = await transact(db, (trx) => enqueueBatch(trx, now));
    added += batch.added;
    if (batch.looked < BATCH) return added;
  }
}

/** One statement for the rows and one for the jobs: a commit for each post would be the bottleneck. */
async function enqueueBatch(trx: Trx, now: Date): Promise<{ looked: number; added: number }> {
  const again = new Date(now.getTime() - ENQUEUE_AGAIN_MS);
  const { rows } = await sql<{ postId: string | null }>`
    with due as (
      select deliveries.post_id, ${mayGo(now)} as may_go
      from deliveries join posts on posts.id = deliveries.post_id
      where ${isItsTurn(now)} and ${isFree(now)}
        and (deliveries.enqueued_at is null or deliveries.enqueued_at < ${again})
      order by deliveries.due_at
      limit ${BATCH}
      for update of deliveries skip locked
    )
    update deliveries set
      enqueued_at = case when due.may_go then ${now}::timestamptz end,
      held_at = case when due.may_go then null else ${now}::timestamptz end
    from due where deliveries.post_id = due.post_id
    returning case when due.may_go then deliveries.post_id end as post_id`.execute(trx);
  const ready = rows.flatMap(({ postId }) => (postId === null ? [] : [{ postId }]));
  await enqueueAll(trx, jobs.publishPost, ready);
  return { looked: rows.length, added: ready.length };
}
