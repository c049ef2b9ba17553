import { type Db, type Trx, transact } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import type { Role } from '#app/db/tables.ts';
import { endSessionsOf } from '#app/domain/accounts/sign-in/sessions.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import type { MailKind, Mails } from '#app/domain/email/templates/templates.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { env } from '#app/env.ts';

/** Triggers on payments do this; the reconciliation corrects what they missed. */
export const setHasPlan = (trx: Trx, userId: string, hasPlan: boolean) =>
  trx.updateTable('users').set({ hasPlan }).where('id', '=', userId).execute();

/** Serializes changes of a user's payments, settings and slots. It does not block rows that refer to the user. */
export const lockUser = (trx: Trx, userId: string) => selectForUpdate(trx, userId).executeTakeFirstOrThrow();

/** Undefined when the user was deleted meanwhile. */
export const lockUserIfExists = (trx: Trx, userId: string) => selectForUpdate(trx, userId).executeTakeFirst();

const selectForUpdate = (trx: Trx, userId: string) =>
  trx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'timeZone'])
    .where('id', '=', userId)
    .forNoKeyUpdate();

/** Waits for the user's lock and blocks it until the transaction ends. */
export async function shareUser(trx: Trx, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forShare().execute();
}

export async function shareUsers(trx: Trx, userIds: string[]): Promise<Set<string>> {
  const unlocked = await trx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', userIds)
    .forShare()
    .skipLocked()
    .execute();
  return new Set(unlocked.map(({ id }) => id));
}

const readUser = compiledQuery((db: Db, { userId }: { userId: string }) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'timeZone', 'headline', 'voiceNotes'])
    .where('id', '=', userId),
);

export const findUser = async (db: Db, userId: string) => (await readUser(db, { userId }))[0]!;

export const findUserByEmail = (db: Db, email: string) =>
  db.selectFrom('users').select(['id', 'name']).where('email', '=', email).executeTakeFirst();

export async function setName(db: Db, userId: string, name: string): Promise<void> {
  await db.updateTable('users').set({ name }).where('id', '=', userId).execute();
}

/** Since when their newest post may be on the start page; null when it may not. */
export async function findShowsPostsSince(db: Db, userId: string): Promise<Date | null> {
  const user = await db
    .selectFrom('users')
    .select('showsPostsSince')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.showsPostsSince ?? null;
}

/** Keeps the time of an earlier consent. */
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

export async function setVoice(
  db: Db,
  userId: string,
  voice: { headline: string; voiceNotes: string },
): Promise<void> {
  await db.updateTable('users').set(voice).where('id', '=', userId).execute();
}

/** Ends the user's sessions and tokens. Returns the old role; undefined for an unknown address. */
export async function setRole(db: Db, email: string, role: Role): Promise<Role | undefined> {
  return transact(db, async (trx) => {
    // New sessions wait for this lock and are then ended or see the new role.
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

type NamedMail = { [K in MailKind]: Mails[K] extends { name: string } ? K : never }[MailKind];

/** Queues a mail in the caller's transaction; see `queueMail` for the dedupe key. */
export async function mailUser<K extends NamedMail>(
  db: Db,
  userId: string,
  kind: K,
  data: Omit<Mails[K], 'name'>,
  dedupeKey: string | null = null,
): Promise<void> {
  const { name, email } = await findUser(db, userId);
  await queueMail(db, { address: email, userId }, kind, { ...data, name } as Mails[K], dedupeKey);
}

/** Notifies an owner, at most once an hour, that their address was used for a sign-up or for another account. */
export function mailAccountExists(
  trx: Trx,
  owner: { id: string; name: string },
  address: string,
  now: Date,
): Promise<void> {
  const hour = Math.floor(now.getTime() / 3_600_000);
  const data = { name: owner.name, loginUrl: new URL('/login', env().APP_URL).href };
  const dedupeKey = `account-exists:${owner.id}:${hour}`;
  return queueMail(trx, { address, userId: owner.id }, 'accountExists', data, dedupeKey);
}
