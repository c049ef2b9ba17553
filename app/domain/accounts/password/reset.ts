import { type Db, type Trx, transact } from '#app/db/client.ts';
import { dropEmailChange } from '#app/domain/accounts/lifecycle/change-email.ts';
import { type Unlinked, unlinkUnverified } from '#app/domain/accounts/oauth/unlink-unverified.ts';
import {
  type CodeRequester,
  countCode,
  findNextCodeAt,
  invalidOtp,
  isCode,
  MOST_TRIES,
  makeCode,
} from '#app/domain/accounts/one-time-codes.ts';
import type { ResetInput } from '#app/domain/accounts/schema.ts';
import { endSessionsOf } from '#app/domain/accounts/sign-in/sessions.ts';
import { clearAttempts } from '#app/domain/accounts/two-step/verify.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { notifyPasswordChanged } from './notify-changed.ts';
import { hashPassword, refuseCommon } from './password.ts';

/** A reset that a browser began; it says nothing about whether there is an account. */
export type StartedReset = { resetId: string; email: string };

const purpose = (resetId: string) => `reset:${resetId}`;

/** Gives a reset a code, which voids the one before, and mails it to the owner of the account. */
async function sendCode(trx: Trx, reset: { id: string; email: string }, now: Date): Promise<void> {
  const owner = await trx
    .selectFrom('users')
    .select(['id', 'name'])
    .where('email', '=', reset.email)
    .executeTakeFirst();
  if (!owner) return;
  const { code, kept } = makeCode(purpose(reset.id), now);
  const row = { ...kept, userId: owner.id };
  await trx.updateTable('passwordResets').set(row).where('id', '=', reset.id).execute();
  const to = { address: reset.email, userId: owner.id };
  await queueMail(trx, to, 'resetPassword', { name: owner.name, code });
  emitEvent('code_sent', { purpose: 'reset', userId: owner.id }, trx);
}

/** Mails a code for a new password, if there is an account. From outside it is the same when there is none. */
export async function startReset(
  db: Db,
  email: string,
  now = databaseNow(),
  asker: CodeRequester = {},
): Promise<StartedReset> {
  return transact(db, async (trx) => {
    await countCode(trx, email, now, asker);
    const { id } = await trx
      .insertInto('passwordResets')
      .values({ email, createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sendCode(trx, { id, email }, now);
    return { resetId: id, email };
  });
}

/** Mails a new code for the reset that the browser began; the old code is void. */
export async function resendReset(
  db: Db,
  { email, resetId }: StartedReset,
  now = databaseNow(),
  asker: CodeRequester = {},
): Promise<void> {
  await transact(db, async (trx) => {
    await countCode(trx, email, now, asker);
    const reset = await trx
      .selectFrom('passwordResets')
      .select(['id', 'email'])
      .where('id', '=', resetId)
      .where('email', '=', email)
      .forUpdate()
      .executeTakeFirst();
    if (reset) await sendCode(trx, reset, now);
  });
}

/** From when another code can be sent to the address; null when it can be now. */
export const findNextResetAt = (
  db: Db,
  email: string,
  now = databaseNow(),
  asker: CodeRequester = {},
): Promise<Date | null> => findNextCodeAt(db, email, now, asker);

/** Counts a try on every reset that it could complete, before anything is compared, and answers those left. */
function spendTry(db: Db, email: string, resetId: string | undefined, now: Date) {
  return db
    .updateTable('passwordResets')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('email', '=', email)
    .$if(resetId !== undefined, (query) => query.where('id', '=', resetId!))
    .where('attempts', '<', MOST_TRIES)
    .where('codeExpiresAt', '>', now)
    .returning(['id', 'codeHash'])
    .execute();
}

/**
 * Sets a new password for the account to which the code was mailed, ends every session of it, all its other resets and a
 * change of its address that waits, unlinks what does not prove the same mailbox, which it answers, and tells the owner. A
 * browser also says which reset it began. Refuses a wrong, used or expired code with `invalid_otp`, and a common password
 * before the code is tried.
 */
export async function resetPassword(
  db: Db,
  { email, otp, newPassword, resetId }: ResetInput & { resetId?: string },
  now = databaseNow(),
): Promise<Unlinked[]> {
  await refuseCommon(newPassword, 'newPassword');
  const tried = await spendTry(db, email, resetId, now);
  const right = tried.find(({ id, codeHash }) => isCode(codeHash, otp, purpose(id)));
  if (!right) {
    emitEvent('sign_in_failed', { reason: 'code' });
    throw invalidOtp();
  }
  const passwordHash = await hashPassword(newPassword);
  return transact(db, async (trx) => {
    // First, as whoever else ends resets does: of two that hold a row of the other each would wait.
    await trx.selectFrom('users').select('id').where('email', '=', email).forNoKeyUpdate().execute();
    const reset = await trx
      .deleteFrom('passwordResets')
      .where('id', '=', right.id)
      .where('codeHash', '=', right.codeHash)
      .returning('userId')
      .executeTakeFirst();
    if (!reset?.userId) throw invalidOtp();
    const user = await trx
      .updateTable('users')
      .set({ passwordHash })
      .where('id', '=', reset.userId)
      .where('email', '=', email)
      .returning('id')
      .executeTakeFirst();
    if (!user) throw invalidOtp();
    await trx.deleteFrom('passwordResets').where('email', '=', email).execute();
    await dropEmailChange(trx, user.id);
    await clearAttempts(trx, user.id);
    await endSessionsOf(trx, user.id, 'reset');
    emitEvent('password_reset', { userId: user.id }, trx);
    const unlinked = await unlinkUnverified(trx, user.id, email);
    await notifyPasswordChanged(trx, user.id, unlinked);
    return unlinked;
  });
}
