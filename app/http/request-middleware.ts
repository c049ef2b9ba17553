import { randomBytes, randomUUID } from 'node:crypto';
import type { MiddlewareFunction } from 'react-router';
import {
  databaseUnavailableContext,
  nonceContext,
  requestIdContext,
  scriptHashesContext,
} from '#app/context.ts';
import { inRequest } from '#app/domain/platform/events.ts';
import { env } from '#app/env.ts';
import { failure } from '#app/http/api/responses.ts';
import { compressedResponse } from '#app/http/server/compression.ts';
import { cachePage } from '#app/http/server/page-cache.ts';
import { CSP_REPORTS_NAME, CSP_REPORTS_PATH } from '#app/http/telemetry/csp-reports.ts';
import { observeRequest } from '#app/http/telemetry/request-metrics.ts';
import { BEACON_SOURCE } from '#app/http/telemetry/visit-beacon.ts';
import { logger } from '#app/log.ts';
import { clientNetwork } from './client-ip.ts';
import { UNAVAILABLE_RETRY_SECONDS } from './limits.ts';

const COMPRESSIBLE = /^(text\/|application\/json)/;
/** Files are streamed: compressing one here would hold all of it in memory. */
const isFile = (headers: Headers) => headers.has('Content-Disposition');

function buildBasePolicy(): string {
  const isDevelopment = import.meta.env?.DEV;
  const providers = [env().LINKEDIN_AUTH_URL, env().GOOGLE_ISSUER_URL].map((url) => new URL(url).origin);
  return [
    `default-src 'self'`,
    `style-src 'self'${isDevelopment ? " 'unsafe-inline'" : ''}`,
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data: https: ${new URL(env().LINKEDIN_API_URL).origin}${env().ALLOW_PRIVATE_IMAGES ? ' http:' : ''}`,
    `font-src 'self'`,
    `connect-src 'self'${isDevelopment ? ' ws:' : ''}`,
    // A form's redirect counts as its action, and "Connect LinkedIn" is a form.
    `form-action 'self' ${[...new Set(providers)].join(' ')}`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `object-src 'none'`,
    `report-uri ${CSP_REPORTS_PATH}`,
    `report-to ${CSP_REPORTS_NAME}`,
  ].join('; ');
}

/**
 * Browsers that support 'strict-dynamic' ignore 'self', and run only the scripts with the nonce and what these load. Vite's
 * dev server writes scripts without a nonce.
 */
const STRICT_DYNAMIC = import.meta.env?.DEV ? [] : [`'strict-dynamic'`];

let basePolicy: string | undefined;

function contentSecurityPolicy(scripts: string[]): string {
  basePolicy ??= buildBasePolicy();
  return `${['script-src', `'self'`, ...scripts, BEACON_SOURCE].join(' ')}; ${basePolicy}`;
}

/**
 * React Router responds to every URL that ends in ".data" with the data of its route. For a file it would hold all of it
 * in memory, and an API call has no such data: both are 404.
 */
function rejectDataRequest(path: string, pattern: string): Response | undefined {
  if (!path.endsWith('.data')) return undefined;
  if (/^\/?api\//.test(pattern)) return failure(404, 'not_found', 'There is no such call');
  if (/\.\w+$/.test(pattern)) return new Response('There is nothing here\n', { status: 404 });
  return undefined;
}

/** A page that failed because the database is unavailable tells crawlers to come back later. */
function unavailable({ body, headers }: Response): Response {
  headers.set('Retry-After', String(UNAVAILABLE_RETRY_SECONDS));
  return new Response(body, { status: 503, headers });
}

/** The status in logs and metrics of a request whose client disconnected before the response. */
const CLIENT_DISCONNECTED = 499;

/**
 * Root middleware: adds a request id and a page's content security policy, and logs one line without the query
 * string. front-server.ts sets the other security headers.
 */
export const respond: MiddlewareFunction<Response> = async ({ request, context, pattern }, next) => {
  const started = performance.now();
  const requestId = randomUUID();
  const nonce = randomBytes(16).toString('base64');
  const { method } = request;
  const path = new URL(request.url).pathname;
  context.set(requestIdContext, requestId);
  context.set(nonceContext, nonce);
  const routed =
    rejectDataRequest(path, pattern) ?? (await inRequest(requestId, next, () => clientNetwork(request)));
  const isUnavailable = routed.status === 500 && context.get(databaseUnavailableContext);
  const response = isUnavailable ? unavailable(routed) : routed;
  const { headers } = response;
  headers.set('X-Request-Id', requestId);
  const hasOwnPolicy = headers.has('Content-Security-Policy');
  if (headers.get('Content-Type')?.startsWith('text/html') && !hasOwnPolicy) {
    const scripts = context.get(scriptHashesContext) ?? [`'nonce-${nonce}'`, ...STRICT_DYNAMIC];
    headers.set('Content-Security-Policy', contentSecurityPolicy(scripts));
    headers.set('Reporting-Endpoints', `${CSP_REPORTS_NAME}="${CSP_REPORTS_PATH}"`);
  }
  // A response that sets a cookie must never be cached.
  if (headers.has('Set-Cookie') || !headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  const status = request.signal.aborted && response.status === 500 ? CLIENT_DISCONNECTED : response.status;
  const ms = performance.now() - started;
  logger().info({ requestId, method, path, status, ms: Math.round(ms) }, 'request');
  observeRequest({ method, route: pattern, status }, ms);
  const isShared = context.get(scriptHashesContext) !== null;
  return isShared ? cachePage(request, context, response, pattern) : response;
};

/**
 * Root middleware: compresses text responses, except pages, which are compressed when they are rendered. The
 * compression of react-router-serve would cost more CPU than rendering; it skips responses that have a Content-Encoding
 * or a small Content-Length.
 */
export const compressResponse: MiddlewareFunction<Response> = async ({ request }, next) => {
  const response = await next();
  const { body, status, statusText, headers } = response;
  const isText = COMPRESSIBLE.test(headers.get('Content-Type') ?? '') && !isFile(headers);
  if (!isText || !body || headers.has('Content-Encoding')) return response;
  return compressedResponse(Buffer.from(await response.arrayBuffer()), request, {
    status,
    statusText,
    headers,
  });
};
