import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { enqueueAll, hasLiveJob, jobs, limitRetryDelay } from '#app/domain/platform/jobs.ts';
import { ACCOUNT_MAIL_RETENTION_DAYS, MAIL_RETENTION_DAYS } from './limits.ts';
import { deleteUnsent } from './outbox.ts';

const ORPHANED_MS = 2 * 60_000;
const GIVE_UP_MS = 24 * 60 * 60_000;
/** The queue's delays grow to six hours, which is too long after an outage of the mail server. */
const MAX_RETRY_DELAY_MS = 60 * 60_000;
const BATCH = 500;

export async function resumeMails(db: Db, now = new Date()): Promise<void> {
  await failOldMails(db, now);
  await limitRetryDelay(db, jobs.sendMail, MAX_RETRY_DELAY_MS);
  const orphaned = await db
    .selectFrom('mails')
    .select('id')
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('createdAt', '<', new Date(now.getTime() - ORPHANED_MS))
    // Adding a job again would restart its delays, so mails with a live job are skipped.
    .where(({ not }) => not(hasLiveJob(sql`'mail:' || mails.id`, new Date(now.getTime() - ORPHANED_MS))))
    .orderBy('createdAt')
    .limit(BATCH)
    .execute();
  await enqueueAll(
    db,
    jobs.sendMail,
    orphaned.map(({ id }) => ({ mailId: id })),
  );
}

async function failOldMails(db: Db, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - GIVE_UP_MS);
  await deleteUnsent(db, dayAgo);
  await db
    .updateTable('mails')
    .set({ failedAt: now, failure: 'It could not be sent for a day', dataSealed: null })
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('createdAt', '<', dayAgo)
    .execute();
}

const retainedSince = (days: number, now: Date) => new Date(now.getTime() - days * 24 * 60 * 60_000);

export async function deleteOldMails(db: Db, now: Date): Promise<void> {
  await repeatUntilFewer(BATCH, () =>
    sql`delete from mails where id in (
      select id from mails where user_id is null and created_at < ${retainedSince(MAIL_RETENTION_DAYS, now)}
      order by created_at limit ${BATCH} for update skip locked)`.execute(db),
  );
  await repeatUntilFewer(BATCH, () =>
    sql`delete from mails where id in (
      select id from mails where user_id is not null and created_at < ${retainedSince(ACCOUNT_MAIL_RETENTION_DAYS, now)}
      order by created_at limit ${BATCH} for update skip locked)`.execute(db),
  );
}
