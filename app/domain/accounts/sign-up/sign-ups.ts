import type { Selectable } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { AccountTables } from '#app/db/tables/accounts.ts';
import {
  countCode,
  findNextCodeAt,
  invalidOtp,
  isCode,
  MAX_ATTEMPTS,
  makeCode,
} from '#app/domain/accounts/one-time-codes.ts';
import { hashPassword, isOutdated, refuseCommon } from '#app/domain/accounts/password/password.ts';
import type { SignUpInput, VerifyInput } from '#app/domain/accounts/schema.ts';
import { findUserByEmail, mailAccountExists } from '#app/domain/accounts/users.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { hashToken, randomToken } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';

/** An attempt can be resumed with a new code, or completed by its link, for a day. */
export const ATTEMPT_MS = 86_400_000;

export type StartedSignUp = { signUpId: string; email: string; isRepeated: boolean };

const purpose = (signUpId: string) => `sign-up:${signUpId}`;

async function sendCode(trx: Trx, attempt: { id: string; email: string }, now: Date) {
  const { code, row } = makeCode(purpose(attempt.id), now);
  const token = randomToken();
  await trx
    .updateTable('signUps')
    .set({ ...row, linkHash: hashToken(token) })
    .where('id', '=', attempt.id)
    .execute();
  const url = `${new URL('/verify-email', env().APP_URL)}?${new URLSearchParams({ token })}`;
  await queueMail(trx, { address: attempt.email, userId: null }, 'verifyEmail', { code, url });
  emitEvent('code_sent', { purpose: 'sign_up' }, trx);
}

/** Sign-ups of an address share a salt: then a sign-in computes one hash, however many sign-ups wait. */
async function findHashWithSalt(db: Db, email: string): Promise<string | undefined> {
  const hashes = await db
    .selectFrom('users')
    .select(['passwordHash', 'createdAt'])
    .where('email', '=', email)
    .unionAll(db.selectFrom('signUps').select(['passwordHash', 'createdAt']).where('email', '=', email))
    .orderBy('createdAt')
    .execute();
  return (
    hashes.find(({ passwordHash }) => passwordHash && !isOutdated(passwordHash))?.passwordHash ?? undefined
  );
}

/** `isRepeated`: an earlier sign-up waits for its code. The response is the same for the address of an account. */
export async function startSignUp(db: Db, input: SignUpInput, now = databaseNow()): Promise<StartedSignUp> {
  const { email, name, timeZone } = input;
  await refuseCommon(input.password);
  const passwordHash = await hashPassword(input.password, await findHashWithSalt(db, email));
  return transact(db, async (trx) => {
    await countCode(trx, email, now);
    const owner = await findUserByEmail(trx, email);
    const expiredBefore = new Date(now.getTime() - ATTEMPT_MS);
    await trx
      .deleteFrom('signUps')
      .where('email', '=', email)
      .where('createdAt', '<=', expiredBefore)
      .execute();
    const earlier = await trx
      .selectFrom('signUps')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst();
    const { id } = await trx
      .insertInto('signUps')
      .values({ email, name, passwordHash, timeZone, createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (owner) await mailAccountExists(trx, owner, email, now);
    else await sendCode(trx, { id, email }, now);
    return { signUpId: id, email, isRepeated: Boolean(earlier) };
  });
}

/** Locks the sign-ups that a code may complete, in order, so that transactions can't deadlock. */
export function lockAttempts(trx: Trx, email: string, signUpId: string | undefined) {
  return trx
    .selectFrom('signUps')
    .select(['id', 'email', 'createdAt'])
    .where('email', '=', email)
    .$if(Boolean(signUpId), (query) => query.where('id', '=', signUpId!))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Counts an attempt on every matching sign-up before the comparison; returns those with attempts left. */
function countAttempt(db: Db, email: string, signUpId: string | undefined, now: Date) {
  return transact(db, async (trx) => {
    const ids = (await lockAttempts(trx, email, signUpId)).map(({ id }) => id);
    if (ids.length === 0) return [];
    return trx
      .updateTable('signUps')
      .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
      .where('id', 'in', ids)
      .where('attempts', '<', MAX_ATTEMPTS)
      .where('codeExpiresAt', '>', now)
      .returning(['id', 'codeHash'])
      .execute();
  });
}

/** Creates the account and deletes all sign-ups of the address. Returns undefined when there is an account already. */
export async function completeSignUp(
  trx: Trx,
  attempt: Pick<Selectable<AccountTables['users']>, 'email' | 'name' | 'passwordHash' | 'timeZone'>,
  now: Date,
): Promise<string | undefined> {
  await trx.deleteFrom('signUps').where('email', '=', attempt.email).execute();
  const user = await trx
    .insertInto('users')
    .values({ ...attempt, verifiedAt: now, createdAt: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (user) emitEvent('sign_up', { userId: user.id }, trx);
  return user?.id;
}

/** Completes the sign-up that the code was mailed for. A browser passes `signUpId`. */
export async function verifySignUp(
  db: Db,
  { email, otp, signUpId }: VerifyInput & { signUpId?: string },
  now = databaseNow(),
): Promise<{ userId: string }> {
  const match = (await countAttempt(db, email, signUpId, now)).find(({ id, codeHash }) =>
    isCode(codeHash, otp, purpose(id)),
  );
  if (!match) {
    emitEvent('sign_in_failed', { reason: 'code' });
    throw invalidOtp();
  }
  return transact(db, async (trx) => {
    await lockAttempts(trx, email, undefined);
    const attempt = await trx
      .deleteFrom('signUps')
      .where('id', '=', match.id)
      .where('codeHash', '=', match.codeHash)
      .returning(['email', 'name', 'passwordHash', 'timeZone'])
      .executeTakeFirst();
    const userId = attempt && (await completeSignUp(trx, attempt, now));
    if (!userId) throw invalidOtp();
    return { userId };
  });
}

/** For the browser's sign-up, or the newest of the address. It does not reveal whether the address is known. */
export async function resendCode(
  db: Db,
  { email, signUpId }: { email: string; signUpId?: string },
  now = databaseNow(),
): Promise<void> {
  await transact(db, async (trx) => {
    await countCode(trx, email, now);
    const candidates = await lockAttempts(trx, email, undefined);
    const attempt = signUpId ? candidates.find(({ id }) => id === signUpId) : newest(candidates);
    if (!attempt) return;
    const owner = await findUserByEmail(trx, email);
    if (owner) await mailAccountExists(trx, owner, email, now);
    else await sendCode(trx, attempt, now);
  });
}

const newest = <T extends { createdAt: Date }>(attempts: T[]) =>
  attempts.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0];

/** When the next code can be sent, in the sign-up's time zone; null when it can be sent now. */
export async function findResendAt(
  db: Db,
  { email, signUpId }: { email: string; signUpId: string },
  now = databaseNow(),
): Promise<{ at: Date; timeZone: string } | null> {
  const [attempt, at] = await Promise.all([
    db.selectFrom('signUps').select('timeZone').where('id', '=', signUpId).executeTakeFirst(),
    findNextCodeAt(db, email, now),
  ]);
  return attempt && at ? { at, timeZone: attempt.timeZone } : null;
}
