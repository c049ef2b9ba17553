import type { Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router';
import { closeDatabase, db, isDatabaseUnavailable } from '#app/db/client.ts';
import { recordCalls } from '#app/domain/linkedin/daily-quota.ts';
import { watchLinkedIn } from '#app/domain/linkedin/log-answers.ts';
import { syncClock } from '#app/domain/platform/clock.ts';
import { eventContext, watchEvents } from '#app/domain/platform/events.ts';
import { watchTopPosts } from '#app/domain/posts/landing/top-posts.ts';
import { watchHeartbeat } from '#app/domain/publishing/safety/heartbeat.ts';
import { recordPeerAddresses } from '#app/http/client-ip.ts';
import { compressedResponse } from '#app/http/server/compression.ts';
import { guardServer } from '#app/http/server/front-server.ts';
import { clearPageCache, hashScripts } from '#app/http/server/page-cache.ts';
import { flushVisits } from '#app/http/telemetry/flush-visits.ts';
import { BEACON } from '#app/http/telemetry/visit-beacon.ts';
import { BeaconScript } from '#app/ui/layout/beacon.tsx';
import { DeadEnd } from '#app/ui/messages/error-page.tsx';
import { FailedResponse } from '#app/ui/messages/without-scripts.ts';
import {
  databaseUnavailableContext,
  nonceContext,
  requestIdContext,
  scriptHashesContext,
  sharedPageContext,
} from './context.ts';
import { envOrExit } from './env.ts';
import { prepareFailedResponse } from './failed-answer.tsx';
import { exitOnUncaughtException, logger, setLogContext } from './log.ts';
import { countEvent } from './metrics.ts';

recordPeerAddresses();
watchLinkedIn((answer) => logger().info(answer, 'LinkedIn answered'));
setLogContext(eventContext);
watchEvents((event) => logger().info(event, 'event'));
watchEvents(countEvent);

/**
 * Renders the whole document before any of it is sent, so that pages work without scripts. By default React sends
 * large parts later, with a script that moves them into place.
 */
async function renderDocument(page: ReactNode, nonce: string): Promise<Buffer<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { pipe } = renderToPipeableStream(page, {
    nonce,
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onAllReady: resolve,
    // By default, React logs the error with its whole message.
    onError: reject,
  });
  await promise;
  return buffer(pipe(new PassThrough()));
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
) {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const nonce = context.get(nonceContext);
  if (status >= 400) await DeadEnd.load();
  const { entry: prepared, failed } = await prepareFailedResponse({ entry, request, context });
  const page = (
    <FailedResponse value={failed}>
      <BeaconScript value={status < 400 ? BEACON : ''}>
        <ServerRouter context={prepared} url={request.url} nonce={nonce} />
      </BeaconScript>
    </FailedResponse>
  );
  const html = await renderDocument(page, nonce);
  if (status === 200 && context.get(sharedPageContext) !== null) {
    context.set(scriptHashesContext, hashScripts(html.toString(), nonce));
  }
  return compressedResponse(html, request, { status, headers });
}

export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  if (request.signal.aborted) return;
  if (isDatabaseUnavailable(error)) context.set(databaseUnavailableContext, true);
  const requestId = context.get(requestIdContext);
  const isRefused = isRouteErrorResponse(error) && error.status < 500;
  if (requestId && !isRefused) return logger().error({ err: error, requestId }, 'request failed');
  // React Router refused a form: for a page without an action, or with a foreign Origin before our middleware ran.
  const path = new URL(request.url).pathname;
  const reason = isRefused ? error.statusText : String(error);
  logger().info({ method: request.method, path, reason }, 'request refused');
}

/** The hosts whose forms React Router accepts: behind a TLS proxy, the URL of the request is http. Read once, at startup. */
export const allowedActionOrigins = () => [new URL(envOrExit().APP_URL).host];

const CHECK_EVERY_MS = 60_000;
const RETRY_MS = 1_000;

/** Until the first comparison, `databaseNow()` is the process's own time. */
async function keepClockSynced(): Promise<void> {
  let delay = CHECK_EVERY_MS;
  await syncClock(db()).catch((err) => {
    logger().warn({ err }, 'the clock could not be compared');
    delay = RETRY_MS;
  });
  setTimeout(keepClockSynced, delay).unref();
}

/** Only the web process can report that the worker is dead. */
function watchWorker(): void {
  const check = () =>
    watchHeartbeat(db()).catch((err) => logger().warn({ err }, 'the worker could not be looked at'));
  setInterval(check, CHECK_EVERY_MS).unref();
}

/**
 * Puts the rules of front-server.ts in front of the server that react-router-serve is about to start, and starts the
 * background work of this process. Returns a function that shuts the server down.
 */
export function startFront(server: Server, routes: ServerBuild['routes']): () => Promise<void> {
  exitOnUncaughtException();
  void keepClockSynced();
  watchWorker();
  cleanUps.push(
    flushVisits(routes),
    watchTopPosts(db(), clearPageCache),
    recordCalls(db(), (err) => logger().warn({ err }, 'the calls to LinkedIn could not be counted')),
  );
  return guardServer(server);
}

/** Stop the background work, and write what it has collected. */
const cleanUps: (() => Promise<void>)[] = [];

export async function shutDown(): Promise<void> {
  await Promise.all(cleanUps.map((cleanUp) => cleanUp()));
  await closeDatabase();
}
