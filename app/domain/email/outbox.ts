import { type Db, type Trx, transact } from '#app/db/client.ts';
import { after, databaseClock } from '#app/db/clock.ts';
import type { MailKind, Mails } from '#app/domain/email/templates/templates.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { isSealedBefore, open, type Resealed, resealEach, seal } from '#app/domain/platform/secrets.ts';
import { isMuted } from './choices.ts';

/** What the data of a mail are sealed for. */
const context = (mailId: string) => `mails.data:${mailId}`;

type Recipient = { address: string; userId: string | null };

/**
 * Writes a mail and its job in the caller's transaction. With a dedupe key a second mail of that key is
 * not written, nor one that the user does not want. What the template needs is sealed, because it can hold a code, and is cut
 * after sending.
 */
export async function queueMail<K extends MailKind>(
  db: Db,
  to: Recipient,
  kind: K,
  data: Mails[K],
  dedupeKey: string | null = null,
): Promise<void> {
  await transact(db, async (trx) => {
    if (await isMuted(trx, to.userId, kind)) return;
    const mail = await trx
      .insertInto('mails')
      .values({ toAddress: to.address, userId: to.userId, kind, dedupeKey })
      .onConflict((conflict) => conflict.column('dedupeKey').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!mail) return;
    await trx
      .updateTable('mails')
      .set({ dataSealed: seal(JSON.stringify(data), context(mail.id)) })
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

export type WaitingMail = {
  id: string;
  toAddress: string;
  userId: string | null;
  kind: MailKind;
  data: Mails[MailKind];
  createdAt: Date;
};

/** The mail, or undefined when it is out already or given up. */
export async function findWaitingMail(db: Db, mailId: string): Promise<WaitingMail | undefined> {
  const mail = await db
    .selectFrom('mails')
    .select(['id', 'toAddress', 'userId', 'kind', 'dataSealed', 'createdAt'])
    .where('id', '=', mailId)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .executeTakeFirst();
  if (!mail?.dataSealed) return undefined;
  const data = JSON.parse(open(mail.dataSealed, context(mail.id))) as Mails[MailKind];
  const { id, toAddress, userId, createdAt } = mail;
  return { id, toAddress, userId, kind: mail.kind as MailKind, data, createdAt };
}

/** Whose an address is to which a mail went out; undefined when none did. */
export async function findMailed(db: Db, address: string) {
  return db
    .selectFrom('mails')
    .select(['toAddress as address', 'userId'])
    .where('toAddress', '=', address)
    .where('sentAt', 'is not', null)
    .orderBy('userId')
    .limit(1)
    .executeTakeFirst();
}

/** Mails to somebody whom we know no more: with the mail goes the address. */
const FORGOTTEN: readonly MailKind[] = ['accountDeleted'];

async function deleteAfterSending(db: Db, mailId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mails')
    .where('id', '=', mailId)
    .where('kind', 'in', FORGOTTEN)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function markMailSent(db: Db, mailId: string, now = new Date()): Promise<void> {
  if (await deleteAfterSending(db, mailId)) return;
  await db.updateTable('mails').set({ sentAt: now, dataSealed: null }).where('id', '=', mailId).execute();
}

/** A permanent refusal: the mail is given up and keeps the server's words. */
export async function markMailFailed(
  db: Db,
  mailId: string,
  failure: string,
  now = new Date(),
): Promise<void> {
  if (await deleteAfterSending(db, mailId)) return;
  await db
    .updateTable('mails')
    .set({ failedAt: now, failure, dataSealed: null })
    .where('id', '=', mailId)
    .execute();
}

/** Forgets the mails to an address that belong to no account. Those of an account go with it. */
export async function deleteMailsTo(db: Db, address: string): Promise<void> {
  await db.deleteFrom('mails').where('toAddress', '=', address).where('userId', 'is', null).execute();
}

/** Forgets the mails that were to be forgotten as soon as they were out, and could not be sent for so long. */
export async function deleteUnsent(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('mails').where('kind', 'in', FORGOTTEN).where('createdAt', '<', before).execute();
}

/** Seals what mails that are not out need with the key that writes now. */
export async function resealMails(db: Db): Promise<Resealed> {
  const rows = await db
    .selectFrom('mails')
    .select(['id', 'dataSealed'])
    .where(({ ref }) => isSealedBefore(ref('dataSealed')))
    .execute();
  return resealEach(
    rows,
    ({ id, dataSealed }) => seal(open(dataSealed!, context(id)), context(id)),
    (row, dataSealed) =>
      db
        .updateTable('mails')
        .set({ dataSealed })
        .where('id', '=', row.id)
        .where('dataSealed', '=', row.dataSealed)
        .execute(),
  );
}
