import { Buffer } from 'node:buffer';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { TwoStepTables } from '#app/db/tables/two-step.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import {
  CHALLENGE_LIFE_MS,
  consumeChallenge,
  refusePasskey,
  storeChallenge,
  webauthn,
} from './passkey-challenges.ts';
import type { RelyingParty } from './register-passkey.ts';

/** Without a user the passkey alone signs in; with one it is the second step. */
const challengeFor = (userId: string | null) =>
  ({ purpose: userId ? 'second-step' : 'sign-in', userId }) as const;

export async function requestPasskey(
  db: Db,
  userId: string | null,
  { id: rpID }: RelyingParty,
  now = databaseNow(),
) {
  const passkeys = userId
    ? await db
        .selectFrom('passkeys')
        .select(['credentialId', 'transports'])
        .where('userId', '=', userId)
        .execute()
    : [];
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID,
    timeout: CHALLENGE_LIFE_MS,
    userVerification: userId ? 'discouraged' : 'required',
    allowCredentials: passkeys.map(({ credentialId: id, transports }) => ({ id, transports })),
  });
  const { challenge } = options;
  return { options, challengeId: await storeChallenge(db, { challenge, ...challengeFor(userId) }, now) };
}

type Row = Selectable<TwoStepTables['passkeys']>;

async function verify(
  passkey: Row,
  response: AuthenticationResponseJSON,
  expected: RelyingParty & { challenge: string; isSoleFactor: boolean },
): Promise<number> {
  const { verifyAuthenticationResponse } = await webauthn();
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: expected.challenge,
    expectedOrigin: expected.origin,
    expectedRPID: expected.id,
    requireUserVerification: expected.isSoleFactor,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: Number(passkey.counter),
      transports: passkey.transports,
    },
  }).catch(() => undefined);
  if (!result?.verified) throw refusePasskey();
  return result.authenticationInfo.newCounter;
}

/** Checks the user that the passkey names. As the sole factor it has to name one. */
function namesUser(
  { userId }: Row,
  { response }: AuthenticationResponseJSON,
  isSoleFactor: boolean,
): boolean {
  const userHandle = response.userHandle;
  return userHandle ? Buffer.from(userHandle, 'base64url').toString() === userId : !isSoleFactor;
}

type PasskeyInput = { challengeId: string; response: AuthenticationResponseJSON };

/** Returns the user whom the passkey signs in. With `userId` only that user's passkeys are valid. */
export async function checkPasskey(
  db: Db,
  userId: string | null,
  passkey: PasskeyInput,
  rp: RelyingParty,
  now = databaseNow(),
): Promise<{ userId: string }> {
  try {
    return await verifyPasskey(db, userId, passkey, rp, now);
  } catch (error) {
    if (error instanceof Refusal) emitEvent('sign_in_failed', { userId, reason: 'passkey' });
    throw error;
  }
}

async function verifyPasskey(
  db: Db,
  userId: string | null,
  { challengeId, response }: PasskeyInput,
  rp: RelyingParty,
  now: Date,
): Promise<{ userId: string }> {
  const isSoleFactor = userId === null;
  const challenge = await consumeChallenge(db, challengeId, challengeFor(userId), now);
  const passkey = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('credentialId', '=', response.id)
    .$if(!isSoleFactor, (query) => query.where('userId', '=', userId!))
    .executeTakeFirst();
  if (!passkey || !namesUser(passkey, response, isSoleFactor)) throw refusePasskey();
  const counter = await verify(passkey, response, { ...rp, challenge, isSoleFactor });
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: now })
    .where('id', '=', passkey.id)
    .where('counter', '=', passkey.counter)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw refusePasskey();
  emitEvent('second_step', { userId: passkey.userId, means: 'passkey' });
  return { userId: passkey.userId };
}
