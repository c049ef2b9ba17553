import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { isDisabled, isInactive } from './predicates.ts';

const admins = (db: Db) =>
  db
    .selectFrom('users')
    .where('role', '=', 'admin')
    .where(({ not }) => not(isDisabled('users.id')));

/** Who is told what admins are told. */
export const listAdmins = (db: Db) => admins(db).select(['id', 'name', 'email']).execute();

/** When two admins leave, or disable each other, at the same moment, one after the other is looked at, so that the last admin stays. Nothing else in the database locks this number. */
export const lockAdmins = (trx: Trx) => sql`select pg_advisory_xact_lock(71401)`.execute(trx);

/** How many admins there are beside one, who neither leave nor were stopped. */
export async function countOtherAdmins(db: Db, besideId: string): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('role', '=', 'admin')
    .where('id', '<>', besideId)
    .where(({ not }) => not(isInactive('users.id')))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Refuses who is no admin any more, or was stopped, since they asked for what is done now. Takes the lock for which whoever
 * stops them waits.
 */
export async function requireActingAdmin(trx: Trx, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forKeyShare().execute();
  const admin = await admins(trx).select('id').where('id', '=', userId).executeTakeFirst();
  if (admin) return;
  throw new Refusal(403, 'forbidden', 'You are no administrator any more, so nothing was changed');
}
