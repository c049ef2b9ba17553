import { data, type MiddlewareFunction, redirect } from 'react-router';
import { refusalContext, viewerContext } from '#app/context.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { inTurn } from './in-turn.ts';

const SIGNED_OUT = 'You were signed out. Sign in in another tab, then try again.';

/**
 * Only signed-in browsers; others go to the sign-in page, but what they typed into a form goes nowhere and is kept.
 * What they change they change in turn.
 */
export const requireUser: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const viewer = context.get(viewerContext);
  const isForm = request.method !== 'GET' && request.method !== 'HEAD';
  if (!viewer) throw isForm ? data(SIGNED_OUT, { status: 401 }) : redirect('/login');
  if (!isForm) return next();
  try {
    return await inTurn(viewer.actor.userId, request.signal, next);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    context.set(refusalContext, error);
    return next();
  }
};

/** Only signed-out browsers; others go to their home. */
export const requireVisitor: MiddlewareFunction<Response> = ({ context }) => {
  const viewer = context.get(viewerContext);
  if (viewer) throw redirect(viewer.actor.isAdmin ? '/app/admin' : '/app/dashboard');
};

/** Only admins. The one place where the role is checked for pages. */
export const requireAdmin: MiddlewareFunction<Response> = ({ context }) => {
  const actor = context.get(viewerContext)?.actor;
  if (actor?.isAdmin) return;
  const who = actor ? ` You are signed in as ${actor.email}.` : '';
  throw data(`This page is for administrators.${who}`, { status: 403 });
};
