import { data, type MiddlewareFunction } from 'react-router';
import { emitEvent } from '#app/domain/platform/events.ts';
import { env } from '#app/env.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether an Origin is ours: that of APP_URL. Where APP_URL is this machine's own, every other name and port
 * of this machine counts too, when the request was sent to it; anybody can write any Host.
 */
export function isOwnOrigin(origin: string, host: string | null): boolean {
  const ours = new URL(env().APP_URL);
  if (origin === ours.origin) return true;
  if (!URL.canParse(origin)) return false;
  const theirs = new URL(origin);
  return LOOPBACK.test(ours.hostname) && LOOPBACK.test(theirs.hostname) && theirs.host === host;
}

function comesFromHere(request: Request): boolean {
  const origin = request.headers.get('Origin');
  const site = request.headers.get('Sec-Fetch-Site');
  if (origin !== null && !isOwnOrigin(origin, request.headers.get('Host'))) return false;
  return site === null ? origin !== null : site === 'same-origin';
}

/**
 * Page middleware: a form is accepted only from our own pages. React Router's check leaves out resource
 * routes and requests without an Origin, so every page route lies below this one.
 */
export const csrfMiddleware: MiddlewareFunction<Response> = ({ request }) => {
  if (!SAFE.has(request.method) && !comesFromHere(request)) {
    emitEvent('access_denied', { what: 'foreign_form' });
    throw data('This form was not sent from Tidepost. Open the page again and try once more.', {
      status: 403,
    });
  }
};
