import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { repeatUntilFewer } from '#app/domain/platform/batches.ts';
import { enqueueAll, hasLiveJob, jobs, limitRetryDelay } from '#app/domain/platform/jobs.ts';
import { ACCOUNT_MAIL_KEPT_DAYS, MAIL_KEPT_DAYS } from './limits.ts';
import { deleteUnsent } from './outbox.ts';

const FORGOTTEN_MS = 2 * 60_000;
const GIVE_UP_MS = 24 * 60 * 60_000;
/** The pauses of the queue grow to six hours: the mail server would be back long before anybody noticed. */
const TRY_WITHIN_MS = 60 * 60_000;
const BATCH = 500;

/** Gives up mails that could not be sent for a day, and resumes those without a living job. */
export async function resumeMails(db: Db, now = new Date()): Promise<void> {
  await giveUp(db, now);
  await limitRetryDelay(db, jobs.sendMail, TRY_WITHIN_MS);
  const forgotten = await db
    .selectFrom('mails')
    .select('id')
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('createdAt', '<', new Date(now.getTime() - FORGOTTEN_MS))
    // One whose job waits for its next try is left to it: adding the job again would begin its pauses anew.
    .where(({ not }) => not(hasLiveJob(sql`'mail:' || mails.id`, new Date(now.getTime() - FORGOTTEN_MS))))
    .orderBy('createdAt')
    .limit(BATCH)
    .execute();
  await enqueueAll(
    db,
    jobs.sendMail,
    forgotten.map(({ id }) => ({ mailId: id })),
  );
}

async function giveUp(db: Db, now: Date): Promise<void> {
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

const keptSince = (days: number, now: Date) => new Date(now.getTime() - days * 24 * 60 * 60_000);

/** Forgets that people without an account were mailed, for their address stands nowhere else by then, and later that accounts were. */
export async function deleteOldMails(db: Db, now: Date): Promise<void> {
  await repeatUntilFewer(BATCH, () =>
    sql`delete from mails where id in (
      select id from mails where user_id is null and created_at < ${keptSince(MAIL_KEPT_DAYS, now)}
      order by created_at limit ${BATCH} for update skip locked)`.execute(db),
  );
  await repeatUntilFewer(BATCH, () =>
    sql`delete from mails where id in (
      select id from mails where user_id is not null and created_at < ${keptSince(ACCOUNT_MAIL_KEPT_DAYS, now)}
      order by created_at limit ${BATCH} for update skip locked)`.execute(db),
  );
}
