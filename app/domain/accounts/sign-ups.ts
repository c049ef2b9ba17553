import { timingSafeEqual } from 'node:crypto';
import { type Db, type Trx, transact } from '#app/db/client.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { hashCode, randomCode } from '#app/domain/secrets.ts';
import { env } from '#app/env.ts';
import { CODE_MINUTES } from './limits.ts';
import { hashPassword, refuseCommon } from './password.ts';
import type { SignUpInput, VerifyInput } from './schema.ts';

export const MOST_TRIES = 5;
const RESEND_SECONDS = 60;
const MOST_RESENDS = 5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** An attempt nobody completed can be resumed with a new code for a day. */
const ATTEMPT_MS = 24 * HOUR_MS;

export type StartedSignUp = { signUpId: string; email: string; isRepeated: boolean };

const purpose = (signUpId: string) => `sign-up:${signUpId}`;

function isCode(attempt: { id: string; codeHash: string | null }, otp: string): boolean {
  const expected = Buffer.from(attempt.codeHash ?? '');
  const given = Buffer.from(hashCode(otp, purpose(attempt.id)));
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Gives an attempt a new code, which voids the one before, and mails it. */
async function sendCode(trx: Trx, attempt: { id: string; email: string; name: string }, now: Date) {
  const code = randomCode();
  await trx
    .updateTable('signUps')
    .set({ codeHash: hashCode(code, purpose(attempt.id)), tries: 0, codeSentAt: now })
    .set({ codeExpiresAt: new Date(now.getTime() + CODE_MINUTES * MINUTE_MS) })
    .where('id', '=', attempt.id)
    .execute();
  await queueMail(trx, { address: attempt.email, userId: null }, 'verifyEmail', { name: attempt.name, code });
}

/** Tells the owner of an account, at most once an hour, that somebody signed up with their address. */
function tellOwner(trx: Trx, owner: { id: string; name: string }, email: string, now: Date) {
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

/**
 * Stores a sign-up attempt and mails its code. `isRepeated` says that an earlier attempt with this address
 * waits for its code. For the address of an account all of this looks the same from outside, but the
 * attempt has no code, and the owner is told.
 */
export async function startSignUp(db: Db, input: SignUpInput, now = new Date()): Promise<StartedSignUp> {
  const { email, name, timeZone } = input;
  refuseCommon(input.password);
  const passwordHash = await hashPassword(input.password);
  return transact(db, async (trx) => {
    const owner = await trx
      .selectFrom('users')
      .select(['id', 'name'])
      .where('email', '=', email)
      .executeTakeFirst();
    const forgotten = new Date(now.getTime() - ATTEMPT_MS);
    await trx.deleteFrom('signUps').where('email', '=', email).where('createdAt', '<=', forgotten).execute();
    const earlier = await trx
      .selectFrom('signUps')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst();
    const { id } = await trx
      .insertInto('signUps')
      .values({ email, name, passwordHash, timeZone, createdAt: now, codeSentAt: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (owner) await tellOwner(trx, owner, email, now);
    else await sendCode(trx, { id, email, name }, now);
    return { signUpId: id, email, isRepeated: Boolean(earlier) };
  });
}

/** The attempts a code may complete: all of the address, or the one the browser began. Locked, in order. */
function lockAttempts(trx: Trx, email: string, signUpId: string | undefined) {
  return trx
    .selectFrom('signUps')
    .select(['id', 'email', 'name', 'codeSentAt', 'resentAt'])
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
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('id', 'in', ids)
      .where('tries', '<', MOST_TRIES)
      .where('codeExpiresAt', '>', now)
      .returning(['id', 'codeHash'])
      .execute();
  });
}

const invalidOtp = () => new Refusal(400, 'invalid_otp', 'Invalid or expired OTP', { field: 'otp' });

/**
 * Completes the attempt the code was made for, and no other: its name, password and time zone become the
 * account, and every attempt of the address is dropped. A browser also says which attempt it began.
 */
export async function verifySignUp(
  db: Db,
  { email, otp, signUpId }: VerifyInput & { signUpId?: string },
  now = new Date(),
): Promise<{ userId: string }> {
  const right = (await spendTry(db, email, signUpId, now)).find((attempt) => isCode(attempt, otp));
  if (!right) throw invalidOtp();
  return transact(db, async (trx) => {
    await lockAttempts(trx, email, undefined);
    const attempt = await trx
      .deleteFrom('signUps')
      .where('id', '=', right.id)
      .where('codeHash', '=', right.codeHash)
      .returning(['name', 'passwordHash', 'timeZone'])
      .executeTakeFirst();
    if (!attempt) throw invalidOtp();
    await trx.deleteFrom('signUps').where('email', '=', email).execute();
    const user = await trx
      .insertInto('users')
      .values({ ...attempt, email, verifiedAt: now, createdAt: now })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!user) throw invalidOtp();
    return { userId: user.id };
  });
}

/**
 * Mails a new code for the attempt the browser began, or the newest of the address; the old code is void.
 * Says nothing about whether the address is known.
 */
export async function resendCode(
  db: Db,
  { email, signUpId }: { email: string; signUpId?: string },
  now = new Date(),
): Promise<void> {
  await transact(db, async (trx) => {
    const all = await lockAttempts(trx, email, undefined);
    const attempt = signUpId ? all.find(({ id }) => id === signUpId) : newest(all);
    if (!attempt) return;
    refuseEarly(all, now);
    const owner = await trx
      .selectFrom('users')
      .select(['id', 'name'])
      .where('email', '=', email)
      .executeTakeFirst();
    const resentAt = [...attempt.resentAt, now];
    await trx
      .updateTable('signUps')
      .set({ resentAt, codeSentAt: now })
      .where('id', '=', attempt.id)
      .execute();
    if (owner) await tellOwner(trx, owner, email, now);
    else await sendCode(trx, attempt, now);
  });
}

type Sent = { codeSentAt: Date | null; resentAt: Date[] };
const sentAt = (attempt: Sent) => attempt.codeSentAt?.getTime() ?? 0;

const newest = <T extends Sent>(attempts: T[]) => attempts.toSorted((a, b) => sentAt(b) - sentAt(a))[0];

/** The pause between two codes and the number in an hour count for the address, whoever asks. */
function pausesOf(attempts: Sent[]) {
  const sent = attempts.flatMap(({ resentAt }) => resentAt.map((at) => at.getTime())).sort((a, b) => b - a);
  const moment = 'A code was sent a moment ago. Please wait a minute before you ask again.';
  const hour = 'Five codes were sent within the hour. Please try again later.';
  return [
    { until: Math.max(0, ...attempts.map(sentAt)) + RESEND_SECONDS * 1000, message: moment },
    { until: (sent[MOST_RESENDS - 1] ?? 0) + HOUR_MS, message: hour },
  ];
}

function refuseEarly(attempts: Sent[], now: Date): void {
  for (const { until, message } of pausesOf(attempts)) {
    const retryAfter = Math.ceil((until - now.getTime()) / 1000);
    if (retryAfter > 0) throw new Refusal(429, 'rate_limited', message, { retryAfter });
  }
}

/** From when another code can be sent, and whose clock the attempt goes by; null when it can be sent now. */
export async function findResendAt(
  db: Db,
  { email, signUpId }: { email: string; signUpId: string },
  now = new Date(),
): Promise<{ at: Date; timeZone: string } | null> {
  const attempts = await db
    .selectFrom('signUps')
    .select(['id', 'codeSentAt', 'resentAt', 'timeZone'])
    .where('email', '=', email)
    .execute();
  const own = attempts.find(({ id }) => id === signUpId);
  const until = Math.max(...pausesOf(attempts).map((pause) => pause.until));
  return own && until > now.getTime() ? { at: new Date(until), timeZone: own.timeZone } : null;
}
