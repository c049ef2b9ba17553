import { type Db, transact } from '#app/db/client.ts';
import { databaseTime } from '#app/db/clock.ts';
import { requireEnabled } from '#app/domain/accounts/lifecycle/disable.ts';
import { lockUser } from '#app/domain/accounts/users.ts';
import { clearClientFault, reportClientFault } from '#app/domain/linkedin/access/client-alert.ts';
import { sealTokens } from '#app/domain/linkedin/access/sealed-tokens.ts';
import { isUserConnected } from '#app/domain/linkedin/connection.ts';
import { CONNECT_ERRORS, type ConnectError, POSTING_SCOPE } from '#app/domain/linkedin/schema.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { enqueue, jobs } from '#app/domain/platform/jobs.ts';
import { Refusal, type RefusalStatus } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { RemoteUncertain, RemoteUnreachable } from '#app/integrations/http/call.ts';
import {
  exchangeCode,
  fetchProfile,
  isClientFault,
  LINKEDIN_SCOPES,
  type LinkedInProfile,
  LinkedInRefused,
  type LinkedInTokens,
  TOKEN_PROPAGATION_MS,
} from '#app/integrations/linkedin/oauth.ts';

export type Scope = (typeof LINKEDIN_SCOPES)[number];

export type Member = { tokens: LinkedInTokens; profile: LinkedInProfile };

export const linkedInRedirectUri = () => `${env().APP_URL}/auth/linkedin/callback`;

const refusal = (code: ConnectError, status: RefusalStatus = 409) =>
  new Refusal(status, code, CONNECT_ERRORS[code]);

export const scopesOf = ({ tokens }: Member): string[] => tokens.scopes ?? [...LINKEDIN_SCOPES];

/** Throws a Refusal without the posting scope, for a member of another account, and for a disabled account. */
export async function connectMember(db: Db, userId: string, member: Member, now?: Date): Promise<void> {
  const scopes = scopesOf(member);
  if (!scopes.includes(POSTING_SCOPE)) throw refusal('scope_missing');
  await saveConnection(db, userId, { ...member.tokens, scopes }, member.profile, now);
}

export async function fetchMember(db: Db, code: string): Promise<Member> {
  return mapRemoteErrors(async () => {
    const tokens = await tokensFor(db, code);
    return { tokens, profile: await fetchProfileOfNewToken(tokens.accessToken) };
  });
}

async function mapRemoteErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isRemote = [LinkedInRefused, RemoteUncertain, RemoteUnreachable].some(
      (kind) => error instanceof kind,
    );
    throw isRemote ? Object.assign(refusal('connect_failed', 502), { cause: error }) : error;
  }
}

async function tokensFor(db: Db, code: string): Promise<LinkedInTokens> {
  try {
    const tokens = await exchangeCode({ code, redirectUri: linkedInRedirectUri() });
    await clearClientFault(db);
    return tokens;
  } catch (error) {
    if (error instanceof LinkedInRefused && isClientFault(error)) await reportClientFault(db, error);
    throw error;
  }
}

/** The API host may not know a new token yet, so a 401 is retried once. */
async function fetchProfileOfNewToken(accessToken: string): Promise<LinkedInProfile> {
  try {
    return await fetchProfile(accessToken);
  } catch (error) {
    if (!(error instanceof LinkedInRefused) || error.status !== 401) throw error;
    await new Promise((resolve) => setTimeout(resolve, TOKEN_PROPAGATION_MS));
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
  const expiries = { expiresAt, refreshExpiresAt };
  const values = { memberId, name, email, picture, scopes, ...expiries, ...sealTokens(userId, tokens) };
  try {
    await transact(db, async (trx) => {
      // The lock waits until posts that are being sent as the current member are out.
      await lockUser(trx, userId);
      await requireEnabled(trx, userId);
      const at = now ?? (await databaseTime(trx));
      const columns = { ...values, connectedAt: at, status: 'alive' as const };
      const isAlive = await isUserConnected(trx, userId, at);
      const resumeColumns = isAlive ? {} : { resumedAt: at, resumeChoice: null };
      await trx
        .insertInto('linkedinConnections')
        .values({ ...columns, ...resumeColumns, userId })
        .onConflict((conflict) => conflict.column('userId').doUpdateSet({ ...columns, ...resumeColumns }))
        .execute();
      await enqueue(trx, jobs.refitQueue, { userId });
      emitEvent('linkedin_connected', { userId }, trx);
    });
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    throw constraint === 'linkedin_connections_member_id_key' ? refusal('member_taken') : error;
  }
}
