import { type MiddlewareFunction, redirect } from 'react-router';
import { connectErrorText } from '#app/domain/linkedin/schema.ts';
import { notify } from '#app/http/notice.ts';

/**
 * Turns `linkedin=connected` and `error` of the address into a notice and clears them. A middleware,
 * because a loader runs beside the one that shows the notices.
 */
export const showReturn: MiddlewareFunction<Response> = ({ request, context }) => {
  const query = new URL(request.url).searchParams;
  const error = query.get('error');
  if (error !== null) notify(context, 'error', connectErrorText(error));
  else if (query.get('linkedin') !== 'connected') return;
  else notify(context, 'success', 'LinkedIn account connected successfully!');
  throw redirect('/app/linkedin');
};
