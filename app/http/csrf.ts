import { data, type MiddlewareFunction } from 'react-router';
import { env } from '#app/env.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

function comesFromHere(request: Request): boolean {
  const site = request.headers.get('Sec-Fetch-Site');
  if (site) return site === 'same-origin';
  const origin = request.headers.get('Origin');
  if (!origin || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === new URL(env().APP_URL).host || host === request.headers.get('Host');
}

/**
 * Page middleware: a form is accepted only from our own pages. React Router's check leaves out resource
 * routes and requests without an Origin, so every page route lies below this one.
 */
export const refuseForeignForms: MiddlewareFunction<Response> = ({ request }) => {
  if (!SAFE.has(request.method) && !comesFromHere(request)) {
    throw data('This form was not sent from Tidepost. Open the page again and try once more.', {
      status: 403,
    });
  }
};
