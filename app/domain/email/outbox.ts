import { type Db, type Trx, transact } from '#app/db/client.ts';
import { after, databaseClock } from '#app/db/clock.ts';
import { enqueue, jobs } from '#app/domain/jobs.ts';
import { open, seal } from '#app/domain/secrets.ts';
import type { MailKind, Mails } from './templates.ts';

type Recipient = { address: string; userId: string | null };

/**
 * Writes a mail and its job in the caller's transaction. With a dedupe key a second mail of that key is
 * not written. What the template needs is sealed, because it can hold a code, and is cut after sending.
 */
export async function queueMail<K extends MailKind>(
  db: Db,
  to: Recipient,
  kind: K,
  data: Mails[K],
  dedupeKey: string | null = null,
): Promise<void> {
  await transact(db, async (trx) => {
    const mail = await trx
      .insertInto('mails')
      .values({ toAddress: to.address, userId: to.userId, kind, dedupeKey })
      .onConflict((conflict) => conflict.column('dedupeKey').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!mail) return;
    await trx
      .updateTable('mails')
      .set({ dataSealed: seal(JSON.stringify(data), `mails.data:${mail.id}`) })
      .where('id', '=', mail.id)
      .execute();
    await enqueue(trx, jobs.sendMail, { mailId: mail.id });
  });
}

/** The ids of mails to an address that are not out, newest first. */
export async function listWaitingMails(db: Db, address: string): Promise<string[]> {
  const mails = await db
    .selectFrom('mails')
    .select('id')
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('toAddress', '=', address)
    .orderBy('createdAt', 'desc')
    .execute();
  return mails.map(({ id }) => id);
}

/** The ids of mails of a kind that have waited for so long, by the clock of the database. */
export async function listLying(db: Db, kind: MailKind, ms: number): Promise<string[]> {
  const mails = await db
    .selectFrom('mails')
    .select('id')
    .where('kind', '=', kind)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('createdAt', '<', after(databaseClock, -ms))
    .execute();
  return mails.map(({ id }) => id);
}

/** Whether this transaction alone has the mail, and it is not out. */
export async function lockWaiting(trx: Trx, mailId: string): Promise<boolean> {
  const mail = await trx
    .selectFrom('mails')
    .select('id')
    .where('id', '=', mailId)
    .where('sentAt', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return mail !== undefined;
}

export type WaitingMail = { id: string; toAddress: string; kind: MailKind; data: Mails[MailKind] };

/** The mail, or undefined when it is out already or given up. */
export async function findWaitingMail(db: Db, mailId: string): Promise<WaitingMail | undefined> {
  const mail = await db
    .selectFrom('mails')
    .select(['id', 'toAddress', 'kind', 'dataSealed'])
    .where('id', '=', mailId)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .executeTakeFirst();
  if (!mail?.dataSealed) return undefined;
  const data = JSON.parse(open(mail.dataSealed, `mails.data:${mail.id}`)) as Mails[MailKind];
  return { id: mail.id, toAddress: mail.toAddress, kind: mail.kind as MailKind, data };
}

export async function markMailSent(db: Db, mailId: string, now = new Date()): Promise<void> {
  await db.updateTable('mails').set({ sentAt: now, dataSealed: null }).where('id', '=', mailId).execute();
}

/** A permanent refusal: the mail is given up and keeps the server's words. */
export async function markMailFailed(
  db: Db,
  mailId: string,
  failure: string,
  now = new Date(),
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ failedAt: now, failure, dataSealed: null })
    .where('id', '=', mailId)
    .execute();
}
