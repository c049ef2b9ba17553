import { randomUUID } from 'node:crypto';
import type { Insertable, Updateable } from 'kysely';
import type { Db } from '#app/db/client.ts';
import type { Database } from '#app/db/tables.ts';
import { connectMember, fetchMember, linkedInRedirectUri } from '#app/domain/linkedin/connect/connect.ts';
import { withAccessToken } from '#app/domain/linkedin/connection.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { randomToken } from '#app/domain/platform/secrets.ts';
import { env } from '#app/env.ts';
import { authorizeUrl } from '#app/integrations/linkedin/oauth.ts';

/**
 * What the member's browser does with an authorize address: agrees at the sandbox as `email`, or cancels.
 * Answers the query it is sent back with.
 */
export async function consent(authUrl: string, email: string, decision: 'allow' | 'cancel' = 'allow') {
  const url = new URL(authUrl);
  const body = new URLSearchParams(url.searchParams);
  body.set('email', email);
  body.set('decision', decision);
  const answer = await fetch(url.origin + url.pathname, { method: 'POST', body, redirect: 'manual' });
  const back = new URL(answer.headers.get('Location') ?? '');
  const { state, code, error } = Object.fromEntries(back.searchParams);
  return { state, code, error };
}

/** A member of the sandbox lets us in, as a browser would do it. */
export async function askedMember(db: Db, email: string) {
  const authUrl = authorizeUrl({ state: randomToken(), redirectUri: linkedInRedirectUri() });
  const { code = '' } = await consent(authUrl, email);
  return fetchMember(db, code);
}

/**
 * Connects the actor to a member of the sandbox; every call makes another member. The process must be configured for that
 * sandbox (`startOutside`).
 */
export async function connectLinkedIn(
  db: Db,
  actor: Actor,
  sandboxUrl: string,
  email = `${randomUUID()}@members.example`,
): Promise<{ memberSub: string }> {
  if (!env().LINKEDIN_AUTH_URL.startsWith(sandboxUrl))
    throw new Error('This process is not configured for that sandbox');
  const member = await askedMember(db, email);
  await connectMember(db, actor.userId, member);
  return { memberSub: member.profile.sub };
}

/** The urn of the member that the user is connected as. */
export const authorOf = async (db: Db, userId: string) => (await withAccessToken(db, userId))!.authorUrn;

const MONTH_MS = 30 * 86_400_000;

/** LinkedIn is connected, as far as we know: a row alone, of which no call can be made. */
export const makeConnection = (
  db: Db,
  { userId }: Actor,
  change: Partial<Insertable<Database['linkedinConnections']>> = {},
) =>
  db
    .insertInto('linkedinConnections')
    .values({
      userId,
      memberId: userId,
      name: 'Ada',
      scopes: [],
      accessTokenSealed: 'sealed',
      expiresAt: new Date(Date.now() + MONTH_MS),
      ...change,
    })
    .execute();

/** What we know of the connection of the user from now on. */
export const setConnection = (
  db: Db,
  { userId }: { userId: string },
  change: Updateable<Database['linkedinConnections']>,
) => db.updateTable('linkedinConnections').set(change).where('userId', '=', userId).execute();
