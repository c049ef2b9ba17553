import { type Db, transact } from '#app/db/client.ts';
import { deleteEmailChange } from '#app/domain/accounts/lifecycle/change-email.ts';
import { reauthenticate } from '#app/domain/accounts/reauthenticate.ts';
import type { NewPasswordForm } from '#app/domain/accounts/schema.ts';
import { endSessionsOf, requireSession, type SignedIn } from '#app/domain/accounts/sign-in/sessions.ts';
import { clearAttempts } from '#app/domain/accounts/two-step/verify.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { notifyPasswordChanged } from './notify-changed.ts';
import { hashPassword, refuseCommon } from './password.ts';

/** Requires reauthentication. Ends all other sessions, resets and changes of the address, and notifies the owner. */
export async function changePassword(
  db: Db,
  signedIn: SignedIn,
  { newPassword, password, otp }: Omit<NewPasswordForm, 'confirmPassword'>,
  now = databaseNow(),
): Promise<void> {
  const { userId } = signedIn;
  await refuseCommon(newPassword, 'newPassword');
  await reauthenticate(db, signedIn, { password, otp }, now);
  const passwordHash = await hashPassword(newPassword);
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await requireSession(trx, signedIn.sessionId);
    await trx.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
    await trx.deleteFrom('passwordResets').where('userId', '=', userId).execute();
    await deleteEmailChange(trx, userId);
    await clearAttempts(trx, userId);
    await endSessionsOf(trx, userId, 'password', signedIn);
    await notifyPasswordChanged(trx, userId);
    emitEvent('password_changed', { userId }, trx);
  });
}
