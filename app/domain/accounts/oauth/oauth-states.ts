import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { OauthIntent, Provider } from '#app/db/tables/accounts.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { hashToken, randomToken } from '#app/domain/platform/secrets.ts';

export const STATE_LIFE_MS = 10 * 60_000;
/** Of one account, begun and not ended. */
const MOST_OPEN = 60;

/** What a browser goes to a provider for. `sessionId` is null when nobody was signed in to the account it is for. */
export type Journey = {
  provider: Provider;
  intent: OauthIntent;
  userId: string | null;
  sessionId: string | null;
  /** Where it goes afterwards, when it was on its way somewhere. */
  target: string | null;
  timeZone: string | null;
};

async function refuseMany(trx: Trx, userId: string, now: Date): Promise<void> {
  await trx.deleteFrom('oauthStates').where('userId', '=', userId).where('expiresAt', '<=', now).execute();
  const { open } = await trx
    .selectFrom('oauthStates')
    .select((eb) => eb.fn.countAll<string>().as('open'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  if (Number(open) < MOST_OPEN) return;
  const options = { retryAfter: STATE_LIFE_MS / 1000 };
  throw new Refusal(
    429,
    'rate_limited',
    'This was begun too often. Please try again in ten minutes.',
    options,
  );
}

/** Begins a journey and answers its state, of which only a hash is kept. */
export async function startOauthFlow(db: Db, journey: Journey, now = databaseNow()): Promise<string> {
  const state = randomToken();
  await transact(db, async (trx) => {
    if (journey.userId) await refuseMany(trx, journey.userId, now);
    const expiresAt = new Date(now.getTime() + STATE_LIFE_MS);
    await trx
      .insertInto('oauthStates')
      .values({ ...journey, stateHash: hashToken(state), expiresAt })
      .execute();
  });
  return state;
}

/**
 * The journey of this state, which is used up from here on; undefined when the state is unknown, used, expired, of the
 * other provider, or when the browser session in which the journey began is not the one that comes back.
 */
export async function finishOauthFlow(
  db: Db,
  { provider, state, sessionId }: { provider: Provider; state: string; sessionId: string | null },
  now = databaseNow(),
): Promise<Journey | undefined> {
  return db
    .updateTable('oauthStates')
    .set({ usedAt: now })
    .where('stateHash', '=', hashToken(state))
    .where('provider', '=', provider)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .where((eb) => eb.or([eb('sessionId', 'is', null), eb('sessionId', '=', sessionId)]))
    .returning(['provider', 'intent', 'userId', 'sessionId', 'target', 'timeZone'])
    .executeTakeFirst();
}

/** What the account has begun to connect comes to nothing. */
export async function deleteOauthStates(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('oauthStates').where('userId', '=', userId).execute();
}
