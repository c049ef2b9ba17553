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
import { closeDatabase, db, isDatabaseAway } from '#app/db/client.ts';
import { recordCalls } from '#app/domain/linkedin/daily-quota.ts';
import { watchLinkedIn } from '#app/domain/linkedin/log-answers.ts';
import { syncClock } from '#app/domain/platform/clock.ts';
import { eventContext, watchEvents } from '#app/domain/platform/events.ts';
import { watchTopPosts } from '#app/domain/posts/landing/top-posts.ts';
import { watchHeartbeat } from '#app/domain/publishing/safety/heartbeat.ts';
import { notePeerAddresses } from '#app/http/client-ip.ts';
import { compressedResponse } from '#app/http/server/compression.ts';
import { guardServer } from '#app/http/server/front-server.ts';
import { clearPageCache, hashScripts } from '#app/http/server/page-cache.ts';
import { flushVisits } from '#app/http/telemetry/flush-visits.ts';
import { BEACON } from '#app/http/telemetry/visit-beacon.ts';
import { bearing, endOnFaults, logger } from '#app/log.ts';
import { countEvent } from '#app/metrics.ts';
import { BeaconScript } from '#app/ui/layout/beacon.tsx';
import { DeadEnd } from '#app/ui/messages/error-page.tsx';
import { FailedAnswer } from '#app/ui/messages/without-scripts.ts';
import {
  databaseAwayContext,
  nonceContext,
  requestIdContext,
  scriptHashesContext,
  sharedPageContext,
} from './context.ts';
import { envOrExit } from './env.ts';
import { failedAnswer } from './failed-answer.tsx';

notePeerAddresses();
watchLinkedIn((answer) => logger().info(answer, 'LinkedIn answered'));
bearing(eventContext);
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
    // React's default writes the error to the console, with all that its message says.
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
  const { entry: shown, failed } = await failedAnswer({ entry, request, context });
  const page = (
    <FailedAnswer value={failed}>
      <BeaconScript value={status < 400 ? BEACON : ''}>
        <ServerRouter context={shown} url={request.url} nonce={nonce} />
      </BeaconScript>
    </FailedAnswer>
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
  if (isDatabaseAway(error)) context.set(databaseAwayContext, true);
  const requestId = context.get(requestIdContext);
  const isRefused = isRouteErrorResponse(error) && error.status < 500;
  if (requestId && !isRefused) return logger().error({ err: error, requestId }, 'request failed');
  // React Router refused it: a form sent to a page that takes none, or, before our middleware saw it, one with another
  // site's Origin. Anybody can.
  const path = new URL(request.url).pathname;
  const reason = isRefused ? error.statusText : String(error);
  logger().info({ method: request.method, path, reason }, 'request refused');
}

/**
 * Hosts whose forms may be posted here: behind a TLS proxy the request itself says http. Asked for once, as
 * the process starts.
 */
export const allowedActionOrigins = () => [new URL(envOrExit().APP_URL).host];

const LOOK_EVERY_MS = 60_000;
const LOOK_AGAIN_MS = 1_000;

/**
 * Compares this process's clock with the database's each minute, or after a second when that failed. Until the first
 * comparison `present()` is the process's own time.
 */
async function keepTime(): Promise<void> {
  let every = LOOK_EVERY_MS;
  await syncClock(db()).catch((err) => {
    logger().warn({ err }, 'the clock could not be compared');
    every = LOOK_AGAIN_MS;
  });
  setTimeout(keepTime, every).unref();
}

/** When the worker is dead, nobody else is there to say so. */
function watchWorker(): void {
  const look = () =>
    watchHeartbeat(db()).catch((err) => logger().warn({ err }, 'the worker could not be looked at'));
  setInterval(look, LOOK_EVERY_MS).unref();
}

/**
 * Puts the rules of front-server.ts in front of the server that react-router-serve is about to start, and starts the
 * background work of this process. Returns a function that shuts the server down.
 */
export function startFront(server: Server, routes: ServerBuild['routes']): () => Promise<void> {
  endOnFaults();
  void keepTime();
  watchWorker();
  endVisits = flushVisits(routes);
  endListening = watchTopPosts(db(), clearPageCache);
  endCalls = recordCalls(db(), (err) => logger().warn({ err }, 'the calls to LinkedIn could not be counted'));
  return guardServer(server);
}

/** Writes down the visits that wait. */
let endVisits = async () => {};
/** Stops listening for posts that the landing page must no longer show. */
let endListening = async () => {};
/** Writes down what LinkedIn was asked for. */
let endCalls = async () => {};

/** Ends what the web process holds open. */
export async function shutDown(): Promise<void> {
  await Promise.all([endVisits(), endCalls(), endListening()]);
  await closeDatabase();
}
