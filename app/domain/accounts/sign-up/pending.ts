import { type Db, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { findOrRefuse } from '#app/domain/platform/paging.ts';
import { ATTEMPT_MS, resendCode } from './sign-ups.ts';

const selectPending = (db: Db, now: Date) =>
  db
    .selectFrom('signUps')
    .select(['id', 'email', 'name', 'createdAt'])
    .where('createdAt', '>', new Date(now.getTime() - ATTEMPT_MS))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('users').select('users.id').whereRef('users.email', '=', 'signUps.email'))),
    );

/** The newest one, for a complete address. */
export const findOpenSignUp = (db: Db, email: string, now = databaseNow()) =>
  selectPending(db, now)
    .where('email', '=', email.trim().toLowerCase())
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Mails a new code for an admin, within the usual limits. Returns the address. */
export async function resendVerification(
  db: Db,
  admin: Actor,
  signUpId: string,
  now = databaseNow(),
): Promise<string> {
  return transact(db, async (trx) => {
    const attempt = await findOrRefuse('This sign-up', signUpId, () =>
      selectPending(trx, now).where('id', '=', signUpId).executeTakeFirst(),
    );
    await resendCode(trx, { email: attempt.email, signUpId }, now);
    const entry = { action: 'sign_up.code_sent', subjectId: signUpId, detail: {} };
    await recordAdminAction(trx, admin, entry, now);
    return attempt.email;
  });
}
