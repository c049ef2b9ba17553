import type { Selectable } from 'kysely';
import type { Db, Trx } from '#app/db/client.ts';
import type { AccountTables } from '#app/db/tables/accounts.ts';
import { DELETION_DAYS } from '#app/domain/accounts/limits.ts';
import { endSessionsOf } from '#app/domain/accounts/sign-in/sessions.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { requireEnabled } from './disable.ts';

const DAY_MS = 86_400_000;

const COLUMNS = ['id', 'userId', 'requestedAt', 'eraseAt', 'erasingAt'] as const;
export type Deletion = Pick<Selectable<AccountTables['accountDeletions']>, (typeof COLUMNS)[number]>;

export const findDeletion = (db: Db, userId: string): Promise<Deletion | undefined> =>
  db.selectFrom('accountDeletions').select(COLUMNS).where('userId', '=', userId).executeTakeFirst();

export const findDeletionById = (db: Db, id: string): Promise<Deletion | undefined> =>
  db.selectFrom('accountDeletions').select(COLUMNS).where('id', '=', id).executeTakeFirst();

export async function requireActive(db: Db, userId: string): Promise<void> {
  await requireEnabled(db, userId);
  if (!(await findDeletion(db, userId))) return;
  const message = 'Your account is being deleted, so nothing is written or published. Keep it first';
  throw new Refusal(409, 'account_leaving', message);
}

/** Requires the user's lock. Ends all other sessions. */
export async function scheduleDeletion(
  trx: Trx,
  userId: string,
  sessionId: string | null,
  now: Date,
): Promise<Deletion> {
  const eraseAt = new Date(now.getTime() + DELETION_DAYS * DAY_MS);
  const deletion = await trx
    .insertInto('accountDeletions')
    .values({ userId, requestedAt: now, eraseAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  if (!deletion) throw new Refusal(409, 'account_leaving', 'Your account is being deleted already');
  await endSessionsOf(trx, userId, 'leaving', sessionId === null ? undefined : { sessionId });
  return deletion;
}

export async function cancelScheduledDeletion(trx: Trx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('accountDeletions')
    .where('userId', '=', userId)
    .where('erasingAt', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export const listDueDeletions = (db: Db, now: Date) =>
  db
    .selectFrom('accountDeletions')
    .select(COLUMNS)
    .where('eraseAt', '<=', now)
    .where((eb) => eb.or([eb('retryAt', 'is', null), eb('retryAt', '<=', now)]))
    .orderBy('eraseAt')
    .execute();

/** From here on a deletion can't be cancelled. Returns false when it was cancelled after it was listed. */
export async function startErasing(trx: Trx, userId: string, now: Date): Promise<boolean> {
  // Sessions refer to the user: one that is being created is waited for.
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
  const { numUpdatedRows } = await trx
    .updateTable('accountDeletions')
    .set((eb) => ({ erasingAt: eb.fn.coalesce('erasingAt', eb.val(now)), retryAt: null }))
    .where('userId', '=', userId)
    .where('eraseAt', '<=', now)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await endSessionsOf(trx, userId, 'leaving');
  return true;
}

export async function postponeErasing(db: Db, userId: string, retryAt: Date): Promise<void> {
  await db.updateTable('accountDeletions').set({ retryAt }).where('userId', '=', userId).execute();
}

/** Deletes a user and the rows with their address; foreign keys delete the rest. */
export async function eraseUser(trx: Trx, { id, email }: { id: string; email: string }): Promise<void> {
  await trx.deleteFrom('signUps').where('email', '=', email).execute();
  await trx.deleteFrom('passwordResets').where('email', '=', email).execute();
  await trx.deleteFrom('codeRequests').where('email', '=', email).execute();
  await trx.deleteFrom('users').where('id', '=', id).execute();
}
