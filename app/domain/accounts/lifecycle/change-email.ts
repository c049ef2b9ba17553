import { type Db, type Trx, transact } from '#app/db/client.ts';
import {
  countCode,
  findNextCodeAt,
  invalidOtp,
  isCode,
  MAX_ATTEMPTS,
  makeCode,
} from '#app/domain/accounts/one-time-codes.ts';
import { reauthenticate } from '#app/domain/accounts/reauthenticate.ts';
import type { NewEmailInput } from '#app/domain/accounts/schema.ts';
import { endSessionsOf, requireSession, type SignedIn } from '#app/domain/accounts/sign-in/sessions.ts';
import {
  findUser,
  findUserByEmail,
  lockUser,
  mailAccountExists,
  mailUser,
} from '#app/domain/accounts/users.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';

const OPEN_MS = 86_400_000;

/** Binds the code to the session that requested it. */
const purpose = ({ userId, sessionId }: SignedIn) => `email-change:${userId}:${sessionId}`;

/** Mails a code to the new address. When that has an account, its owner is notified instead. */
async function sendCode(trx: Trx, signedIn: SignedIn, newEmail: string, now: Date): Promise<void> {
  const owner = await findUserByEmail(trx, newEmail);
  if (owner) return mailAccountExists(trx, owner, newEmail, now);
  const { userId, sessionId } = signedIn;
  const { code, row } = makeCode(purpose(signedIn), now);
  await trx
    .updateTable('emailChanges')
    .set(row)
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .execute();
  await queueMail(trx, { address: newEmail, userId }, 'confirmNewEmail', { code });
  emitEvent('code_sent', { purpose: 'email', userId }, trx);
}

/** Mails a code to the new address and a notice to the old one. For the address of an account it looks the same. */
export async function startEmailChange(
  db: Db,
  signedIn: SignedIn,
  { email: newEmail, ...proof }: NewEmailInput,
  now = databaseNow(),
): Promise<void> {
  const { userId, sessionId } = signedIn;
  const { email } = await findUser(db, userId);
  if (newEmail === email) {
    throw new Refusal(422, 'invalid', 'This is the address that you have already', { field: 'email' });
  }
  await reauthenticate(db, signedIn, proof, now);
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await requireSession(trx, sessionId);
    await countCode(trx, newEmail, now);
    await deleteEmailChange(trx, userId);
    await trx.insertInto('emailChanges').values({ userId, sessionId, newEmail, createdAt: now }).execute();
    await sendCode(trx, signedIn, newEmail, now);
    const url = new URL('/forgot-password', env().APP_URL).href;
    await mailUser(trx, userId, 'emailChangeBegun', { newEmail, url });
  });
}

const selectOpenChange = (db: Db, { userId, sessionId }: SignedIn, now: Date) =>
  db
    .selectFrom('emailChanges')
    .select('newEmail')
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .where('createdAt', '>', new Date(now.getTime() - OPEN_MS));

/** The address that waits for its code, and when another code can be sent; undefined without a change. */
export async function findEmailChange(
  db: Db,
  signedIn: SignedIn,
  now = databaseNow(),
): Promise<{ newEmail: string; nextCodeAt: Date | null } | undefined> {
  const open = await selectOpenChange(db, signedIn, now).executeTakeFirst();
  return open && { ...open, nextCodeAt: await findNextCodeAt(db, open.newEmail, now) };
}

export async function resendEmailChange(db: Db, signedIn: SignedIn, now = databaseNow()): Promise<void> {
  await transact(db, async (trx) => {
    // The user's lock comes first, as in startEmailChange: another order can deadlock.
    await lockUser(trx, signedIn.userId);
    const open = await selectOpenChange(trx, signedIn, now).forUpdate().executeTakeFirst();
    if (!open) throw new Refusal(404, 'not_found', 'This change of your address is over. Please begin again');
    await countCode(trx, open.newEmail, now);
    await sendCode(trx, signedIn, open.newEmail, now);
  });
}

export async function deleteEmailChange(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('emailChanges').where('userId', '=', userId).execute();
}

/** Counts an attempt before the comparison, and returns the change that the code confirms. */
async function checkCode(db: Db, signedIn: SignedIn, otp: string, now: Date) {
  const attempt = await db
    .updateTable('emailChanges')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('userId', '=', signedIn.userId)
    .where('sessionId', '=', signedIn.sessionId)
    .where('attempts', '<', MAX_ATTEMPTS)
    .where('codeExpiresAt', '>', now)
    .returning(['newEmail', 'codeHash'])
    .executeTakeFirst();
  if (!attempt || !isCode(attempt.codeHash, otp, purpose(signedIn))) {
    emitEvent('proof_failed', { userId: signedIn.userId, means: 'code' });
    throw invalidOtp();
  }
  return attempt;
}

/** Changes the address, ends all other sessions and what waits, and notifies the old address. */
export async function confirmEmailChange(
  db: Db,
  signedIn: SignedIn,
  otp: string,
  now = databaseNow(),
): Promise<{ email: string }> {
  const { userId } = signedIn;
  const { newEmail, codeHash } = await checkCode(db, signedIn, otp, now);
  const change = transact(db, async (trx) => {
    const { name, email } = await lockUser(trx, userId);
    const deleted = await trx
      .deleteFrom('emailChanges')
      .where('userId', '=', userId)
      .where('codeHash', '=', codeHash)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) throw invalidOtp();
    await trx.updateTable('users').set({ email: newEmail }).where('id', '=', userId).execute();
    await trx.deleteFrom('signUps').where('email', '=', newEmail).execute();
    await trx.deleteFrom('passwordResets').where('email', 'in', [email, newEmail]).execute();
    await endSessionsOf(trx, userId, 'email', signedIn);
    const data = { name, newEmail, support: env().SUPPORT_EMAIL };
    await queueMail(trx, { address: email, userId }, 'emailChanged', data);
    emitEvent('email_changed', { userId }, trx);
    return { email: newEmail };
  });
  // The address got an account in the meantime.
  return change.catch((error) => {
    throw isUniqueViolation(error) ? invalidOtp() : error;
  });
}

const isUniqueViolation = (error: unknown) => (error as { code?: string }).code === '23505';
