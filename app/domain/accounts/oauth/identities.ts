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

/** An identity that a provider has confirmed. `subject` is the provider's id of the user. */
export type VerifiedIdentity = {
  provider: Provider;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string;
};

/** How long a new identity waits until the owner of its address signs in and confirms it. */
const PENDING_MS = 30 * 60_000;

export const socialRefusal = (code: SocialError, status: 400 | 409 | 502 = 409) =>
  new Refusal(status, code, SOCIAL_ERRORS[code]);

export type IdentitySignIn =
  | { kind: 'known' | 'new'; userId: string }
  /** The address has an account: its owner has to sign in first. */
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

async function storeIdentity(
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

/** An unknown identity with an unused, verified address creates an account; an address alone never signs in. */
export async function signInWithIdentity(
  db: Db,
  identity: VerifiedIdentity,
  { timeZone, now = databaseNow() }: { timeZone: string | null; now?: Date },
): Promise<IdentitySignIn> {
  const ownerId = await findOwner(db, identity);
  if (ownerId) return { kind: 'known', userId: ownerId };
  const email = ProviderEmail.safeParse(identity.email).data;
  if (!email || !identity.isEmailVerified) throw socialRefusal('email_unverified');
  return transact(db, async (trx) => {
    await lockAttempts(trx, email, undefined);
    const name = providerName(identity.name) ?? email.split('@')[0]!;
    const account = { email, name, passwordHash: null, timeZone: timeZone ?? 'UTC' };
    const userId = await completeSignUp(trx, account, now);
    if (userId) {
      await storeIdentity(trx, userId, identity, email, now);
      return { kind: 'new', userId };
    }
    return storePendingIdentity(trx, identity, email, now);
  });
}

async function storePendingIdentity(
  trx: Trx,
  identity: VerifiedIdentity,
  email: string,
  now: Date,
): Promise<IdentitySignIn> {
  const { provider, subject } = identity;
  const ownerId = await findOwner(trx, identity);
  if (ownerId) return { kind: 'known', userId: ownerId };
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

export const findPending = (db: Db, id: string, now = databaseNow()) =>
  db
    .selectFrom('pendingIdentities')
    .select(['id', 'provider', 'subject', 'email', 'userId'])
    .where('id', '=', id)
    .where('expiresAt', '>', now)
    .executeTakeFirst();

/** Links an identity that waited for the owner's confirmation. Throws a Refusal for any other user. */
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

/** Links an identity to the actor's account and notifies the owner. Throws a Refusal when it belongs to another account. */
export async function linkIdentity(
  db: Db,
  { userId, sessionId }: SignedIn,
  identity: VerifiedIdentity,
  now = databaseNow(),
): Promise<void> {
  await transact(db, async (trx) => {
    await lockUser(trx, userId);
    await requireSession(trx, sessionId);
    const owner = await findOwner(trx, identity);
    if (owner === userId) return;
    if (owner) throw socialRefusal('identity_taken');
    const email = ProviderEmail.safeParse(identity.email).data ?? null;
    try {
      await storeIdentity(trx, userId, identity, email, now);
    } catch (error) {
      const { constraint } = error as { constraint?: string };
      if (constraint === 'identities_one_of_each_provider') throw socialRefusal('has_another');
      throw constraint === 'identities_pkey' ? socialRefusal('identity_taken') : error;
    }
    const provider = PROVIDER_NAMES[identity.provider];
    await mailUser(trx, userId, 'signInLinked', { provider, as: email, url: securityUrl() });
  });
}

/** A passkey is a sign-in method of its own. */
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

export async function hasDeclinedPublishing(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('identities')
    .select('declinedAt')
    .where('userId', '=', userId)
    .where('provider', '=', 'linkedin')
    .executeTakeFirst();
  return Boolean(row?.declinedAt);
}

export async function declinePublishing(db: Db, userId: string, now = databaseNow()): Promise<void> {
  await db
    .updateTable('identities')
    .set({ declinedAt: now })
    .where('userId', '=', userId)
    .where('provider', '=', 'linkedin')
    .execute();
}

/** Unlinks an identity and notifies the owner. Throws a Refusal for the last sign-in method. */
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
    const data = { provider: PROVIDER_NAMES[provider], url: securityUrl() };
    await mailUser(trx, actor.userId, 'signInUnlinked', data);
    emitEvent('identity_unlinked', { provider, userId: actor.userId }, trx);
  });
}
