import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isDisabled, isInactive } from './predicates.ts';

const admins = (db: Db) =>
  db
    .selectFrom('users')
    .where('role', '=', 'admin')
    .where(({ not }) => not(isDisabled('users.id')));

export const listAdmins = (db: Db) => admins(db).select(['id', 'name', 'email']).execute();

/** Serializes deletions and disabling of admins, so that the last one stays. Only this lock uses the number. */
export const lockAdmins = (trx: Trx) => sql`select pg_advisory_xact_lock(71401)`.execute(trx);

/** Counts the other admins whose accounts are neither disabled nor being deleted. */
export async function countOtherAdmins(db: Db, exceptId: string): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('role', '=', 'admin')
    .where('id', '<>', exceptId)
    .where(({ not }) => not(isInactive('users.id')))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Throws a Refusal unless the user is an enabled admin. Disabling the account waits for the key-share lock. */
export async function requireActingAdmin(trx: Trx, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forKeyShare().execute();
  const admin = await admins(trx).select('id').where('id', '=', userId).executeTakeFirst();
  if (admin) return;
  throw new Refusal(403, 'forbidden', 'You are no administrator any more, so nothing was changed');
}
