import { data, type MiddlewareFunction, redirect } from 'react-router';
import { refusalContext, viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { isSessionOpen } from '#app/domain/accounts/sign-in/sessions.ts';
import { lacksSecondStep } from '#app/domain/accounts/two-step/verify.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { pageInTurn, runInTurn } from '#app/http/server/per-user-concurrency.ts';
import { sendToSignIn } from '#app/http/session/return-to-cookie.ts';

const SIGNED_OUT = 'You were signed out. Sign in in another tab, then try again.';

/**
 * Only signed-in browsers. Others are sent to sign in, and from there to the page they wanted; a form of theirs is answered
 * with 401, so that what they typed stays on their page. The pages and the forms of one account are taken in turn, and no
 * form by a session that ended while the form was on its way: who sends it decides how long that takes.
 */
export const requireUser: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const viewer = context.get(viewerContext);
  const isForm = request.method !== 'GET' && request.method !== 'HEAD';
  if (!viewer) throw isForm ? data(SIGNED_OUT, { status: 401 }) : await sendToSignIn(url);
  if (!isForm) return pageInTurn(viewer.actor.userId, request.signal, next);
  const runIfOpen = async () => {
    if (!(await isSessionOpen(db(), viewer.sessionId))) throw data(SIGNED_OUT, { status: 401 });
    return next();
  };
  try {
    return await runInTurn(viewer.actor.userId, request.signal, runIfOpen);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    context.set(refusalContext, error);
    // The form is answered by a page, which is loaded in turn like any other.
    return pageInTurn(viewer.actor.userId, request.signal, runIfOpen);
  }
};

/** Only signed-out browsers; others go to their home. */
export const requireVisitor: MiddlewareFunction<Response> = ({ context }) => {
  const viewer = context.get(viewerContext);
  if (viewer) throw redirect(viewer.actor.isAdmin ? '/app/admin' : '/app/dashboard');
};

/** Only admins, and where that is required only those with a second step. The one place where pages check the role. */
export const requireAdmin: MiddlewareFunction<Response> = async ({ context }) => {
  const actor = context.get(viewerContext)?.actor;
  if (actor?.isAdmin) {
    if (await lacksSecondStep(db(), actor)) throw redirect('/app/account/security');
    return;
  }
  emitEvent('access_denied', { what: 'admin' });
  const who = actor ? ` You are signed in as ${actor.email}.` : '';
  throw data(`This page is for administrators.${who}`, { status: 403 });
};
