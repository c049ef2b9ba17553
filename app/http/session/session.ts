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
import { appCookie } from './cookie.ts';
import { clearReturnTo } from './return-to-cookie.ts';
import { rememberFirstStep } from './second-step-cookie.ts';
import { rememberBrowser } from './trusted-browser.ts';

const sessionCookie = (expiresAt = databaseNow()) =>
  appCookie('tidepost', {
    maxAge: Math.max(0, Math.floor((expiresAt.getTime() - databaseNow().getTime()) / 1000)),
  });

async function readToken(request: Request): Promise<string | null> {
  const value = await sessionCookie().parse(request.headers.get('Cookie'));
  return typeof value === 'string' ? value : null;
}

/** Page middleware: sets the viewer context, and renews the cookie when the session was extended. */
export const readSession: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const token = await readToken(request);
  const requestedAt = databaseNow();
  const session = token ? await findSession(db(), token, 'web', requestedAt) : undefined;
  if (session) setEventUser(session.actor.userId);
  context.set(viewerContext, session ? { ...session, requestedAt } : null);
  const response = await next();
  if (!session?.isExtended) return response;
  const { name, serialize } = sessionCookie(session.expiresAt ?? undefined);
  const isSet = response.headers.getSetCookie().some((line) => line.startsWith(`${name}=`));
  if (!isSet) response.headers.append('Set-Cookie', await serialize(token));
  return response;
};

const userAgentOf = (request: Request) => request.headers.get('User-Agent') ?? '';

/** `isPassed`: the second step is done. `passwordHash`: the password that the user signed in with. */
type Steps = { isPassed?: boolean; passwordHash?: string | undefined };

/**
 * Creates a session, ends the browser's previous one, and returns the redirect that sets the cookie. If the user has two
 * steps, returns the redirect to the second one instead.
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
  const session = await createSession(db(), userId, 'web', userAgentOf(request), databaseNow(), from);
  if (previous) await endSession(db(), previous);
  emitEvent('sign_in', { userId, door: 'web' });
  // A full page load discards what the previous user's page has in memory.
  const response = previous ? redirectDocument(to) : redirect(to);
  const { token, expiresAt } = session;
  response.headers.append('Set-Cookie', await sessionCookie(expiresAt).serialize(token));
  response.headers.append('Set-Cookie', await rememberBrowser(request, userId));
  return clearReturnTo(request, response);
}

/**
 * Creates an API session, and returns its token and user. Throws a Refusal with `second_step_required` if the user has two
 * steps and there is no `otp`.
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

/** Ends the session, and redirects with a full page load, so that no page stays in memory. */
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

/** The signed-in user, on a route behind `requireUser`. */
export const actorOf = (context: Readonly<RouterContextProvider>): Actor => viewerOf(context).actor;

/** The signed-in user, and the time of the request, which the layout and the page share. */
export function actorAndTime(context: Readonly<RouterContextProvider>): { actor: Actor; now: Date } {
  const { actor, requestedAt } = viewerOf(context);
  return { actor, now: requestedAt };
}

/** The data that both the layout and the page show, loaded once per request. */
export function shellOf(context: Readonly<RouterContextProvider>): Promise<ShellState> {
  const viewer = viewerOf(context);
  viewer.shell ??= getShellState(db(), viewer.actor, viewer.requestedAt);
  return viewer.shell;
}

/** The user id and session id, for what must end with the session. */
export function signedInOf(context: Readonly<RouterContextProvider>): SignedIn {
  const { actor, sessionId } = viewerOf(context);
  return { userId: actor.userId, sessionId };
}

export const sessionIdOf = (context: Readonly<RouterContextProvider>): string => viewerOf(context).sessionId;
