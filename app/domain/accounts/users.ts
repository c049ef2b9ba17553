import type { Db, Trx } from '#app/db/client.ts';
import { written } from '#app/db/written.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import type { MailKind, Mails } from '#app/domain/email/templates.ts';

/**
 * Everything that changes the payments, the settings or the slots of one person takes this lock first, so
 * that it happens one after the other. It does not stop rows that only refer to the user.
 */
export const lockUser = (trx: Trx, userId: string) =>
  trx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'timeZone'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();

/** Waits for whoever has the lock of the user, and lets nobody have it until the transaction ends. */
export async function shareUser(trx: Trx, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forShare().execute();
}

/** As `shareUser` for many, without waiting: answers those whose lock nobody has. */
export async function shareUsers(trx: Trx, userIds: string[]): Promise<Set<string>> {
  const free = await trx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', userIds)
    .forShare()
    .skipLocked()
    .execute();
  return new Set(free.map(({ id }) => id));
}

const readUser = written((db: Db, { userId }: { userId: string }) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'timeZone', 'headline', 'voiceNotes'])
    .where('id', '=', userId),
);

export const findUser = async (db: Db, userId: string) => (await readUser(db, { userId }))[0]!;

/** The id of the account with this address, or undefined. */
export async function findUserId(db: Db, email: string): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  return user?.id;
}

export const listAdmins = (db: Db) =>
  db.selectFrom('users').select(['id', 'name', 'email']).where('role', '=', 'admin').execute();

export async function setTimeZone(trx: Trx, userId: string, timeZone: string): Promise<void> {
  await trx.updateTable('users').set({ timeZone }).where('id', '=', userId).execute();
}

/** How the user presents themselves, for the writer. */
export async function setVoice(
  db: Db,
  userId: string,
  voice: { headline: string; voiceNotes: string },
): Promise<void> {
  await db.updateTable('users').set(voice).where('id', '=', userId).execute();
}

/** Makes an account an admin. Answers whether there is one with this address. */
export async function makeAdmin(db: Db, email: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ role: 'admin' })
    .where('email', '=', email)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The mails that greet their reader by name. */
type Greeting = { [K in MailKind]: Mails[K] extends { name: string } ? K : never }[MailKind];

/** Writes a mail to a user in the caller's transaction; see `queueMail` for the dedupe key. */
export async function mailUser<K extends Greeting>(
  db: Db,
  userId: string,
  kind: K,
  data: Omit<Mails[K], 'name'>,
  dedupeKey: string | null = null,
): Promise<void> {
  const { name, email } = await findUser(db, userId);
  await queueMail(db, { address: email, userId }, kind, { ...data, name } as Mails[K], dedupeKey);
}
