import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher, request } from 'undici';

const MOST_BYTES = 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

// HTTP/1.1 only: an HTTP/2 session may send a refused stream again by itself.
const agent = new Agent({ allowH2: false, connect: { timeout: CONNECT_TIMEOUT_MS } });

/**
 * The call certainly did not reach the remote: no name, no connection, no TLS, or the time was over before
 * the first byte of the request was written. Sending it again is safe.
 */
export class RemoteUnreachable extends Error {
  override name = 'RemoteUnreachable';
}

/**
 * The first byte may have left and no answer came: timeout, reset, end of stream. The remote may or may
 * not have acted.
 */
export class RemoteUncertain extends Error {
  override name = 'RemoteUncertain';
}

export type RemoteCall = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From the first name lookup to the last byte of the answer. */
  timeoutMs: number;
};

export type RemoteAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** False when the body broke off or is over 1 MiB; status and headers hold all the same. */
  isWhole: boolean;
};

/**
 * One HTTP call over kept-alive connections: no redirects, no retries, a total timeout. Answers for every
 * status. Throws RemoteUnreachable or RemoteUncertain when no status line came; when it is not sure that
 * nothing was sent, it is uncertain.
 */
export async function callRemote({ timeoutMs, url, body, ...call }: RemoteCall): Promise<RemoteAnswer> {
  let hasBegun = false;
  const signal = AbortSignal.timeout(timeoutMs);
  const dispatcher = agent.compose(watchStart(signal, () => (hasBegun = true)));
  try {
    const sent = request(url, { ...call, body: body ?? null, dispatcher, signal });
    const answer = await untilAborted(sent, signal);
    const { statusCode: status, headers } = answer;
    return { status, headers, ...(await readCapped(answer.body)) };
  } catch (error) {
    const message = `${new URL(url).host}: ${signal.aborted ? 'the time was over' : reasonOf(error)}`;
    throw new (hasBegun ? RemoteUncertain : RemoteUnreachable)(message, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? 'no answer';
}

/** Rejects as soon as the signal says so: undici itself looks at it only once it has a connection. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([promise, aborted]);
}

/**
 * Calls `onStart` when undici has a connection and is about to write the request to it. A request that
 * was given up before that is never written.
 */
function watchStart(signal: AbortSignal, onStart: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        if (signal.aborted) return controller.abort(signal.reason as Error);
        onStart();
        handler.onRequestStart?.(controller, context);
      },
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
}

async function readCapped(stream: Dispatcher.ResponseData['body']) {
  const chunks: Buffer[] = [];
  let size = 0;
  let isWhole = true;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      isWhole = size <= MOST_BYTES;
      if (!isWhole) break;
      chunks.push(chunk);
    }
  } catch {
    isWhole = false;
  }
  return { body: Buffer.concat(chunks).toString('utf8'), isWhole };
}

/** Parses a JSON object; undefined for HTML, for an empty body and for everything else. */
export function readObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
