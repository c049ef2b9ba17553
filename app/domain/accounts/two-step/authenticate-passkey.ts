import { Buffer } from 'node:buffer';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { TwoStepTables } from '#app/db/tables/two-step.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import {
  ANSWER_WITHIN_MS,
  consumeChallenge,
  refusePasskey,
  storeChallenge,
  webauthn,
} from './passkey-challenges.ts';
import type { RelyingParty } from './register-passkey.ts';

/** Without a user the passkey says who signs in, and proves by itself that it is they; with one it is the second step. */
const challengeFor = (userId: string | null) =>
  ({ purpose: userId ? 'second-step' : 'sign-in', userId }) as const;

/** What a browser is asked that signs in with a passkey, and the id of the challenge in it. */
export async function requestPasskey(
  db: Db,
  userId: string | null,
  { id: rpID }: RelyingParty,
  now = databaseNow(),
) {
  const own = userId
    ? await db
        .selectFrom('passkeys')
        .select(['credentialId', 'transports'])
        .where('userId', '=', userId)
        .execute()
    : [];
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID,
    timeout: ANSWER_WITHIN_MS,
    userVerification: userId ? 'discouraged' : 'required',
    allowCredentials: own.map(({ credentialId: id, transports }) => ({ id, transports })),
  });
  const { challenge } = options;
  return { options, challengeId: await storeChallenge(db, { challenge, ...challengeFor(userId) }, now) };
}

type Row = Selectable<TwoStepTables['passkeys']>;

async function verify(
  passkey: Row,
  response: AuthenticationResponseJSON,
  expected: RelyingParty & { challenge: string; isAlone: boolean },
): Promise<number> {
  const { verifyAuthenticationResponse } = await webauthn();
  const answer = await verifyAuthenticationResponse({
    response,
    expectedChallenge: expected.challenge,
    expectedOrigin: expected.origin,
    expectedRPID: expected.id,
    requireUserVerification: expected.isAlone,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: Number(passkey.counter),
      transports: passkey.transports,
    },
  }).catch(() => undefined);
  if (!answer?.verified) throw refusePasskey();
  return answer.authenticationInfo.newCounter;
}

/** Whether the passkey names the account that it was made for. It must when nobody else does. */
function isNamed({ userId }: Row, { response }: AuthenticationResponseJSON, isAlone: boolean): boolean {
  const named = response.userHandle;
  return named ? Buffer.from(named, 'base64url').toString() === userId : !isAlone;
}

type Used = { challengeId: string; response: AuthenticationResponseJSON };

/** Who signs in with this passkey: without a `userId` whoever it says, else that user as their second step. */
export async function checkPasskey(
  db: Db,
  userId: string | null,
  used: Used,
  rp: RelyingParty,
  now = databaseNow(),
): Promise<{ userId: string }> {
  try {
    return await passByPasskey(db, userId, used, rp, now);
  } catch (error) {
    if (error instanceof Refusal) emitEvent('sign_in_failed', { userId, reason: 'passkey' });
    throw error;
  }
}

async function passByPasskey(
  db: Db,
  userId: string | null,
  { challengeId, response }: Used,
  rp: RelyingParty,
  now: Date,
): Promise<{ userId: string }> {
  const isAlone = userId === null;
  const challenge = await consumeChallenge(db, challengeId, challengeFor(userId), now);
  const passkey = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('credentialId', '=', response.id)
    .$if(!isAlone, (query) => query.where('userId', '=', userId!))
    .executeTakeFirst();
  if (!passkey || !isNamed(passkey, response, isAlone)) throw refusePasskey();
  const counter = await verify(passkey, response, { ...rp, challenge, isAlone });
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
