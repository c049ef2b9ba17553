import { type Db, type Trx, transact } from '#app/db/client.ts';
import { endSessionsOf, requireSession, type SignedIn } from '#app/domain/accounts/sign-in/sessions.ts';
import { lockUser, mailUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { countRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts';
import { securityUrl } from './security-url.ts';
import { confirmApp, removeApp } from './totp.ts';
import { findFactors, hasFactor, hasSecondStep } from './verify.ts';

type Means = 'totp' | 'recovery_code' | 'passkey';
/** `message` is for the owner. */
type Change = { means: Means; message: string };

async function notifyOwner(
  trx: Trx,
  userId: string,
  change: 'added' | 'removed',
  { means, message }: Change,
): Promise<void> {
  await mailUser(trx, userId, 'twoStepChanged', { change: message, url: securityUrl() });
  emitEvent('second_step_changed', { userId, change, means }, trx);
}

/** Notifies the owner. Returns new recovery codes when there were none. */
export async function recordFactorAdded(trx: Trx, userId: string, change: Change): Promise<string[] | null> {
  await notifyOwner(trx, userId, 'added', change);
  return (await countRecoveryCodes(trx, userId)) > 0 ? null : makeRecoveryCodes(trx, userId);
}

/** Notifies the owner, and deletes the recovery codes with the last factor. */
export async function recordFactorRemoved(
  trx: Trx,
  userId: string,
  { means, message }: Change,
): Promise<void> {
  const isStillOn = await hasSecondStep(trx, userId);
  if (!isStillOn) await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  const suffix = isStillOn ? '' : ' Signing in takes one step now.';
  await notifyOwner(trx, userId, 'removed', { means, message: `${message}${suffix}` });
}

export const setUpAuthenticatorApp = (
  db: Db,
  { userId, sessionId }: SignedIn,
  code: string,
  now = databaseNow(),
): Promise<string[] | null> =>
  transact(db, async (trx) => {
    await lockUser(trx, userId);
    await requireSession(trx, sessionId);
    await confirmApp(trx, userId, code.replace(/\s/g, ''), now);
    return recordFactorAdded(trx, userId, {
      means: 'totp',
      message: 'An authenticator app was set up for your account.',
    });
  });

export const removeAuthenticatorApp = (db: Db, { userId }: Actor): Promise<void> =>
  transact(db, async (trx) => {
    await lockUser(trx, userId);
    if (!(await removeApp(trx, userId))) return;
    const message = 'The authenticator app of your account was removed.';
    await recordFactorRemoved(trx, userId, { means: 'totp', message });
  });

/** The recovery codes before become invalid. */
export const renewRecoveryCodes = (db: Db, { userId }: Actor): Promise<string[]> =>
  transact(db, async (trx) => {
    await lockUser(trx, userId);
    if (!(await hasSecondStep(trx, userId))) {
      const message = 'Recovery codes come with an authenticator app or a passkey. Set one up first.';
      throw new Refusal(409, 'no_second_step', message);
    }
    const codes = await makeRecoveryCodes(trx, userId);
    const message = 'New recovery codes were made for your account. Those before no longer work.';
    await notifyOwner(trx, userId, 'added', { means: 'recovery_code', message });
    return codes;
  });

/** For operators, after a user has lost every factor: removes all factors, ends all sessions and notifies the owner. */
export const resetTwoStep = (db: Db, email: string): Promise<'unknown' | 'off' | 'reset'> =>
  transact(db, async (trx) => {
    const user = await trx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
    if (!user) return 'unknown';
    await lockUser(trx, user.id);
    if (!hasFactor(await findFactors(trx, user.id))) return 'off';
    await trx.deleteFrom('authenticatorApps').where('userId', '=', user.id).execute();
    await trx.deleteFrom('passkeys').where('userId', '=', user.id).execute();
    await trx.deleteFrom('recoveryCodes').where('userId', '=', user.id).execute();
    await endSessionsOf(trx, user.id, 'second_step');
    const message =
      'An operator of Tidepost removed your authenticator app, passkeys and recovery codes. You were signed out everywhere, and signing in takes one step now.';
    await notifyOwner(trx, user.id, 'removed', { means: 'totp', message });
    return 'reset';
  });
