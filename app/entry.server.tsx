import type { Server } from 'node:http';
import { renderToString } from 'react-dom/server';
import {
  createRequestHandler,
  type EntryContext,
  type RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router';
import { logger } from '#app/log.ts';
import { databaseAwayContext, nonceContext, requestIdContext } from './context.ts';
import { closeDatabase, db, isDatabaseAway } from './db/client.ts';
import { watchLinkedIn } from './domain/linkedin/watch.ts';
import { watchHeartbeat } from './domain/publishing/heartbeat.ts';
import { envOrExit } from './env.ts';
import { failedAnswer } from './failed-answer.tsx';
import { notePeerAddresses } from './http/address.ts';
import { answerBy } from './http/answer-pages.ts';
import { guardDoor } from './http/door.ts';
import { watchRequests } from './http/ending.ts';
import { packed } from './http/packed.ts';
import { paintFirst } from './http/paint-first.ts';
import { keptMarkupOf } from './kept-parts.ts';
import { KeptMarkup } from './ui/kept-markup.ts';
import { FailedAnswer } from './ui/without-scripts.ts';

notePeerAddresses();
watchLinkedIn((answer) => logger().info(answer, 'LinkedIn answered'));

type Manifest = EntryContext['manifest'];

/** By the route of a page. */
const manifests = new Map<string, Manifest>();

/** React Router makes a tree of all routes for each page it renders, and needs those of the page: the same each time. */
function manifestOf({ manifest, staticHandlerContext: { matches } }: EntryContext): Manifest {
  const last = matches.at(-1)!.route.id;
  const known = manifests.get(last);
  if (known) return known;
  const routes = Object.fromEntries(matches.map(({ route: { id } }) => [id, manifest.routes[id]]));
  manifests.set(last, { ...manifest, routes });
  return manifests.get(last)!;
}

/** The data of a page. The build has React Router write it in one go: see scripts/router-answers.ts. */
const readData = (data: unknown) =>
  typeof data === 'string' ? data : new Response(data as ReadableStream).text();

/** Hands the data of a page to React Router in the browser, as its StreamTransfer component does. */
function handOver(data: string, nonce: string): string {
  const text = JSON.stringify(data).replaceAll('<', '\\u003c');
  const controller = 'window.__reactRouterContext.streamController';
  return `<script nonce="${nonce}">${controller}.enqueue(${text});${controller}.close();</script>`;
}

/**
 * Pages await everything, so the whole document is one string: half the CPU of a stream. The data that React Router
 * hands to the browser is written behind it, beside React.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
) {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });

  const data = await readData(entry.serverHandoffStream);
  delete entry.serverHandoffStream;
  entry.manifest = manifestOf(entry);
  const nonce = context.get(nonceContext);
  const failed = await failedAnswer({ entry, request, context });
  const router = <ServerRouter context={entry} url={request.url} nonce={nonce} />;
  const page = <KeptMarkup value={keptMarkupOf}>{router}</KeptMarkup>;
  const html = renderToString(failed ? <FailedAnswer value={failed}>{page}</FailedAnswer> : page);
  const script = entry.renderMeta?.didRenderScripts ? handOver(data, nonce) : '';
  return packed(paintFirst(`<!DOCTYPE html>${html}`, nonce, script), request, { status, headers });
}

export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  if (request.signal.aborted) return;
  if (isDatabaseAway(error)) context.set(databaseAwayContext, true);
  const requestId = context.get(requestIdContext);
  if (requestId) return logger().error({ err: error, requestId }, 'request failed');
  // React Router refused it before our middleware saw it: a form with another site's Origin. Anybody can.
  const path = new URL(request.url).pathname;
  logger().info({ method: request.method, path, reason: String(error) }, 'request refused');
}

/**
 * Hosts whose forms may be posted here: behind a TLS proxy the request itself says http. Asked for once, as
 * the process starts.
 */
export const allowedActionOrigins = () => [new URL(envOrExit().APP_URL).host];

const LOOK_EVERY_MS = 60_000;

/** When the worker is dead, nobody else is there to say so. */
function watchWorker(): void {
  const look = () =>
    watchHeartbeat(db()).catch((err) => logger().warn({ err }, 'the worker could not be looked at'));
  setInterval(look, LOOK_EVERY_MS).unref();
}

/**
 * Puts our door before a server. The function that comes back answers what was begun and takes nothing new.
 *
 * @param build What answers pages and calls, and where the files are that browsers see.
 */
export function openDoor(server: Server, build: ServerBuild): () => Promise<void> {
  guardDoor(server, build.assetsBuildDirectory, answerBy(createRequestHandler(build, 'production')));
  watchWorker();
  return watchRequests(server);
}

/** Ends what the web process holds open. */
export const shutDown = () => closeDatabase();
