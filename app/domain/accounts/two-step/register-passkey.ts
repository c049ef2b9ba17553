import { Buffer } from 'node:buffer';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { type Db, transact } from '#app/db/client.ts';
import { PASSKEYS_MAX } from '#app/domain/accounts/limits.ts';
import { requireSession, type SignedIn } from '#app/domain/accounts/sign-in/sessions.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import {
  CHALLENGE_LIFE_MS,
  consumeChallenge,
  refusePasskey,
  storeChallenge,
  webauthn,
} from './passkey-challenges.ts';
import { recordFactorAdded } from './two-step.ts';

/** Ed25519, ES256, RS256. Listed, because the library's detection of newer ones uses an experimental part of Node. */
const ALGORITHMS = [-8, -7, -257];

/** `id` is the host, `origin` includes scheme and port. */
export type RelyingParty = { id: string; origin: string };

export async function beginPasskey(db: Db, actor: Actor, { id: rpID }: RelyingParty, now = databaseNow()) {
  const { userId } = actor;
  const existing = await db
    .selectFrom('passkeys')
    .select(['credentialId', 'transports'])
    .where('userId', '=', userId)
    .execute();
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: 'Tidepost',
    rpID,
    userName: actor.email,
    userDisplayName: actor.name,
    userID: new Uint8Array(Buffer.from(userId)),
    timeout: CHALLENGE_LIFE_MS,
    excludeCredentials: existing.map(({ credentialId: id, transports }) => ({ id, transports })),
    supportedAlgorithmIDs: ALGORITHMS,
    // Lets the browser find the passkey without an account name, and identifies the user.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const { challenge } = options;
  return { options, challengeId: await storeChallenge(db, { challenge, purpose: 'add', userId }, now) };
}

type NewPasskey = { name: string; challengeId: string; response: RegistrationResponseJSON };

async function verify(response: RegistrationResponseJSON, challenge: string, rp: RelyingParty) {
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) throw refusePasskey();
  return registrationInfo.credential;
}

export async function addPasskey(
  db: Db,
  { userId, sessionId }: SignedIn,
  { name, challengeId, response }: NewPasskey,
  rp: RelyingParty,
  now = databaseNow(),
): Promise<string[] | null> {
  const challenge = await consumeChallenge(db, challengeId, { purpose: 'add', userId }, now);
  const { id: credentialId, publicKey, counter, transports = [] } = await verify(response, challenge, rp);
  return transact(db, async (trx) => {
    await lockUser(trx, userId);
    await requireSession(trx, sessionId);
    const { passkeys } = await trx
      .selectFrom('passkeys')
      .select((eb) => eb.fn.countAll<string>().as('passkeys'))
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    if (Number(passkeys) >= PASSKEYS_MAX) {
      const message = `You can have at most ${PASSKEYS_MAX} passkeys. Remove one you no longer use.`;
      throw new Refusal(409, 'too_many_passkeys', message);
    }
    const inserted = await trx
      .insertInto('passkeys')
      .values({
        userId,
        name,
        credentialId,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports,
        createdAt: now,
      })
      .onConflict((conflict) => conflict.column('credentialId').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw refusePasskey();
    const message = `A passkey named "${name}" was added to your account.`;
    return recordFactorAdded(trx, userId, { means: 'passkey', message });
  });
}
