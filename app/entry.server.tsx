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
import { FailedAnswer } from './ui/without-scripts.ts';

notePeerAddresses();
watchLinkedIn((answer) => logger().info(answer, 'LinkedIn answered'));

type StreamCacheEntry = Promise<void> & { result?: { done: boolean; value: string } };

/** React Router makes a tree of all routes for each page it renders, and needs those of the page. */
const matchedRoutes = ({ manifest, staticHandlerContext: { matches } }: EntryContext) =>
  Object.fromEntries(matches.map(({ route: { id } }) => [id, manifest.routes[id]]));

/** Without the machinery of a Response, which costs as much as what is read. */
async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const [reader, decoder] = [stream.getReader(), new TextDecoder()];
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
  }
  return text;
}

/**
 * Pages await everything, so the whole document is one string: half the CPU of a stream. The data that
 * React Router hands to the browser is read first and put where its StreamTransfer component looks, so
 * that the component renders in one go.
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

  const handoff = entry.serverHandoffStream ? await readText(entry.serverHandoffStream) : '';
  const read: StreamCacheEntry = Promise.resolve();
  read.result = { done: true, value: handoff };
  entry.serverHandoffStream = new ReadableStream();
  entry.renderMeta = { streamCache: { 0: read } } as unknown as EntryContext['renderMeta'];

  entry.manifest = { ...entry.manifest, routes: matchedRoutes(entry) };
  const nonce = context.get(nonceContext);
  const failed = await failedAnswer({ entry, request, context });
  const page = <ServerRouter context={entry} url={request.url} nonce={nonce} />;
  const html = renderToString(failed ? <FailedAnswer value={failed}>{page}</FailedAnswer> : page);
  const document = Buffer.from(`<!DOCTYPE html>${html}`);
  return packed(paintFirst(document, nonce), request, { status, headers });
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
