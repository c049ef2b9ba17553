import { type Db, type Trx, transact } from '#app/db/client.ts';
import type { OauthIntent, Provider } from '#app/db/tables/accounts.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { hashToken, randomToken } from '#app/domain/platform/secrets.ts';

export const STATE_LIFE_MS = 10 * 60_000;
const OPEN_MAX = 60;

/** What an OAuth flow was started for. `sessionId` is null when it started signed out. */
export type OauthFlow = {
  provider: Provider;
  intent: OauthIntent;
  userId: string | null;
  sessionId: string | null;
  target: string | null;
  timeZone: string | null;
};

async function limitOpenFlows(trx: Trx, userId: string, now: Date): Promise<void> {
  await trx.deleteFrom('oauthStates').where('userId', '=', userId).where('expiresAt', '<=', now).execute();
  const { open } = await trx
    .selectFrom('oauthStates')
    .select((eb) => eb.fn.countAll<string>().as('open'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  if (Number(open) < OPEN_MAX) return;
  const options = { retryAfter: STATE_LIFE_MS / 1000 };
  throw new Refusal(
    429,
    'rate_limited',
    'This was begun too often. Please try again in ten minutes.',
    options,
  );
}

/** Returns the flow's state; only its hash is stored. */
export async function startOauthFlow(db: Db, flow: OauthFlow, now = databaseNow()): Promise<string> {
  const state = randomToken();
  await transact(db, async (trx) => {
    if (flow.userId) await limitOpenFlows(trx, flow.userId, now);
    const expiresAt = new Date(now.getTime() + STATE_LIFE_MS);
    await trx
      .insertInto('oauthStates')
      .values({ ...flow, stateHash: hashToken(state), expiresAt })
      .execute();
  });
  return state;
}

/** Returns undefined when the state is unknown, used, expired, or of another provider or session. */
export async function finishOauthFlow(
  db: Db,
  { provider, state, sessionId }: { provider: Provider; state: string; sessionId: string | null },
  now = databaseNow(),
): Promise<OauthFlow | undefined> {
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

export async function deleteOauthStates(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('oauthStates').where('userId', '=', userId).execute();
}
