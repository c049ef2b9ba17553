import { type Db, type Trx, transact } from '#app/db/client.ts';
import { deleteEmailChange } from '#app/domain/accounts/lifecycle/change-email.ts';
import { type Unlinked, unlinkUnverified } from '#app/domain/accounts/oauth/unlink-unverified.ts';
import {
  type CodeRequester,
  countCode,
  invalidOtp,
  isCode,
  MAX_ATTEMPTS,
  makeCode,
} from '#app/domain/accounts/one-time-codes.ts';
import type { ResetInput } from '#app/domain/accounts/schema.ts';
import { endSessionsOf } from '#app/domain/accounts/sign-in/sessions.ts';
import { clearAttempts } from '#app/domain/accounts/two-step/verify.ts';
import { findUserByEmail } from '#app/domain/accounts/users.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { notifyPasswordChanged } from './notify-changed.ts';
import { hashPassword, refuseCommon } from './password.ts';

/** It does not reveal whether there is an account. */
export type StartedReset = { resetId: string; email: string };

const purpose = (resetId: string) => `reset:${resetId}`;

/** Mails the owner a code, which invalidates the one before. */
async function sendCode(trx: Trx, reset: { id: string; email: string }, now: Date): Promise<void> {
  const owner = await findUserByEmail(trx, reset.email);
  if (!owner) return;
  const { code, row } = makeCode(purpose(reset.id), now);
  await trx
    .updateTable('passwordResets')
    .set({ ...row, userId: owner.id })
    .where('id', '=', reset.id)
    .execute();
  const to = { address: reset.email, userId: owner.id };
  await queueMail(trx, to, 'resetPassword', { name: owner.name, code });
  emitEvent('code_sent', { purpose: 'reset', userId: owner.id }, trx);
}

/** Mails a code if the address has an account. The response is the same when it has none. */
export async function startReset(
  db: Db,
  email: string,
  now = databaseNow(),
  requester: CodeRequester = {},
): Promise<StartedReset> {
  return transact(db, async (trx) => {
    await countCode(trx, email, now, requester);
    const { id } = await trx
      .insertInto('passwordResets')
      .values({ email, createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sendCode(trx, { id, email }, now);
    return { resetId: id, email };
  });
}

/** Mails a new code for the reset, which invalidates the one before. */
export async function resendReset(
  db: Db,
  { email, resetId }: StartedReset,
  now = databaseNow(),
  requester: CodeRequester = {},
): Promise<void> {
  await transact(db, async (trx) => {
    await countCode(trx, email, now, requester);
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

/** Counts an attempt on every reset that the code could complete, before the comparison; returns those with attempts left. */
function countAttempt(db: Db, email: string, resetId: string | undefined, now: Date) {
  return db
    .updateTable('passwordResets')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('email', '=', email)
    .$if(resetId !== undefined, (query) => query.where('id', '=', resetId!))
    .where('attempts', '<', MAX_ATTEMPTS)
    .where('codeExpiresAt', '>', now)
    .returning(['id', 'codeHash'])
    .execute();
}

/**
 * Sets a new password for the account, ends its sessions, other resets and a change of its address, and notifies the
 * owner. Unlinks and returns identities that do not prove the same mailbox. A browser passes `resetId`. Throws a
 * Refusal (`invalid_otp`) for a wrong, used or expired code, after it has checked the password.
 */
export async function resetPassword(
  db: Db,
  { email, otp, newPassword, resetId }: ResetInput & { resetId?: string },
  now = databaseNow(),
): Promise<Unlinked[]> {
  await refuseCommon(newPassword, 'newPassword');
  const candidates = await countAttempt(db, email, resetId, now);
  const match = candidates.find(({ id, codeHash }) => isCode(codeHash, otp, purpose(id)));
  if (!match) {
    emitEvent('sign_in_failed', { reason: 'code' });
    throw invalidOtp();
  }
  const passwordHash = await hashPassword(newPassword);
  return transact(db, async (trx) => {
    // The user's lock comes first, as wherever resets end: another order can deadlock.
    await trx.selectFrom('users').select('id').where('email', '=', email).forNoKeyUpdate().execute();
    const reset = await trx
      .deleteFrom('passwordResets')
      .where('id', '=', match.id)
      .where('codeHash', '=', match.codeHash)
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
    await deleteEmailChange(trx, user.id);
    await clearAttempts(trx, user.id);
    await endSessionsOf(trx, user.id, 'reset');
    emitEvent('password_reset', { userId: user.id }, trx);
    const unlinked = await unlinkUnverified(trx, user.id, email);
    await notifyPasswordChanged(trx, user.id, unlinked);
    return unlinked;
  });
}
