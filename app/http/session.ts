import { type MiddlewareFunction, type RouterContextProvider, redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { createSession, endSession, findSession, SESSION_DAYS } from '#app/domain/accounts/sessions.ts';
import type { Actor } from '#app/domain/actor.ts';
import { ourCookie } from './our-cookie.ts';

const sessionCookie = () => ourCookie('tidepost', { maxAge: SESSION_DAYS * 86_400 });

async function readToken(request: Request): Promise<string | null> {
  const value = await sessionCookie().parse(request.headers.get('Cookie'));
  return typeof value === 'string' ? value : null;
}

/** Page middleware: finds out who the browser is signed in as. */
export const readSession: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const token = await readToken(request);
  const cameAt = new Date();
  const session = token ? await findSession(db(), token, 'web', cameAt) : undefined;
  context.set(viewerContext, session ? { actor: session.actor, sessionId: session.sessionId, cameAt } : null);
  const response = await next();
  const { name, serialize } = sessionCookie();
  const isSet = response.headers.getSetCookie().some((line) => line.startsWith(`${name}=`));
  if (session?.isSlid && !isSet) response.headers.append('Set-Cookie', await serialize(token));
  return response;
};

/** Signs a browser in: a new session, the old one ended, and the redirect that sets the cookie. */
export async function signIn(request: Request, userId: string, to: string): Promise<Response> {
  const previous = await readToken(request);
  if (previous) await endSession(db(), previous);
  const { token } = await createSession(db(), userId, 'web', request.headers.get('User-Agent') ?? '');
  return redirect(to, { headers: { 'Set-Cookie': await sessionCookie().serialize(token) } });
}

/** Signs a browser out, on the server and in the browser. */
export async function signOut(request: Request, to: string): Promise<Response> {
  const token = await readToken(request);
  if (token) await endSession(db(), token);
  return redirect(to, { headers: { 'Set-Cookie': await sessionCookie().serialize('', { maxAge: 0 }) } });
}

function viewerOf(context: Readonly<RouterContextProvider>) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw redirect('/login');
  return viewer;
}

/** Who asks, on a route behind `requireUser`. */
export const actorOf = (context: Readonly<RouterContextProvider>): Actor => viewerOf(context).actor;

/** Who asks, and the moment at which a page and its frame look: what both of them read is then read once. */
export function askerOf(context: Readonly<RouterContextProvider>): { actor: Actor; now: Date } {
  const { actor, cameAt } = viewerOf(context);
  return { actor, now: cameAt };
}
