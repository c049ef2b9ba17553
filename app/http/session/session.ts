import {
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
  redirectDocument,
} from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import {
  createSession,
  endSession,
  findSession,
  openApiSession,
  type SignedIn,
} from '#app/domain/accounts/sign-in/sessions.ts';
import { hasSecondStep, requireSecondStep } from '#app/domain/accounts/two-step/verify.ts';
import { getShellState, type ShellState } from '#app/domain/pages/shell.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { emitEvent, setEventUser } from '#app/domain/platform/events.ts';
import { clientNetwork } from '#app/http/client-ip.ts';
import { ourCookie } from './cookie.ts';
import { clearReturnTo } from './return-to-cookie.ts';
import { rememberFirstStep } from './second-step-cookie.ts';
import { noteBrowser } from './trusted-browser.ts';

/** The browser keeps the cookie as long as the session lasts. */
const sessionCookie = (expiresAt = databaseNow()) =>
  ourCookie('tidepost', {
    maxAge: Math.max(0, Math.floor((expiresAt.getTime() - databaseNow().getTime()) / 1000)),
  });

async function readToken(request: Request): Promise<string | null> {
  const value = await sessionCookie().parse(request.headers.get('Cookie'));
  return typeof value === 'string' ? value : null;
}

/** Page middleware: finds out who the browser is signed in as. */
export const readSession: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const token = await readToken(request);
  const cameAt = databaseNow();
  const session = token ? await findSession(db(), token, 'web', cameAt) : undefined;
  if (session) setEventUser(session.actor.userId);
  context.set(viewerContext, session ? { ...session, cameAt } : null);
  const response = await next();
  if (!session?.isExtended) return response;
  const { name, serialize } = sessionCookie(session.expiresAt ?? undefined);
  const isSet = response.headers.getSetCookie().some((line) => line.startsWith(`${name}=`));
  if (!isSet) response.headers.append('Set-Cookie', await serialize(token));
  return response;
};

const userAgentOf = (request: Request) => request.headers.get('User-Agent') ?? '';

/** `isPassed`: the second step was made. `passwordHash`: the first one was made by knowing this password. */
type Steps = { isPassed?: boolean; passwordHash?: string | undefined };

/**
 * Signs a browser in: a new session, the old one ended, and the redirect that sets the cookie. Who signs in in two
 * steps is asked for the second one first.
 */
export async function signIn(
  request: Request,
  userId: string,
  to: string,
  { isPassed = false, passwordHash }: Steps = {},
): Promise<Response> {
  if (!isPassed && (await hasSecondStep(db(), userId))) return rememberFirstStep(userId, to, passwordHash);
  const previous = await readToken(request);
  const from = { ipPrefix: clientNetwork(request), passwordHash };
  const made = await createSession(db(), userId, 'web', userAgentOf(request), databaseNow(), from);
  const { token, expiresAt } = made;
  if (previous) await endSession(db(), previous);
  emitEvent('sign_in', { userId, door: 'web' });
  // What a page of somebody else has in memory goes with it.
  const lead = previous ? redirectDocument : redirect;
  const answer = lead(to, { headers: { 'Set-Cookie': await sessionCookie(expiresAt).serialize(token) } });
  answer.headers.append('Set-Cookie', await noteBrowser(request, userId));
  return clearReturnTo(request, answer);
}

/**
 * Signs a program in: the token that it sends with every call, and whose it is. Who signs in in two steps needs an `otp`,
 * too: refuses with `second_step_required` without one.
 */
export async function signInProgram(
  request: Request,
  userId: string,
  { otp, passwordHash }: { otp?: string; passwordHash?: string } = {},
) {
  await requireSecondStep(db(), userId, otp);
  const from = { ipPrefix: clientNetwork(request), passwordHash };
  return openApiSession(db(), userId, userAgentOf(request), databaseNow(), from);
}

/** Signs a browser out, on the server and in the browser, where nothing of a page stays in memory. */
export async function signOut(request: Request, to: string): Promise<Response> {
  const token = await readToken(request);
  if (token) await endSession(db(), token);
  const headers = { 'Set-Cookie': await sessionCookie().serialize('', { maxAge: 0 }) };
  return redirectDocument(to, { headers });
}

function viewerOf(context: Readonly<RouterContextProvider>) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw redirectDocument('/login');
  return viewer;
}

/** Who asks, on a route behind `requireUser`. */
export const actorOf = (context: Readonly<RouterContextProvider>): Actor => viewerOf(context).actor;

/** The signed-in user, and the time of the request, which the layout and the page share. */
export function actorAndTime(context: Readonly<RouterContextProvider>): { actor: Actor; now: Date } {
  const { actor, cameAt } = viewerOf(context);
  return { actor, now: cameAt };
}

/** What the layout and the page both show of the user, loaded once per request. */
export function shellOf(context: Readonly<RouterContextProvider>): Promise<ShellState> {
  const viewer = viewerOf(context);
  viewer.shell ??= getShellState(db(), viewer.actor, viewer.cameAt);
  return viewer.shell;
}

/** Who asks, and in which session, for what has to end with it. */
export function signedInOf(context: Readonly<RouterContextProvider>): SignedIn {
  const { actor, sessionId } = viewerOf(context);
  return { userId: actor.userId, sessionId };
}

/** Which of the user's sessions this browser has. */
export const sessionIdOf = (context: Readonly<RouterContextProvider>): string => viewerOf(context).sessionId;
