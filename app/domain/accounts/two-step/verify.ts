import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { CODE_LENGTH, SECOND_STEP_MINUTES, SECOND_STEP_TRIES } from '#app/domain/accounts/limits.ts';
import { mailUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { consumeRecoveryCode, countRecoveryCodes } from './recovery-codes.ts';
import { securityUrl } from './security-url.ts';
import { consumeAppCode, wrongCode } from './totp.ts';

const APP_CODE = new RegExp(`^\\d{${CODE_LENGTH}}$`);

/** Where people turn who have lost every factor. */
export const supportEmail = () => env().SUPPORT_EMAIL;

/** What an account has for the second step. With any of them it is asked for at every sign-in. */
export type Factors = { hasApp: boolean; passkeys: number; recoveryCodes: number };

export async function findFactors(db: Db, userId: string): Promise<Factors> {
  const { hasApp, passkeys, recoveryCodes } = await db
    .selectNoFrom((eb) => [
      eb
        .exists(
          eb
            .selectFrom('authenticatorApps')
            .select('userId')
            .where('userId', '=', userId)
            .where('confirmedAt', 'is not', null),
        )
        .as('hasApp'),
      eb
        .selectFrom('passkeys')
        .select((in_) => in_.fn.countAll<string>().as('count'))
        .where('userId', '=', userId)
        .as('passkeys'),
      eb
        .selectFrom('recoveryCodes')
        .select((in_) => in_.fn.countAll<string>().as('count'))
        .where('userId', '=', userId)
        .as('recoveryCodes'),
    ])
    .executeTakeFirstOrThrow();
  return { hasApp: Boolean(hasApp), passkeys: Number(passkeys), recoveryCodes: Number(recoveryCodes) };
}

export const hasFactor = ({ hasApp, passkeys }: Factors) => hasApp || passkeys > 0;

/** Whether signing in to the account takes a second step. */
export const hasSecondStep = async (db: Db, userId: string): Promise<boolean> =>
  hasFactor(await findFactors(db, userId));

/** Whether this is an admin who may act as one only while signing in takes them a second step. */
export const needsSecondStep = ({ isAdmin }: Actor): boolean => isAdmin && env().REQUIRE_ADMIN_TWO_STEP;

/** Whether it takes them none. */
export const lacksSecondStep = async (db: Db, actor: Actor): Promise<boolean> =>
  needsSecondStep(actor) && !(await hasSecondStep(db, actor.userId));

/** Whoever tries has made the first step already: the owner is told, at most once a day. */
async function notifyOfAttempts(db: Db, userId: string, now: Date): Promise<void> {
  const url = new URL('/forgot-password', env().APP_URL).href;
  const day = now.toISOString().slice(0, 10);
  await mailUser(db, userId, 'secondStepFailed', { url }, `second-step-failed:${userId}:${day}`);
}

/** How long a few tries are all there are: twice as long after each few that were wrong, and a day at most. */
const lasts = sql`least(interval '1 day', ${SECOND_STEP_MINUTES} * interval '1 minute'
  * power(2, least(two_factor_attempts.wrong_before / ${SECOND_STEP_TRIES}, 10)))`;

/**
 * Counts a try before anything is compared, or refuses it: whoever comes here knew the password. Who guesses on and on
 * has a few codes a day.
 */
async function spendTry(db: Db, userId: string, now: Date): Promise<void> {
  const isOver = sql<boolean>`two_factor_attempts.since + ${lasts} <= ${now}`;
  const { attempts, until } = await db
    .insertInto('twoFactorAttempts')
    .values({ userId, attempts: 1, since: now })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({
        attempts: sql<number>`case when ${isOver} then 1 else two_factor_attempts.attempts + 1 end`,
        since: sql<Date>`case when ${isOver} then ${now} else two_factor_attempts.since end`,
        wrongBefore: sql<number>`two_factor_attempts.wrong_before
          + case when ${isOver} then least(two_factor_attempts.attempts, ${SECOND_STEP_TRIES}) else 0 end`,
      }),
    )
    .returning(['attempts', sql<Date>`two_factor_attempts.since + ${lasts}`.as('until')])
    .executeTakeFirstOrThrow();
  if (attempts <= SECOND_STEP_TRIES) return;
  await notifyOfAttempts(db, userId, now);
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  const message = `Too many wrong codes. Please wait ${waitInWords(retryAfter)} and try again.`;
  throw new Refusal(429, 'rate_limited', message, { field: 'otp', retryAfter });
}

function waitInWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/** After a new password: who knew the one before, and guessed, gets no further. */
export async function clearAttempts(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('twoFactorAttempts').where('userId', '=', userId).execute();
}

/** Uses a recovery code up, and tells the owner. Answers whether it was one. */
const recover = (db: Db, userId: string, typed: string) =>
  transact(db, async (trx) => {
    if (!(await consumeRecoveryCode(trx, userId, typed))) return false;
    const left = await countRecoveryCodes(trx, userId);
    await mailUser(trx, userId, 'recoveryCodeUsed', { left, url: securityUrl() });
    return true;
  });

/**
 * Passes the second step with what was typed: a code of the authenticator app, or a recovery code. It is used up by
 * that. Refuses anything else, and after a few tries everything for a while.
 */
export async function passSecondStep(
  db: Db,
  userId: string,
  typed: string,
  now = databaseNow(),
): Promise<void> {
  await spendTry(db, userId, now);
  const digits = typed.replace(/\s/g, '');
  const isOfApp = APP_CODE.test(digits);
  const isRight = isOfApp ? await consumeAppCode(db, userId, digits, now) : await recover(db, userId, typed);
  if (!isRight) {
    emitEvent('sign_in_failed', { userId, reason: 'second_step' });
    throw wrongCode();
  }
  emitEvent('second_step', { userId, means: isOfApp ? 'totp' : 'recovery_code' });
  await clearAttempts(db, userId);
}

/** For programs: nothing without a second step, a refusal that asks for it, or the step itself. */
export async function requireSecondStep(
  db: Db,
  userId: string,
  otp: string | undefined,
  now = databaseNow(),
): Promise<void> {
  if (!(await hasSecondStep(db, userId))) return;
  if (otp) return passSecondStep(db, userId, otp, now);
  const message = 'This account signs in in two steps: send a code of its app or a recovery code as otp, too';
  throw new Refusal(403, 'second_step_required', message);
}
