import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { enqueueAll, jobs } from '#app/domain/jobs.ts';
import { findPause } from './pause.ts';

const BATCH = 5_000;
/** A job that has not begun by then is added again; its key keeps it single while it waits. */
const ENQUEUE_AGAIN_MS = 2 * 60_000;

/**
 * Adds a job for every post whose time has come, in one statement each for the rows and the jobs. What is
 * due but may not go out (paused, no plan, LinkedIn not connected, waiting for approval) is held: it leaves
 * the index of due rows until it is released. Answers how many jobs were added.
 */
export async function enqueueDuePosts(db: Db, now = new Date()): Promise<number> {
  if (await findPause(db, now)) return 0;
  return transact(db, async (trx) => {
    const again = new Date(now.getTime() - ENQUEUE_AGAIN_MS);
    const { rows } = await sql<{ postId: string }>`
      with due as (
        select d.post_id,
          exists (select from linkedin_connections c where c.user_id = d.user_id and c.status = 'alive')
          and (d.is_by_hand or (
            p.status = 'generated'
            and exists (select from automation_settings s where s.user_id = d.user_id and s.is_enabled)
            and exists (
              select from payments y where y.user_id = d.user_id and y.status = 'active'
              and y.starts_at <= ${now} and y.ends_at > ${now}
            )
          )) as may_go
        from deliveries d join posts p on p.id = d.post_id
        where d.held_at is null and d.due_at <= ${now}
          and (d.not_before is null or d.not_before <= ${now})
          and (d.enqueued_at is null or d.enqueued_at < ${again})
          and (d.lease_until is null or d.lease_until < ${now})
        order by d.due_at
        limit ${BATCH}
        for update of d skip locked
      )
      update deliveries d set
        enqueued_at = case when due.may_go then ${now}::timestamptz end,
        held_at = case when due.may_go then null else ${now}::timestamptz end
      from due where d.post_id = due.post_id
      returning case when due.may_go then d.post_id end as post_id`.execute(trx);
    const ready = rows.filter(({ postId }) => postId !== null);
    await enqueueAll(trx, jobs.publishPost, ready);
    return ready.length;
  });
}
