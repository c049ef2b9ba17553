import { data, type MiddlewareFunction, redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';

/** Only signed-in browsers; others go to the sign-in page. */
export const requireUser: MiddlewareFunction<Response> = ({ context }) => {
  if (!context.get(viewerContext)) throw redirect('/login');
};

/** Only signed-out browsers; others go to their home. */
export const requireVisitor: MiddlewareFunction<Response> = ({ context }) => {
  const viewer = context.get(viewerContext);
  if (viewer) throw redirect(viewer.actor.isAdmin ? '/app/admin' : '/app/dashboard');
};

/** Only admins. The one place where the role is checked for pages. */
export const requireAdmin: MiddlewareFunction<Response> = ({ context }) => {
  if (!context.get(viewerContext)?.actor.isAdmin) {
    throw data('This page is for administrators.', { status: 403 });
  }
};
