import { type Db, type Trx, transact } from '#app/db/client.ts';
import { after, databaseClock } from '#app/db/clock.ts';
import type { MailKind, Mails } from '#app/domain/email/templates/templates.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { isSealedBefore, open, type Resealed, resealEach, seal } from '#app/domain/platform/secrets.ts';
import { isOptedOut } from './choices.ts';

const context = (mailId: string) => `mails.data:${mailId}`;

type Recipient = { address: string; userId: string | null };

/** Does nothing when the user has opted out or a mail with the dedupe key exists. The data may contain a code. */
export async function queueMail<K extends MailKind>(
  db: Db,
  to: Recipient,
  kind: K,
  data: Mails[K],
  dedupeKey: string | null = null,
): Promise<void> {
  await transact(db, async (trx) => {
    if (await isOptedOut(trx, to.userId, kind)) return;
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

export async function listUnsentMails(db: Db, address: string): Promise<string[]> {
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

export async function listOverdueMails(db: Db, kind: MailKind, ms: number): Promise<string[]> {
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

/** Locks an unsent mail; false when it was sent or another transaction has it. */
export async function lockUnsentMail(trx: Trx, mailId: string): Promise<boolean> {
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

export type UnsentMail = {
  id: string;
  toAddress: string;
  userId: string | null;
  kind: MailKind;
  data: Mails[MailKind];
  createdAt: Date;
};

export async function findUnsentMail(db: Db, mailId: string): Promise<UnsentMail | undefined> {
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

export async function findMailRecipient(db: Db, address: string) {
  return db
    .selectFrom('mails')
    .select(['toAddress as address', 'userId'])
    .where('toAddress', '=', address)
    .where('sentAt', 'is not', null)
    .orderBy('userId')
    .limit(1)
    .executeTakeFirst();
}

/** These mails are deleted after sending, with the address. */
const DELETED_AFTER_SENDING: readonly MailKind[] = ['accountDeleted'];

async function deleteAfterSending(db: Db, mailId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mails')
    .where('id', '=', mailId)
    .where('kind', 'in', DELETED_AFTER_SENDING)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function markMailSent(db: Db, mailId: string, now = new Date()): Promise<void> {
  if (await deleteAfterSending(db, mailId)) return;
  await db.updateTable('mails').set({ sentAt: now, dataSealed: null }).where('id', '=', mailId).execute();
}

/** For a permanent failure. `failure` is the server's message. */
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

/** Deletes mails to an address that belong to no account. An account's mails are deleted with it. */
export async function deleteMailsTo(db: Db, address: string): Promise<void> {
  await db.deleteFrom('mails').where('toAddress', '=', address).where('userId', 'is', null).execute();
}

export async function deleteUnsent(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('kind', 'in', DELETED_AFTER_SENDING)
    .where('createdAt', '<', before)
    .execute();
}

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
