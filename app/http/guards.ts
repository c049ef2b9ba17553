import { data, type MiddlewareFunction, redirect } from 'react-router';
import { refusalContext, viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { isSessionOpen } from '#app/domain/accounts/sign-in/sessions.ts';
import { lacksSecondStep } from '#app/domain/accounts/two-step/verify.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { queueChange, queuePage } from '#app/http/server/per-user-concurrency.ts';
import { sendToSignIn } from '#app/http/session/return-to-cookie.ts';

const SIGNED_OUT = 'You were signed out. Sign in in another tab, then try again.';

/**
 * Page middleware: requires a session. Redirects to the sign-in page, and from there back; a form gets 401 instead, so
 * that what was typed stays on its page. Queues the requests of one user. A form's session is checked again after its
 * body has arrived, because the sender decides how long that takes.
 */
export const requireUser: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const viewer = context.get(viewerContext);
  const isForm = request.method !== 'GET' && request.method !== 'HEAD';
  if (!viewer) throw isForm ? data(SIGNED_OUT, { status: 401 }) : await sendToSignIn(url);
  if (!isForm) return queuePage(viewer.actor.userId, request.signal, next);
  const runIfSessionOpen = async () => {
    if (!(await isSessionOpen(db(), viewer.sessionId))) throw data(SIGNED_OUT, { status: 401 });
    return next();
  };
  try {
    return await queueChange(viewer.actor.userId, request.signal, runIfSessionOpen);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    context.set(refusalContext, error);
    // The page that shows the refusal is queued like any other.
    return queuePage(viewer.actor.userId, request.signal, runIfSessionOpen);
  }
};

export const requireVisitor: MiddlewareFunction<Response> = ({ context }) => {
  const viewer = context.get(viewerContext);
  if (viewer) throw redirect(viewer.actor.isAdmin ? '/app/admin' : '/app/dashboard');
};

/** Page middleware: requires an admin, with a second step where that is configured. Pages check the role only here. */
export const requireAdmin: MiddlewareFunction<Response> = async ({ context }) => {
  const actor = context.get(viewerContext)?.actor;
  if (actor?.isAdmin) {
    if (await lacksSecondStep(db(), actor)) throw redirect('/app/account/security');
    return;
  }
  emitEvent('access_denied', { what: 'admin' });
  const signedInAs = actor ? ` You are signed in as ${actor.email}.` : '';
  throw data(`This page is for administrators.${signedInAs}`, { status: 403 });
};
