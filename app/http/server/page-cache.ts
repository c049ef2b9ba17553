/**
 * A public page that is the same for all visitors is kept for a second after it was rendered, and sent to every visitor
 * who asks for it in that second. Its loader says so with `sharePage`. Its content security policy has no nonce, which must
 * differ in each response, but the hashes of its scripts.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouterContextProvider } from 'react-router';
import { sharedPageContext } from '#app/context.ts';
import { observeRequest } from '#app/http/telemetry/request-metrics.ts';
import { logger } from '#app/log.ts';
import { encodingFor } from './compression.ts';

const KEPT_MS = 1_000;
/** A page is kept for each encoding and each list of languages that visitors accept. */
const PAGES_MAX = 100;

type Page = { headers: [string, string][]; body: Buffer; path: string; route: string; until: number };

const pages = new Map<string, Page>();
let clearCount = 0;

const keyOf = (path: string, encodings: string | null | undefined, languages: string | null | undefined) =>
  [path, encodingFor(encodings), languages].join('\n');

/** For the loader of a public page: visitors who send no cookie and no query all get the same page. */
export function sharePage(request: Request, context: Readonly<RouterContextProvider>): void {
  const isPlain = request.method === 'GET' && new URL(request.url).search === '';
  if (isPlain && !request.headers.has('Cookie')) context.set(sharedPageContext, clearCount);
}

/** Drops all kept pages, and keeps none that is being rendered now: what they show may have changed. */
export function clearPageCache(): void {
  clearCount += 1;
  pages.clear();
}

/** The sources, for a content security policy, of the inline scripts that React wrote with this nonce. */
export function hashScripts(html: string, nonce: string): string[] {
  const scripts = html.matchAll(/<script [^>]*\bnonce="([^"]*)"[^>]*>(.*?)<\/script>/gs);
  return [...scripts]
    .filter(([, own, text]) => own === nonce && text)
    .map(([, , text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
}

/** Keeps a response for the visitors of the next second, unless a cookie comes with it. Returns one to send now. */
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
    pages.set(key, { headers: [...headers], body, path, route, until: now + KEPT_MS });
  }
  return new Response(body, { status, headers });
}

/** Sends a page that was kept less than a second ago. Returns false if there is none for this request. */
export function sendCachedPage(
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
  now = performance.now(),
): boolean {
  if (method !== 'GET' || headers.cookie !== undefined) return false;
  const page = pages.get(keyOf(url, headers['accept-encoding'], headers['accept-language']));
  if (!page || page.until <= now) return false;
  const requestId = randomUUID();
  response.setHeaders(new Map(page.headers)).setHeader('X-Request-Id', requestId).end(page.body);
  logger().info({ requestId, method, path: page.path, status: 200, ms: 0 }, 'request');
  observeRequest({ method, route: page.route, status: 200 }, 0);
  return true;
}
