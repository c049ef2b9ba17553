import { data, type MiddlewareFunction } from 'react-router';
import { emitEvent } from '#app/domain/platform/events.ts';
import { env } from '#app/env.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether an Origin header is that of APP_URL. If APP_URL is a loopback address, any other loopback origin that equals
 * the Host header is accepted too. Otherwise Host is not used, because clients can send any.
 */
export function isOwnOrigin(origin: string, host: string | null): boolean {
  const ours = new URL(env().APP_URL);
  if (origin === ours.origin) return true;
  if (!URL.canParse(origin)) return false;
  const theirs = new URL(origin);
  return LOOPBACK.test(ours.hostname) && LOOPBACK.test(theirs.hostname) && theirs.host === host;
}

function isSameOrigin(request: Request): boolean {
  const origin = request.headers.get('Origin');
  const site = request.headers.get('Sec-Fetch-Site');
  if (origin !== null && !isOwnOrigin(origin, request.headers.get('Host'))) return false;
  return site === null ? origin !== null : site === 'same-origin';
}

/**
 * Page middleware: accepts forms from our own pages only. React Router's own check leaves out resource routes and
 * requests without an Origin header.
 */
export const csrfMiddleware: MiddlewareFunction<Response> = ({ request }) => {
  if (!SAFE.has(request.method) && !isSameOrigin(request)) {
    emitEvent('access_denied', { what: 'foreign_form' });
    throw data('This form was not sent from Tidepost. Open the page again and try once more.', {
      status: 403,
    });
  }
};
