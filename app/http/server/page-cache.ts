/**
 * Caches a public page, whose loader calls `sharePage`, for one second. Its content security policy has hashes in place
 * of a nonce, which must differ in each response.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouterContextProvider } from 'react-router';
import { sharedPageContext } from '#app/context.ts';
import { observeRequest } from '#app/http/telemetry/request-metrics.ts';
import { logger } from '#app/log.ts';
import { encodingFor } from './compression.ts';

const CACHED_MS = 1_000;
const PAGES_MAX = 100;

type Page = { headers: [string, string][]; body: Buffer; path: string; route: string; expiresAt: number };

const pages = new Map<string, Page>();
let clearCount = 0;

const keyOf = (path: string, encodings: string | null | undefined, languages: string | null | undefined) =>
  [path, encodingFor(encodings), languages].join('\n');

/** Call in the loader of a public page that is the same for all requests without cookie and query. */
export function sharePage(request: Request, context: Readonly<RouterContextProvider>): void {
  const isPlain = request.method === 'GET' && new URL(request.url).search === '';
  if (isPlain && !request.headers.has('Cookie')) context.set(sharedPageContext, clearCount);
}

/** Clears the cache. Pages that are being rendered now are not cached either: their data may be old. */
export function clearPageCache(): void {
  clearCount += 1;
  pages.clear();
}

/** The CSP sources of the inline scripts that React wrote with this nonce. */
export function hashScripts(html: string, nonce: string): string[] {
  const scripts = html.matchAll(/<script [^>]*\bnonce="([^"]*)"[^>]*>(.*?)<\/script>/gs);
  return [...scripts]
    .filter(([, own, text]) => own === nonce && text)
    .map(([, , text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
}

/** Caches a response unless it sets a cookie. Returns the response to send. */
export async function cachePage(
  request: Request,
  context: Readonly<RouterContextProvider>,
  response: Response,
  route: string,
  now = performance.now(),
): Promise<Response> {
  const { headers, status } = response;
  if (headers.has('Set-Cookie')) return response;
  const body = Buffer.from(await response.arrayBuffer());
  const path = new URL(request.url).pathname;
  const key = keyOf(path, request.headers.get('Accept-Encoding'), request.headers.get('Accept-Language'));
  if (context.get(sharedPageContext) === clearCount) {
    // A Map keeps the order in which its entries were added: the first is the oldest.
    pages.delete(key);
    if (pages.size >= PAGES_MAX) pages.delete(pages.keys().next().value!);
    pages.set(key, { headers: [...headers], body, path, route, expiresAt: now + CACHED_MS });
  }
  return new Response(body, { status, headers });
}

/** Sends the cached page for this request. Returns false if there is none. */
export function sendCachedPage(
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
  now = performance.now(),
): boolean {
  if (method !== 'GET' || headers.cookie !== undefined) return false;
  const page = pages.get(keyOf(url, headers['accept-encoding'], headers['accept-language']));
  if (!page || page.expiresAt <= now) return false;
  const requestId = randomUUID();
  response.setHeaders(new Map(page.headers)).setHeader('X-Request-Id', requestId).end(page.body);
  logger().info({ requestId, method, path: page.path, status: 200, ms: 0 }, 'request');
  observeRequest({ method, route: page.route, status: 200 }, 0);
  return true;
}
