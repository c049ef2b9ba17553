import type { RouterContextProvider } from 'react-router';
import type { Actor } from '#app/domain/platform/actor.ts';
import { emitEvent } from '#app/domain/platform/events.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { actorOf } from '#app/http/session/session.ts';
import { limitAccount } from './rate-limit.ts';

/** A download holds some hundred rows for as long as its reader takes. */
const MOST_AT_ONCE = 5;
const downloading = new Set<string>();

const alreadyStarted = () =>
  new Refusal(
    429,
    'already_begun',
    'This file is being downloaded already. Please wait until that has ended and try again.',
    { retryAfter: 10 },
  );
const busy = () =>
  new Refusal(503, 'busy', 'Many people are downloading at the moment. Please try again in a minute.', {
    retryAfter: 60,
  });

/** `lines` with a place among the downloads of this process: taken before the first, which is empty, left at the end. */
async function* inPlace({ userId }: Actor, lines: AsyncGenerator<string>): AsyncGenerator<string> {
  if (downloading.has(userId)) throw alreadyStarted();
  if (downloading.size >= MOST_AT_ONCE) throw busy();
  downloading.add(userId);
  try {
    await limitAccount('export', userId);
    yield '';
    yield* lines;
  } finally {
    downloading.delete(userId);
  }
}

/** What is read from `lines` only as it is sent. */
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

/** The file with everything that is kept of an account. */
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

/**
 * Answers a file that is sent as it is read: it may be longer than a request should hold. One at a time for an
 * account, and few for the process, or a Refusal.
 */
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
  const own = inPlace(actor, lines);
  await own.next();
  emitEvent('export', { what, userId: actor.userId });
  // Nobody reads, or cancels, the answer to a request that has gone away while it was made.
  const leave = () => own.return(undefined);
  request.signal.addEventListener('abort', leave);
  if (request.signal.aborted) await leave();
  return new Response(streamOf(own), { headers });
}

/** As `sendFile` for a page: a browser that is refused goes on to `back`, where a notice says why. */
export async function download({ request, context }: Args, back: string, file: File): Promise<Response> {
  try {
    return await sendFile(request, actorOf(context), file);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    setFlash(context, 'error', error.message);
    return refused(error, back);
  }
}

function refused({ status, message, retryAfter = 60 }: Refusal, back: string): Response {
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Retry-After': String(retryAfter),
    Refresh: `0; url=${back}`,
  };
  return new Response(`${message}\n`, { status, headers });
}
