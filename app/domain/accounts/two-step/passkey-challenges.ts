import type { Db } from '#app/db/client.ts';
import type { PasskeyPurpose } from '#app/db/tables/two-step.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';

/** How long a challenge is valid; also the browser's timeout. */
export const CHALLENGE_LIFE_MS = 5 * 60_000;

/** The library needs 20 MB and a tenth of the start-up time, so the first passkey loads it. */
export const webauthn = () => import('@simplewebauthn/server');

export type ChallengePurpose = { purpose: PasskeyPurpose; userId: string | null };

export const refusePasskey = () =>
  new Refusal(400, 'invalid_passkey', 'This passkey could not be checked. Please try again.');

export async function storeChallenge(
  db: Db,
  challenge: ChallengePurpose & { challenge: string },
  now: Date,
): Promise<string> {
  const { id } = await db
    .insertInto('passkeyChallenges')
    .values({ ...challenge, createdAt: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function consumeChallenge(
  db: Db,
  id: string,
  { purpose, userId }: ChallengePurpose,
  now: Date,
): Promise<string> {
  const row = await db
    .deleteFrom('passkeyChallenges')
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('userId', 'is not distinct from', userId)
    .where('createdAt', '>', new Date(now.getTime() - CHALLENGE_LIFE_MS))
    .returning('challenge')
    .executeTakeFirst();
  if (!row) throw refusePasskey();
  return row.challenge;
}
