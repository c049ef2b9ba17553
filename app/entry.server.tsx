import type { Server } from 'node:http';
import { renderToString } from 'react-dom/server';
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router';
import { bearing, endOnFaults, logger } from '#app/log.ts';
import { countEvent } from '#app/metrics.ts';
import { databaseAwayContext, nonceContext, requestIdContext, viewerContext } from './context.ts';
import { closeDatabase, db, isDatabaseAway } from './db/client.ts';
import { watchEvents, whereabouts } from './domain/events.ts';
import { keepCalls } from './domain/linkedin/day-calls.ts';
import { watchLinkedIn } from './domain/linkedin/watch.ts';
import { watchTopPosts } from './domain/posts/top-posts.ts';
import { learnPresent } from './domain/present.ts';
import { watchHeartbeat } from './domain/publishing/heartbeat.ts';
import { envOrExit } from './env.ts';
import { failedAnswer } from './failed-answer.tsx';
import { notePeerAddresses } from './http/address.ts';
import { guardServer } from './http/front-server.ts';
import { literalOf } from './http/handed-data.ts';
import { keepVisits } from './http/keep-visits.ts';
import { packed } from './http/packed.ts';
import { paintFirst } from './http/paint-first.ts';
import { usersListOf } from './http/users-list.ts';
import { withBeacon } from './http/visit-beacon.ts';
import { keptMarkupOf } from './kept-parts.ts';
import { DeadEnd } from './ui/failed-page.tsx';
import { KeptMarkup } from './ui/kept-markup.ts';
import { FailedAnswer } from './ui/without-scripts.ts';

notePeerAddresses();
watchLinkedIn((answer) => logger().info(answer, 'LinkedIn answered'));
bearing(whereabouts);
watchEvents((event) => logger().info(event, 'event'));
watchEvents(countEvent);

type Manifest = EntryContext['manifest'];

/** Whether it is a page of the app that a user sees, with links to such pages alone. */
const isUsersPage = ({ staticHandlerContext: { matches } }: EntryContext, context: RouterContextProvider) =>
  context.get(viewerContext)?.actor.isAdmin === false &&
  matches.some(({ route: { id } }) => id === 'routes/app-layout');

/** By the route of a page, and by who sees it. */
const manifests = new Map<string, Manifest>();

/** React Router makes a tree of all routes for each page it renders, and needs those of the page: the same each time. */
function manifestOf(
  { manifest, staticHandlerContext: { matches } }: EntryContext,
  isUser: boolean,
): Manifest {
  const key = `${isUser} ${matches.at(-1)!.route.id}`;
  const known = manifests.get(key);
  if (known) return known;
  const routes = Object.fromEntries(matches.map(({ route: { id } }) => [id, manifest.routes[id]]));
  const url = isUser ? usersListOf(manifest.url) : manifest.url;
  manifests.set(key, { ...manifest, url, routes });
  return manifests.get(key)!;
}

/**
 * Hands the data of a page to React Router in the browser. The build has it take them as they are: see
 * scripts/router-answers.ts. Without one it takes the text of them, as from its StreamTransfer component.
 *
 * @param encoded The data as React Router writes them, or what has it do so.
 */
async function handOver({ staticHandlerContext }: EntryContext, encoded: unknown): Promise<string> {
  const { loaderData, actionData, errors } = staticHandlerContext;
  const context = 'window.__reactRouterContext';
  if (typeof encoded === 'function')
    return `${context}.hand(${literalOf({ loaderData, actionData, errors }) ?? literalOf(encoded())})`;
  const text = literalOf(await new Response(encoded as ReadableStream).text());
  return `${context}.streamController.enqueue(${text});${context}.streamController.close()`;
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

  const data = entry.serverHandoffStream;
  delete entry.serverHandoffStream;
  entry.manifest = manifestOf(entry, isUsersPage(entry, context));
  const nonce = context.get(nonceContext);
  if (status >= 400) await DeadEnd.load();
  const failed = await failedAnswer({ entry, request, context });
  const router = <ServerRouter context={entry} url={request.url} nonce={nonce} />;
  const page = <KeptMarkup value={keptMarkupOf}>{router}</KeptMarkup>;
  const html = renderToString(failed ? <FailedAnswer value={failed}>{page}</FailedAnswer> : page);
  const isHanded = entry.renderMeta?.didRenderScripts;
  const script = isHanded ? `<script nonce="${nonce}">${await handOver(entry, data)}</script>` : '';
  return packed(
    paintFirst(`<!DOCTYPE html>${status < 400 ? withBeacon(html) : html}`, nonce, script),
    request,
    {
      status,
      headers,
    },
  );
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

/** Its own clock may be wrong. Until the database has said so it goes by that. */
async function keepTime(): Promise<void> {
  let every = LOOK_EVERY_MS;
  await learnPresent(db()).catch((err) => {
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
 * Puts our rules before the server that react-router-serve is about to listen with, and begins what runs beside requests.
 * Returns what shuts the server down.
 */
export function startFront(server: Server, routes: ServerBuild['routes']): () => Promise<void> {
  endOnFaults();
  void keepTime();
  watchWorker();
  endVisits = keepVisits(routes);
  endListening = watchTopPosts(db());
  endCalls = keepCalls(db(), (err) => logger().warn({ err }, 'the calls to LinkedIn could not be counted'));
  return guardServer(server);
}

/** Writes down the visits that wait. */
let endVisits = async () => {};
/** Hears no more of what the start page may not show. */
let endListening = async () => {};
/** Writes down what LinkedIn was asked for. */
let endCalls = async () => {};

/** Ends what the web process holds open. */
export async function shutDown(): Promise<void> {
  await Promise.all([endVisits(), endCalls(), endListening()]);
  await closeDatabase();
}
