import { createCookie } from 'react-router';
import type { Db } from '#app/db/client.ts';
import { createSession, findSession, type SignedIn } from '#app/domain/accounts/sign-in/sessions.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { Browser } from './browser.ts';

/** A bearer token of the actor. */
export const tokenOf = async (db: Db, actor: Actor) =>
  (await createSession(db, actor.userId, 'api', 'made for a test')).token;

/** The actor in a session of their own. */
export async function inSession<A extends Pick<Actor, 'userId'>>(db: Db, actor: A): Promise<A & SignedIn> {
  const { token } = await createSession(db, actor.userId, 'api', 'made for a test');
  const { sessionId } = (await findSession(db, token, 'api'))!;
  return { ...actor, sessionId };
}

/** A browser without scripts in which the actor is signed in. */
export async function browserOf(db: Db, actor: Actor, origin: string): Promise<Browser> {
  const { token } = await createSession(db, actor.userId, 'web', 'made for a test');
  const line = await createCookie('tidepost').serialize(token);
  const browser = new Browser(origin);
  browser.cookies.set('tidepost', line.slice('tidepost='.length).split(';')[0]!);
  return browser;
}
