import type { Selectable } from 'kysely';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { AccountTables } from '#app/db/tables/accounts.ts';
import {
  countCode,
  findNextCodeAt,
  invalidOtp,
  isCode,
  MOST_TRIES,
  makeCode,
} from '#app/domain/accounts/one-time-codes.ts';
import { hashPassword, isOutdated, refuseCommon } from '#app/domain/accounts/password/password.ts';
import type { SignUpInput, VerifyInput } from '#app/domain/accounts/schema.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { hashToken, randomToken } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';

const HOUR_MS = 60 * 60_000;
/** An attempt nobody completed can be resumed with a new code, and completed by its link, for a day. */
export const ATTEMPT_MS = 24 * HOUR_MS;

export type StartedSignUp = { signUpId: string; email: string; isRepeated: boolean };

const purpose = (signUpId: string) => `sign-up:${signUpId}`;

/** Gives an attempt a new code and link, which void those before, and mails them. */
async function sendCode(trx: Trx, attempt: { id: string; email: string }, now: Date) {
  const { code, kept } = makeCode(purpose(attempt.id), now);
  const token = randomToken();
  const row = { ...kept, linkHash: hashToken(token) };
  await trx.updateTable('signUps').set(row).where('id', '=', attempt.id).execute();
  const url = `${new URL('/verify-email', env().APP_URL)}?${new URLSearchParams({ token })}`;
  await queueMail(trx, { address: attempt.email, userId: null }, 'verifyEmail', { code, url });
  emitEvent('code_sent', { purpose: 'sign_up' }, trx);
}

/** Tells the owner of an account, at most once an hour, that somebody signed up with their address. */
function notifyOwner(trx: Trx, owner: { id: string; name: string }, email: string, now: Date) {
  const hour = Math.floor(now.getTime() / HOUR_MS);
  const loginUrl = new URL('/login', env().APP_URL).href;
  return queueMail(
    trx,
    { address: email, userId: owner.id },
    'accountExists',
    { name: owner.name, loginUrl },
    `account-exists:${owner.id}:${hour}`,
  );
}

/** A hash with whose salt a sign-up is hashed: then a sign-in costs one hash, however many wait at the address. */
async function findSalted(db: Db, email: string): Promise<string | undefined> {
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

const ownerOf = (trx: Trx, email: string) =>
  trx.selectFrom('users').select(['id', 'name']).where('email', '=', email).executeTakeFirst();

/**
 * Stores a sign-up attempt and mails its code. `isRepeated` says that an earlier attempt with this address
 * waits for its code. For the address of an account all of this looks the same from outside, but the
 * attempt has no code, and the owner is told.
 */
export async function startSignUp(db: Db, input: SignUpInput, now = databaseNow()): Promise<StartedSignUp> {
  const { email, name, timeZone } = input;
  await refuseCommon(input.password);
  const passwordHash = await hashPassword(input.password, await findSalted(db, email));
  return transact(db, async (trx) => {
    await countCode(trx, email, now);
    const owner = await ownerOf(trx, email);
    const forgotten = new Date(now.getTime() - ATTEMPT_MS);
    await trx.deleteFrom('signUps').where('email', '=', email).where('createdAt', '<=', forgotten).execute();
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
    if (owner) await notifyOwner(trx, owner, email, now);
    else await sendCode(trx, { id, email }, now);
    return { signUpId: id, email, isRepeated: Boolean(earlier) };
  });
}

/** The attempts a code may complete: all of the address, or the one the browser began. Locked, in order. */
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

/** Counts a try on every attempt it could complete, before anything is compared, and answers those left. */
function spendTry(db: Db, email: string, signUpId: string | undefined, now: Date) {
  return transact(db, async (trx) => {
    const ids = (await lockAttempts(trx, email, signUpId)).map(({ id }) => id);
    if (ids.length === 0) return [];
    return trx
      .updateTable('signUps')
      .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
      .where('id', 'in', ids)
      .where('attempts', '<', MOST_TRIES)
      .where('codeExpiresAt', '>', now)
      .returning(['id', 'codeHash'])
      .execute();
  });
}

/** Makes the account of an attempt, and drops every attempt of its address; answers no id if there is an account. */
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

/**
 * Completes the attempt the code was made for, and no other: its name, password and time zone become the
 * account, and every attempt of the address is dropped. A browser also says which attempt it began.
 */
export async function verifySignUp(
  db: Db,
  { email, otp, signUpId }: VerifyInput & { signUpId?: string },
  now = databaseNow(),
): Promise<{ userId: string }> {
  const right = (await spendTry(db, email, signUpId, now)).find(({ id, codeHash }) =>
    isCode(codeHash, otp, purpose(id)),
  );
  if (!right) {
    emitEvent('sign_in_failed', { reason: 'code' });
    throw invalidOtp();
  }
  return transact(db, async (trx) => {
    await lockAttempts(trx, email, undefined);
    const attempt = await trx
      .deleteFrom('signUps')
      .where('id', '=', right.id)
      .where('codeHash', '=', right.codeHash)
      .returning(['email', 'name', 'passwordHash', 'timeZone'])
      .executeTakeFirst();
    const userId = attempt && (await completeSignUp(trx, attempt, now));
    if (!userId) throw invalidOtp();
    return { userId };
  });
}

/**
 * Mails a new code for the attempt the browser began, or the newest of the address; the old code is void.
 * Says nothing about whether the address is known.
 */
export async function resendCode(
  db: Db,
  { email, signUpId }: { email: string; signUpId?: string },
  now = databaseNow(),
): Promise<void> {
  await transact(db, async (trx) => {
    await countCode(trx, email, now);
    const all = await lockAttempts(trx, email, undefined);
    const attempt = signUpId ? all.find(({ id }) => id === signUpId) : newest(all);
    if (!attempt) return;
    const owner = await ownerOf(trx, email);
    if (owner) await notifyOwner(trx, owner, email, now);
    else await sendCode(trx, attempt, now);
  });
}

const newest = <T extends { createdAt: Date }>(attempts: T[]) =>
  attempts.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0];

/** From when another code can be sent, and whose clock the attempt goes by; null when it can be sent now. */
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
