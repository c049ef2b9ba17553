import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { isPassword } from '#app/domain/accounts/password/password.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { countCode, findNextCodeAt, invalidOtp, isCode, MAX_ATTEMPTS, makeCode } from './one-time-codes.ts';
import type { ReauthInput } from './schema.ts';

const WRONG_PASSWORDS_MAX = 10;
const WINDOW_MINUTES = 15;
const MINUTE_MS = 60_000;

const purpose = (userId: string) => `proof:${userId}`;

type Owner = Pick<Actor, 'userId'>;

const missing = (field: string, message: string) => new Refusal(422, 'invalid', message, { field });

async function findOwner(db: Db, { userId }: Owner) {
  return db
    .selectFrom('users')
    .select(['name', 'email', 'passwordHash'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** A user without a password reauthenticates with a mailed code. */
export async function findReauthMethod(db: Db, owner: Owner): Promise<'password' | 'code'> {
  return (await findOwner(db, owner)).passwordHash ? 'password' : 'code';
}

/** For users without a password. Throws a Refusal (`rate_limited`) after too many codes. */
export async function sendReauthCode(db: Db, owner: Owner, now = databaseNow()): Promise<void> {
  const { userId } = owner;
  await transact(db, async (trx) => {
    const { name, email, passwordHash } = await findOwner(trx, owner);
    if (passwordHash) throw new Refusal(409, 'has_password', 'Please enter your password instead');
    await countCode(trx, email, now, { isKnown: true });
    const { code, row } = makeCode(purpose(userId), now);
    await trx
      .insertInto('reauthAttempts')
      .values({ userId, countedFrom: now, ...row })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
      .execute();
    emitEvent('code_sent', { userId, purpose: 'proof' }, trx);
    await queueMail(trx, { address: email, userId }, 'proveOwner', { name, code });
  });
}

export async function findNextReauthCodeAt(db: Db, owner: Owner, now = databaseNow()): Promise<Date | null> {
  return findNextCodeAt(db, (await findOwner(db, owner)).email, now, { isKnown: true });
}

/** Counts an attempt before the password is compared, or throws a Refusal. Attempts to sign in are counted separately. */
async function countPassword(db: Db, { userId }: Owner, now: Date): Promise<void> {
  const isExpired = sql<boolean>`reauth_attempts.counted_from <= ${new Date(now.getTime() - WINDOW_MINUTES * MINUTE_MS)}`;
  const { wrongPasswords, countedFrom } = await db
    .insertInto('reauthAttempts')
    .values({ userId, wrongPasswords: 1, countedFrom: now })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({
        wrongPasswords: sql`case when ${isExpired} then 1 else reauth_attempts.wrong_passwords + 1 end`,
        countedFrom: sql`case when ${isExpired} then ${now} else reauth_attempts.counted_from end`,
      }),
    )
    .returning(['wrongPasswords', 'countedFrom'])
    .executeTakeFirstOrThrow();
  if (wrongPasswords <= WRONG_PASSWORDS_MAX) return;
  const until = countedFrom.getTime() + WINDOW_MINUTES * MINUTE_MS;
  const retryAfter = Math.max(1, Math.ceil((until - now.getTime()) / 1000));
  const minutes = Math.ceil(retryAfter / 60);
  const message = `Too many wrong passwords. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`} and try again.`;
  throw new Refusal(429, 'rate_limited', message, { field: 'password', retryAfter });
}

async function checkPassword(db: Db, owner: Owner, stored: string, password: string, now: Date) {
  await countPassword(db, owner, now);
  if (!(await isPassword(stored, password))) {
    emitEvent('proof_failed', { userId: owner.userId, means: 'password' });
    throw new Refusal(403, 'wrong_password', 'This is not your password', { field: 'password' });
  }
  await db
    .updateTable('reauthAttempts')
    .set({ wrongPasswords: 0 })
    .where('userId', '=', owner.userId)
    .execute();
  emitEvent('proved', { userId: owner.userId, means: 'password' });
}

async function checkCode(db: Db, { userId }: Owner, otp: string, now: Date): Promise<void> {
  const attempt = await db
    .updateTable('reauthAttempts')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('userId', '=', userId)
    .where('attempts', '<', MAX_ATTEMPTS)
    .where('codeExpiresAt', '>', now)
    .returning('codeHash')
    .executeTakeFirst();
  if (!attempt || !isCode(attempt.codeHash, otp, purpose(userId))) {
    emitEvent('proof_failed', { userId, means: 'code' });
    throw invalidOtp();
  }
  const consumed = await db
    .updateTable('reauthAttempts')
    .set({ codeHash: null, codeExpiresAt: null })
    .where('userId', '=', userId)
    .where('codeHash', '=', attempt.codeHash)
    .returning('userId')
    .executeTakeFirst();
  if (!consumed) throw invalidOtp();
  emitEvent('proved', { userId, means: 'code' });
}

/** Requires the password or a mailed code. Call it outside of a transaction, so that failed attempts stay counted. */
export async function reauthenticate(
  db: Db,
  owner: Owner,
  proof: ReauthInput,
  now = databaseNow(),
): Promise<void> {
  const { passwordHash } = await findOwner(db, owner);
  if (passwordHash) {
    if (!proof.password) throw missing('password', 'Please enter your password');
    return checkPassword(db, owner, passwordHash, proof.password, now);
  }
  if (!proof.otp) throw missing('otp', 'Please enter the code that was mailed to you');
  return checkCode(db, owner, proof.otp, now);
}
