import { type Db, type Trx, transact } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import type { Role } from '#app/db/tables.ts';
import { endSessionsOf } from '#app/domain/accounts/sign-in/sessions.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import type { MailKind, Mails } from '#app/domain/email/templates/templates.ts';
import { emitEvent } from '#app/domain/platform/events.ts';

/** Keeps of a user whether they have a plan. Triggers on payments do so by themselves; this is for what escaped them. */
export const setHasPlan = (trx: Trx, userId: string, hasPlan: boolean) =>
  trx.updateTable('users').set({ hasPlan }).where('id', '=', userId).execute();

/**
 * Everything that changes the payments, the settings or the slots of one person takes this lock first, so
 * that it happens one after the other. It does not stop rows that only refer to the user.
 */
export const lockUser = (trx: Trx, userId: string) => underLock(trx, userId).executeTakeFirstOrThrow();

/** The same of who may be gone once it is theirs: undefined then. */
export const lockUserIfExists = (trx: Trx, userId: string) => underLock(trx, userId).executeTakeFirst();

const underLock = (trx: Trx, userId: string) =>
  trx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'timeZone'])
    .where('id', '=', userId)
    .forNoKeyUpdate();

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

const readUser = compiledQuery((db: Db, { userId }: { userId: string }) =>
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

export async function setName(db: Db, userId: string, name: string): Promise<void> {
  await db.updateTable('users').set({ name }).where('id', '=', userId).execute();
}

/** Since when the user lets the start page show their newest post; null is not at all. */
export async function findShowsPostsSince(db: Db, userId: string): Promise<Date | null> {
  const user = await db
    .selectFrom('users')
    .select('showsPostsSince')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.showsPostsSince ?? null;
}

/** Whoever said so before keeps the moment in which they did. */
export async function setShowsPosts(db: Db, userId: string, isWanted: boolean, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set(({ fn, val }) => ({
      showsPostsSince: isWanted ? fn.coalesce('showsPostsSince', val(now)) : null,
    }))
    .where('id', '=', userId)
    .execute();
}

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

/**
 * Gives an account another role, which ends its sessions and tokens: none of them was opened for what it may do now.
 * Answers the one it had; undefined when there is none with this address.
 */
export async function setRole(db: Db, email: string, role: Role): Promise<Role | undefined> {
  return transact(db, async (trx) => {
    // A session that is being made refers to the user: by this lock it is waited for, seen and ended.
    const user = await trx
      .selectFrom('users')
      .select(['id', 'role'])
      .where('email', '=', email)
      .forUpdate()
      .executeTakeFirst();
    if (!user) return undefined;
    if (user.role === role) return role;
    await trx.updateTable('users').set({ role }).where('id', '=', user.id).execute();
    await endSessionsOf(trx, user.id, 'role');
    emitEvent('role_changed', { userId: user.id, role }, trx);
    return user.role;
  });
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
