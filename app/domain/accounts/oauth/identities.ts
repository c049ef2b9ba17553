import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { Provider } from '#app/db/tables/accounts.ts';
import { PROVIDER_NAMES } from '#app/domain/accounts/limits.ts';
import { ProviderEmail, providerName, SOCIAL_ERRORS, type SocialError } from '#app/domain/accounts/schema.ts';
import { requireSession, type SignedIn } from '#app/domain/accounts/sign-in/sessions.ts';
import { completeSignUp, lockAttempts } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { securityUrl } from '#app/domain/accounts/two-step/security-url.ts';
import { findFactors } from '#app/domain/accounts/two-step/verify.ts';
import { lockUser, mailUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';

/** What a provider has proved: its own name for somebody, and what it says about them. */
export type VerifiedIdentity = {
  provider: Provider;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string;
};

/** How long the owner of an address has to sign in and say yes. */
const PENDING_MS = 30 * 60_000;

export const socialRefusal = (code: SocialError, status: 400 | 409 | 502 = 409) =>
  new Refusal(status, code, SOCIAL_ERRORS[code]);

export type IdentitySignIn =
  | { kind: 'known' | 'new'; userId: string }
  /** The address belongs to an account: its owner has to sign in first. */
  | { kind: 'taken'; pendingId: string };

async function findOwner(db: Db, { provider, subject }: Pick<VerifiedIdentity, 'provider' | 'subject'>) {
  const row = await db
    .selectFrom('identities')
    .select('userId')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.userId;
}

async function keep(
  trx: Trx,
  userId: string,
  { provider, subject, isEmailVerified }: VerifiedIdentity,
  email: string | null,
  now: Date,
) {
  const row = { provider, subject, userId, email, isEmailVerified, linkedAt: now };
  await trx.insertInto('identities').values(row).execute();
  emitEvent('identity_linked', { provider, userId }, trx);
}

/**
 * Whom an identity signs in. An unknown one whose verified address nobody has makes an account without a password, and
 * the sign-ups that are open for the address end. It never gets into an account that exists by its address alone.
 */
export async function signInWithIdentity(
  db: Db,
  proved: VerifiedIdentity,
  { timeZone, now = databaseNow() }: { timeZone: string | null; now?: Date },
): Promise<IdentitySignIn> {
  const known = await findOwner(db, proved);
  if (known) return { kind: 'known', userId: known };
  const email = ProviderEmail.safeParse(proved.email).data;
  if (!email || !proved.isEmailVerified) throw socialRefusal('email_unverified');
  return transact(db, async (trx) => {
    await lockAttempts(trx, email, undefined);
    const name = providerName(proved.name) ?? email.split('@')[0]!;
    const account = { email, name, passwordHash: null, timeZone: timeZone ?? 'UTC' };
    const userId = await completeSignUp(trx, account, now);
    if (userId) {
      await keep(trx, userId, proved, email, now);
      return { kind: 'new', userId };
    }
    return askOwner(trx, proved, email, now);
  });
}

async function askOwner(
  trx: Trx,
  proved: VerifiedIdentity,
  email: string,
  now: Date,
): Promise<IdentitySignIn> {
  const { provider, subject } = proved;
  const known = await findOwner(trx, proved);
  if (known) return { kind: 'known', userId: known };
  const { id: userId } = await trx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const expiresAt = new Date(now.getTime() + PENDING_MS);
  const { id } = await trx
    .insertInto('pendingIdentities')
    .values({ provider, subject, email, userId, expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { kind: 'taken', pendingId: id };
}

/** The identity that waits for its owner; undefined when it has waited too long. */
export const findPending = (db: Db, id: string, now = databaseNow()) =>
  db
    .selectFrom('pendingIdentities')
    .select(['id', 'provider', 'subject', 'email', 'userId'])
    .where('id', '=', id)
    .where('expiresAt', '>', now)
    .executeTakeFirst();

/** The owner of the account says yes to the identity that waits. Refuses everybody else. */
export async function linkPending(
  db: Db,
  signedIn: SignedIn,
  id: string,
  now = databaseNow(),
): Promise<Provider> {
  const pending = await findPending(db, id, now);
  if (pending?.userId !== signedIn.userId) throw socialRefusal('link_over');
  await linkIdentity(db, signedIn, { ...pending, isEmailVerified: true, name: '' }, now);
  await db.deleteFrom('pendingIdentities').where('id', '=', id).execute();
  return pending.provider;
}

/** From now on the identity signs in to the actor's account, who is told. Refuses one that belongs to another account. */
export async function linkIdentity(
  db: Db,
  { userId, sessionId }: SignedIn,
  proved: VerifiedIdentity,
  now = databaseNow(),
): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await requireSession(trx, sessionId);
    const owner = await findOwner(trx, proved);
    if (owner === userId) return;
    if (owner) throw socialRefusal('identity_taken');
    const as = ProviderEmail.safeParse(proved.email).data ?? null;
    try {
      await keep(trx, userId, proved, as, now);
    } catch (error) {
      const { constraint } = error as { constraint?: string };
      if (constraint === 'identities_one_of_each_provider') throw socialRefusal('has_another');
      throw constraint === 'identities_pkey' ? socialRefusal('identity_taken') : error;
    }
    const provider = PROVIDER_NAMES[proved.provider];
    await mailUser(trx, userId, 'signInLinked', { provider, as, url: securityUrl() });
  });
}

/** Every way by which somebody can sign in to the account. A passkey does so by itself. */
export async function listSignInMethods(db: Db, { userId }: Pick<Actor, 'userId'>) {
  const [user, { passkeys }, identities] = await Promise.all([
    db.selectFrom('users').select('passwordHash').where('id', '=', userId).executeTakeFirstOrThrow(),
    findFactors(db, userId),
    db
      .selectFrom('identities')
      .select(['provider', 'email', 'linkedAt'])
      .where('userId', '=', userId)
      .orderBy('provider')
      .execute(),
  ]);
  const hasPassword = user.passwordHash !== null;
  return { hasPassword, identities, isOnlyOne: !hasPassword && identities.length + passkeys === 1 };
}

/** Whether the owner has said that we are not to publish with what LinkedIn gives at a sign-in. */
export async function hasDeclinedPublishing(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('identities')
    .select('declinedAt')
    .where('userId', '=', userId)
    .where('provider', '=', 'linkedin')
    .executeTakeFirst();
  return Boolean(row?.declinedAt);
}

/** The owner is not asked again at a sign-in. */
export async function declinePublishing(db: Db, userId: string, now = databaseNow()): Promise<void> {
  await db
    .updateTable('identities')
    .set({ declinedAt: now })
    .where('userId', '=', userId)
    .where('provider', '=', 'linkedin')
    .execute();
}

/** The identity signs in no longer, and the owner is told. Refuses to take away the last way in. */
export async function unlinkIdentity(db: Db, actor: Actor, provider: Provider): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, actor.userId);
    const { identities, isOnlyOne } = await listSignInMethods(trx, actor);
    if (!identities.some((each) => each.provider === provider)) throw socialRefusal('not_linked');
    if (isOnlyOne) {
      const message = `${PROVIDER_NAMES[provider]} is your only way in. Choose a password first.`;
      throw new Refusal(409, 'last_way_in', message);
    }
    await trx
      .deleteFrom('identities')
      .where('userId', '=', actor.userId)
      .where('provider', '=', provider)
      .execute();
    const said = { provider: PROVIDER_NAMES[provider], url: securityUrl() };
    await mailUser(trx, actor.userId, 'signInUnlinked', said);
    emitEvent('identity_unlinked', { provider, userId: actor.userId }, trx);
  });
}
