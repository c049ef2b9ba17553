import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { enqueueAll, jobs } from './jobs.ts';

const FORGOTTEN_MS = 2 * 60_000;
const GIVE_UP_MS = 24 * 60 * 60_000;
const BATCH = 500;

/**
 * Adds the jobs of rows that are still waiting: a killed worker leaves its jobs locked for hours, and
 * nothing may depend on that lock. A job that waits already keeps its time.
 */
export async function sweepJobs(db: Db, now = new Date()): Promise<void> {
  const before = new Date(now.getTime() - FORGOTTEN_MS);
  await enqueueAll(db, jobs.sendMail, await forgottenMails(db, before, now));
  const runs = await db
    .selectFrom('runs')
    .select('id')
    .where('status', '<>', 'complete')
    .where('createdAt', '<', before)
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
    .orderBy('createdAt')
    .limit(BATCH)
    .execute();
  await enqueueAll(
    db,
    jobs.writeRun,
    runs.map(({ id }) => ({ runId: id })),
  );
  await enqueueAll(db, jobs.refitQueue, await usersHeldForNothing(db, before, now));
}

/**
 * Mails without a living job. One whose job waits for its next try is left to it: adding the job again
 * would begin its pauses anew. After a day a mail is given up.
 */
async function forgottenMails(db: Db, before: Date, now: Date): Promise<{ mailId: string }[]> {
  const dayBefore = new Date(now.getTime() - GIVE_UP_MS);
  await db
    .updateTable('mails')
    .set({ failedAt: now, failure: 'It could not be sent for a day', dataSealed: null })
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('createdAt', '<', dayBefore)
    .execute();
  const { rows } = await sql<{ mailId: string }>`
    select m.id as mail_id from mails m
    where m.sent_at is null and m.failed_at is null and m.created_at < ${before}
      and not exists (
        select from graphile_worker.jobs j
        where j.key = 'mail:' || m.id and j.attempts < j.max_attempts
          and (j.locked_at is null or j.locked_at > ${before})
      )
    order by m.created_at
    limit ${BATCH}`.execute(db);
  return rows;
}

/**
 * Users with a post that is held although it may go by everything the publishing tick looks at: the job
 * that was to release it is lost or came too early.
 */
async function usersHeldForNothing(db: Db, before: Date, now: Date): Promise<{ userId: string }[]> {
  const { rows } = await sql<{ userId: string }>`
    select distinct d.user_id from deliveries d join posts p on p.id = d.post_id
    where d.held_at < ${before} and p.status = 'generated'
      and exists (select from linkedin_connections c where c.user_id = d.user_id and c.status = 'alive')
      and (d.is_by_hand or (
        exists (select from automation_settings s where s.user_id = d.user_id and s.is_enabled)
        and exists (
          select from payments y where y.user_id = d.user_id and y.status = 'active'
          and y.starts_at <= ${now} and y.ends_at > ${now}
        )
      ))
    limit ${BATCH}`.execute(db);
  return rows;
}
