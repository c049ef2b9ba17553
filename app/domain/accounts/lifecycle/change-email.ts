import { type Db, type Trx, transact } from '#app/db/client.ts';
import {
  countCode,
  findNextCodeAt,
  invalidOtp,
  isCode,
  MOST_TRIES,
  makeCode,
} from '#app/domain/accounts/one-time-codes.ts';
import { reauthenticate } from '#app/domain/accounts/reauthenticate.ts';
import type { NewEmailInput } from '#app/domain/accounts/schema.ts';
import { endSessionsOf, requireSession, type SignedIn } from '#app/domain/accounts/sign-in/sessions.ts';
import { findUser, lockUser, mailUser } from '#app/domain/accounts/users.ts';
import { queueMail } from '#app/domain/email/outbox.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';

const HOUR_MS = 3_600_000;
/** A change that nobody completed is over after a day. */
const OPEN_MS = 24 * HOUR_MS;

/** The code comes back to the session that asked for it. */
const purpose = ({ userId, sessionId }: SignedIn) => `email-change:${userId}:${sessionId}`;

/** Tells whose address it is, at most once an hour, that somebody wants it for another account. */
function notifyOwner(trx: Trx, owner: { id: string; name: string }, address: string, now: Date) {
  const hour = Math.floor(now.getTime() / HOUR_MS);
  const data = { name: owner.name, loginUrl: new URL('/login', env().APP_URL).href };
  return queueMail(
    trx,
    { address, userId: owner.id },
    'accountExists',
    data,
    `account-exists:${owner.id}:${hour}`,
  );
}

/** Mails a code to the new address, which voids the one before. To somebody's address none goes out. */
async function sendCode(trx: Trx, signedIn: SignedIn, newEmail: string, now: Date): Promise<void> {
  const owner = await trx
    .selectFrom('users')
    .select(['id', 'name'])
    .where('email', '=', newEmail)
    .executeTakeFirst();
  if (owner) return notifyOwner(trx, owner, newEmail, now);
  const { userId, sessionId } = signedIn;
  const { code, kept } = makeCode(purpose(signedIn), now);
  await trx
    .updateTable('emailChanges')
    .set(kept)
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .execute();
  await queueMail(trx, { address: newEmail, userId }, 'confirmNewEmail', { code });
  emitEvent('code_sent', { purpose: 'email', userId }, trx);
}

/**
 * Once the owner is proven: mails a code to the new address and a word to the old one. It takes the place of a change that
 * was begun before. For an address that is somebody's it looks the same, and its owner is told.
 */
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
    await dropEmailChange(trx, userId);
    await trx.insertInto('emailChanges').values({ userId, sessionId, newEmail, createdAt: now }).execute();
    await sendCode(trx, signedIn, newEmail, now);
    const url = new URL('/forgot-password', env().APP_URL).href;
    await mailUser(trx, userId, 'emailChangeBegun', { newEmail, url });
  });
}

const openOf = (db: Db, { userId, sessionId }: SignedIn, now: Date) =>
  db
    .selectFrom('emailChanges')
    .select('newEmail')
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .where('createdAt', '>', new Date(now.getTime() - OPEN_MS));

/** The address whose code this session waits for, and from when it can have another; undefined when it waits for none. */
export async function findEmailChange(
  db: Db,
  signedIn: SignedIn,
  now = databaseNow(),
): Promise<{ newEmail: string; againAt: Date | null } | undefined> {
  const open = await openOf(db, signedIn, now).executeTakeFirst();
  return open && { ...open, againAt: await findNextCodeAt(db, open.newEmail, now) };
}

/** Mails a new code for the change that the session waits with; the old code is void. */
export async function resendEmailChange(db: Db, signedIn: SignedIn, now = databaseNow()): Promise<void> {
  await transact(db, async (trx) => {
    // First, as when a change begins: of two that hold what the other needs each would wait.
    await lockUser(trx, signedIn.userId);
    const open = await openOf(trx, signedIn, now).forUpdate().executeTakeFirst();
    if (!open) throw new Refusal(404, 'not_found', 'This change of your address is over. Please begin again');
    await countCode(trx, open.newEmail, now);
    await sendCode(trx, signedIn, open.newEmail, now);
  });
}

/** Ends a change that waits for its code. */
export async function dropEmailChange(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('emailChanges').where('userId', '=', userId).execute();
}

/** Counts a try before anything is compared, and answers the change that the code completes. */
async function tryCode(db: Db, signedIn: SignedIn, otp: string, now: Date) {
  const tried = await db
    .updateTable('emailChanges')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('userId', '=', signedIn.userId)
    .where('sessionId', '=', signedIn.sessionId)
    .where('attempts', '<', MOST_TRIES)
    .where('codeExpiresAt', '>', now)
    .returning(['newEmail', 'codeHash'])
    .executeTakeFirst();
  if (!tried || !isCode(tried.codeHash, otp, purpose(signedIn))) {
    emitEvent('proof_failed', { userId: signedIn.userId, means: 'code' });
    throw invalidOtp();
  }
  return tried;
}

/**
 * Gives the account the address to which the code was mailed. Ends every other session, and whatever else waited with the
 * old address or the new one; the old address is told.
 */
export async function confirmEmailChange(
  db: Db,
  signedIn: SignedIn,
  otp: string,
  now = databaseNow(),
): Promise<{ email: string }> {
  const { userId } = signedIn;
  const { newEmail, codeHash } = await tryCode(db, signedIn, otp, now);
  const changed = transact(db, async (trx) => {
    const { name, email } = await lockUser(trx, userId);
    const used = await trx
      .deleteFrom('emailChanges')
      .where('userId', '=', userId)
      .where('codeHash', '=', codeHash)
      .executeTakeFirst();
    if (used.numDeletedRows === 0n) throw invalidOtp();
    await trx.updateTable('users').set({ email: newEmail }).where('id', '=', userId).execute();
    await trx.deleteFrom('signUps').where('email', '=', newEmail).execute();
    await trx.deleteFrom('passwordResets').where('email', 'in', [email, newEmail]).execute();
    await endSessionsOf(trx, userId, 'email', signedIn);
    const data = { name, newEmail, support: env().SUPPORT_EMAIL };
    await queueMail(trx, { address: email, userId }, 'emailChanged', data);
    emitEvent('email_changed', { userId }, trx);
    return { email: newEmail };
  });
  // Somebody made an account with it meanwhile.
  return changed.catch((error) => {
    throw isTaken(error) ? invalidOtp() : error;
  });
}

/** Whether the database refused a second row with the same value. */
const isTaken = (error: unknown) => (error as { code?: string }).code === '23505';
