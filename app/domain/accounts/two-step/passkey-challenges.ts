import type { Db } from '#app/db/client.ts';
import type { PasskeyPurpose } from '#app/db/tables/two-step.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';

/** What is asked may be answered so long, in milliseconds: browsers are told, and the database holds them to it. */
export const ANSWER_WITHIN_MS = 5 * 60_000;

/** What asks and checks takes 20 MB and a tenth of the start of a process: the first passkey loads it. */
export const webauthn = () => import('@simplewebauthn/server');

export type ChallengePurpose = { purpose: PasskeyPurpose; userId: string | null };

export const refusePasskey = () =>
  new Refusal(400, 'invalid_passkey', 'This passkey could not be checked. Please try again.');

/** Remembers what a browser is asked to sign. Answers the id, which that browser alone is told. */
export async function storeChallenge(
  db: Db,
  asked: ChallengePurpose & { challenge: string },
  now: Date,
): Promise<string> {
  const { id } = await db
    .insertInto('passkeyChallenges')
    .values({ ...asked, createdAt: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** What the browser was asked to sign, once: there is no second answer to it. */
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
    .where('createdAt', '>', new Date(now.getTime() - ANSWER_WITHIN_MS))
    .returning('challenge')
    .executeTakeFirst();
  if (!row) throw refusePasskey();
  return row.challenge;
}
