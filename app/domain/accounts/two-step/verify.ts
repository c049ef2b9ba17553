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

export const supportEmail = () => env().SUPPORT_EMAIL;

/** With an app or a passkey, every sign-in takes a second step. */
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
        .select((subquery) => subquery.fn.countAll<string>().as('count'))
        .where('userId', '=', userId)
        .as('passkeys'),
      eb
        .selectFrom('recoveryCodes')
        .select((subquery) => subquery.fn.countAll<string>().as('count'))
        .where('userId', '=', userId)
        .as('recoveryCodes'),
    ])
    .executeTakeFirstOrThrow();
  return { hasApp: Boolean(hasApp), passkeys: Number(passkeys), recoveryCodes: Number(recoveryCodes) };
}

export const hasFactor = ({ hasApp, passkeys }: Factors) => hasApp || passkeys > 0;

export const hasSecondStep = async (db: Db, userId: string): Promise<boolean> =>
  hasFactor(await findFactors(db, userId));

export const needsSecondStep = ({ isAdmin }: Actor): boolean => isAdmin && env().REQUIRE_ADMIN_TWO_STEP;

export const lacksSecondStep = async (db: Db, actor: Actor): Promise<boolean> =>
  needsSecondStep(actor) && !(await hasSecondStep(db, actor.userId));

/** The first step succeeded, so the owner is notified, at most once a day. */
async function notifyOfAttempts(db: Db, userId: string, now: Date): Promise<void> {
  const url = new URL('/forgot-password', env().APP_URL).href;
  const day = now.toISOString().slice(0, 10);
  await mailUser(db, userId, 'secondStepFailed', { url }, `second-step-failed:${userId}:${day}`);
}

/** The window of attempts: it doubles after each window with wrong codes, up to a day. */
const windowLength = sql`least(interval '1 day', ${SECOND_STEP_MINUTES} * interval '1 minute'
  * power(2, least(two_factor_attempts.wrong_before / ${SECOND_STEP_TRIES}, 10)))`;

/** Counts an attempt before the comparison, or throws a Refusal. Someone who keeps guessing has a few attempts a day. */
async function countAttempt(db: Db, userId: string, now: Date): Promise<void> {
  const isExpired = sql<boolean>`two_factor_attempts.since + ${windowLength} <= ${now}`;
  const { attempts, until } = await db
    .insertInto('twoFactorAttempts')
    .values({ userId, attempts: 1, since: now })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({
        attempts: sql<number>`case when ${isExpired} then 1 else two_factor_attempts.attempts + 1 end`,
        since: sql<Date>`case when ${isExpired} then ${now} else two_factor_attempts.since end`,
        wrongBefore: sql<number>`two_factor_attempts.wrong_before
          + case when ${isExpired} then least(two_factor_attempts.attempts, ${SECOND_STEP_TRIES}) else 0 end`,
      }),
    )
    .returning(['attempts', sql<Date>`two_factor_attempts.since + ${windowLength}`.as('until')])
    .executeTakeFirstOrThrow();
  if (attempts <= SECOND_STEP_TRIES) return;
  await notifyOfAttempts(db, userId, now);
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  const message = `Too many wrong codes. Please wait ${formatWait(retryAfter)} and try again.`;
  throw new Refusal(429, 'rate_limited', message, { field: 'otp', retryAfter });
}

function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/** After a new password, attempts of someone who knew the old one do not count. */
export async function clearAttempts(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('twoFactorAttempts').where('userId', '=', userId).execute();
}

const redeemRecoveryCode = (db: Db, userId: string, code: string) =>
  transact(db, async (trx) => {
    if (!(await consumeRecoveryCode(trx, userId, code))) return false;
    const left = await countRecoveryCodes(trx, userId);
    await mailUser(trx, userId, 'recoveryCodeUsed', { left, url: securityUrl() });
    return true;
  });

/** Accepts each code once. Throws a Refusal for a wrong code, and after too many attempts. */
export async function passSecondStep(
  db: Db,
  userId: string,
  code: string,
  now = databaseNow(),
): Promise<void> {
  await countAttempt(db, userId, now);
  const digits = code.replace(/\s/g, '');
  const isAppCode = APP_CODE.test(digits);
  const isRight = isAppCode
    ? await consumeAppCode(db, userId, digits, now)
    : await redeemRecoveryCode(db, userId, code);
  if (!isRight) {
    emitEvent('sign_in_failed', { userId, reason: 'second_step' });
    throw wrongCode();
  }
  emitEvent('second_step', { userId, means: isAppCode ? 'totp' : 'recovery_code' });
  await clearAttempts(db, userId);
}

/** For programs: throws a Refusal when the account needs a second step and `otp` is missing or wrong. */
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
