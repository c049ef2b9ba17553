import { type Db, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { enqueue, jobs } from '#app/domain/jobs.ts';
import { Refusal, type RefusalStatus } from '#app/domain/refusal.ts';
import { hashToken, randomToken } from '#app/domain/secrets.ts';
import { env } from '#app/env.ts';
import { RemoteUncertain, RemoteUnreachable } from '#app/integrations/http.ts';
import {
  authorizeUrl,
  exchangeCode,
  fetchProfile,
  isClientFault,
  LINKEDIN_SCOPES,
  type LinkedInProfile,
  LinkedInRefused,
  type LinkedInTokens,
  TOKEN_SETTLES_MS,
} from '#app/integrations/linkedin.ts';
import { clearClientFault, reportClientFault } from './client-fault.ts';
import { isUserConnected } from './connection.ts';
import { CONNECT_ERRORS, type ConnectError, type LinkedInReturn, POSTING_SCOPE } from './schema.ts';
import { sealTokens } from './sealed-tokens.ts';

const STATE_LIFE_MS = 10 * 60_000;
const MOST_OPEN_STATES = 60;

type Viewer = { actor: Actor; sessionId: string };

/** A part of the permission that we ask for, by LinkedIn's own name for it. */
export type Scope = (typeof LINKEDIN_SCOPES)[number];

const redirectUri = () => `${env().APP_URL}/auth/linkedin/callback`;

const refusal = (code: ConnectError, status: RefusalStatus = 409) =>
  new Refusal(status, code, CONNECT_ERRORS[code]);

/**
 * Begins connecting and answers where the browser goes. `sessionId` is the browser session that began, to
 * which the way back is bound; null when it was begun through the API.
 */
export async function startConnecting(
  db: Db,
  actor: Actor,
  { sessionId }: { sessionId: string | null },
  now = new Date(),
): Promise<string> {
  const { userId } = actor;
  const state = randomToken();
  await transact(db, async (trx) => {
    await trx.deleteFrom('oauthStates').where('userId', '=', userId).where('expiresAt', '<=', now).execute();
    const { open } = await trx
      .selectFrom('oauthStates')
      .select((eb) => eb.fn.countAll<string>().as('open'))
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    if (Number(open) >= MOST_OPEN_STATES) {
      const options = { retryAfter: STATE_LIFE_MS / 1000 };
      throw new Refusal(429, 'rate_limited', 'Failed to initiate LinkedIn connection', options);
    }
    const expiresAt = new Date(now.getTime() + STATE_LIFE_MS);
    await trx
      .insertInto('oauthStates')
      .values({ stateHash: hashToken(state), userId, sessionId, expiresAt })
      .execute();
  });
  return authorizeUrl({ state, redirectUri: redirectUri() });
}

/**
 * Completes what `startConnecting` began. `viewer` is who the returning browser is signed in as. A state
 * that is unknown, used, expired or somebody else's is refused before LinkedIn is asked for anything.
 */
export async function finishConnecting(
  db: Db,
  { state, code, error }: LinkedInReturn,
  viewer: Viewer | null,
  now?: Date,
): Promise<{ userId: string; memberId: string }> {
  const userId = await claimState(db, state, viewer, now);
  if (error) {
    throw /^(access_denied$|user_cancelled_)/.test(error)
      ? refusal('access_denied')
      : refusal('connect_failed', 502);
  }
  if (!code) throw refusal('connect_failed', 400);
  const { tokens, profile } = await askLinkedIn(db, code);
  const scopes = tokens.scopes ?? [...LINKEDIN_SCOPES];
  if (!scopes.includes(POSTING_SCOPE)) throw refusal('scope_missing');
  await saveConnection(db, userId, { ...tokens, scopes }, profile, now);
  return { userId, memberId: profile.sub };
}

/** Whose state it is; from here on it is used up. */
async function claimState(
  db: Db,
  state: string | undefined,
  viewer: Viewer | null,
  now = new Date(),
): Promise<string> {
  const claimed = await db
    .updateTable('oauthStates')
    .set({ usedAt: now })
    .where('stateHash', '=', hashToken(state ?? ''))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .where((eb) => {
      const isFromApi = eb('sessionId', 'is', null);
      if (!viewer) return isFromApi;
      const isOwn = eb('userId', '=', viewer.actor.userId);
      return eb.and([isOwn, eb.or([isFromApi, eb('sessionId', '=', viewer.sessionId)])]);
    })
    .returning('userId')
    .executeTakeFirst();
  if (!claimed) throw refusal('state_invalid', 400);
  return claimed.userId;
}

async function askLinkedIn(
  db: Db,
  code: string,
): Promise<{ tokens: LinkedInTokens; profile: LinkedInProfile }> {
  try {
    const tokens = await tokensFor(db, code);
    return { tokens, profile: await fetchProfileOfFresh(tokens.accessToken) };
  } catch (error) {
    const isRemote = [LinkedInRefused, RemoteUncertain, RemoteUnreachable].some(
      (kind) => error instanceof kind,
    );
    throw isRemote ? Object.assign(refusal('connect_failed', 502), { cause: error }) : error;
  }
}

async function tokensFor(db: Db, code: string): Promise<LinkedInTokens> {
  try {
    const tokens = await exchangeCode({ code, redirectUri: redirectUri() });
    await clearClientFault(db);
    return tokens;
  } catch (error) {
    if (error instanceof LinkedInRefused && isClientFault(error)) await reportClientFault(db, error);
    throw error;
  }
}

/** A token that is seconds old can still be unknown to the API host, so a 401 is asked about once more. */
async function fetchProfileOfFresh(accessToken: string): Promise<LinkedInProfile> {
  try {
    return await fetchProfile(accessToken);
  } catch (error) {
    if (!(error instanceof LinkedInRefused) || error.status !== 401) throw error;
    await new Promise((resolve) => setTimeout(resolve, TOKEN_SETTLES_MS));
    return fetchProfile(accessToken);
  }
}

async function saveConnection(
  db: Db,
  userId: string,
  tokens: LinkedInTokens & { scopes: string[] },
  profile: LinkedInProfile,
  now?: Date,
): Promise<void> {
  const { sub: memberId, name, email, picture } = profile;
  const { scopes, expiresAt, refreshExpiresAt } = tokens;
  const ends = { expiresAt, refreshExpiresAt };
  const values = { memberId, name, email, picture, scopes, ...ends, ...sealTokens(userId, tokens) };
  try {
    await transact(db, async (trx) => {
      // What is being sent goes out as the member it was prepared for, before that changes.
      await lockUser(trx, userId);
      const at = now ?? (await databaseTime(trx));
      const fresh = { ...values, connectedAt: at, status: 'alive' as const };
      const isAlive = await isUserConnected(trx, userId, at);
      const resumed = isAlive ? {} : { resumedAt: at, resumeChoice: null };
      await trx
        .insertInto('linkedinConnections')
        .values({ ...fresh, ...resumed, userId })
        .onConflict((conflict) => conflict.column('userId').doUpdateSet({ ...fresh, ...resumed }))
        .execute();
      await enqueue(trx, jobs.refitQueue, { userId });
    });
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    throw constraint === 'linkedin_connections_member_id_key' ? refusal('member_taken') : error;
  }
}
