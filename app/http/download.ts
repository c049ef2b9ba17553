import type { RouterContextProvider } from 'react-router';
import type { Actor } from '#app/domain/platform/actor.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { actorOf } from '#app/http/session/session.ts';
import { limitAccount } from './rate-limit.ts';

/** A download holds some hundred rows in memory for as long as the client takes to read them. */
const CONCURRENT_MAX = 5;
const downloading = new Set<string>();

const ALREADY_STARTED =
  'This file is being downloaded already. Please wait until that has ended and try again.';
const BUSY = 'Many people are downloading at the moment. Please try again in a minute.';

/** Counts a download as running until `lines` ends. Its empty first line lets the caller see a Refusal before it responds. */
async function* limitDownloads({ userId }: Actor, lines: AsyncGenerator<string>): AsyncGenerator<string> {
  if (downloading.has(userId)) throw new Refusal(429, 'already_begun', ALREADY_STARTED, { retryAfter: 10 });
  if (downloading.size >= CONCURRENT_MAX) throw new Refusal(503, 'busy', BUSY, { retryAfter: 60 });
  downloading.add(userId);
  try {
    await limitAccount('export', userId);
    yield '';
    yield* lines;
  } finally {
    downloading.delete(userId);
  }
}

/** Reads `lines` only as fast as they are sent. */
function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(sink) {
      const { done, value } = await lines.next();
      if (done) sink.close();
      else sink.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

export const ACCOUNT_EXPORT = {
  what: 'account',
  name: 'tidepost-account.json',
  type: 'application/json; charset=utf-8',
} as const;

type Args = { request: Request; context: Readonly<RouterContextProvider> };
type File = {
  what: 'posts' | 'account' | 'ledger';
  name: string;
  type: string;
  lines: AsyncGenerator<string>;
};

/** Streams a file. Throws a Refusal if this user has a download running, or the process has too many. */
export async function sendFile(
  request: Request,
  actor: Actor,
  { what, name, type, lines }: File,
): Promise<Response> {
  const headers = {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
    // no-transform: react-router-serve's compression adds a listener each time a slow client pauses.
    'Cache-Control': 'no-store, no-transform',
  };
  if (request.method === 'HEAD') return new Response(null, { headers });
  const limited = limitDownloads(actor, lines);
  await limited.next();
  emitEvent('export', { what, userId: actor.userId });
  // If the client has left, the response is neither read nor cancelled.
  const end = () => limited.return(undefined);
  request.signal.addEventListener('abort', end);
  if (request.signal.aborted) await end();
  return new Response(streamOf(limited), { headers });
}

/** Like `sendFile`, for a page: a refusal sets a flash message and reloads the page `back`. */
export async function download({ request, context }: Args, back: string, file: File): Promise<Response> {
  try {
    return await sendFile(request, actorOf(context), file);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    setFlash(context, 'error', error.message);
    const { status, message, retryAfter = 60 } = error;
    const headers = {
      'Content-Type': 'text/plain; charset=utf-8',
      'Retry-After': String(retryAfter),
      Refresh: `0; url=${back}`,
    };
    return new Response(`${message}\n`, { status, headers });
  }
}
