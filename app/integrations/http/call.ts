import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher } from 'undici';

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

export type RemoteResponse = {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** False when the body broke off or is over 1 MiB; status and headers hold all the same. */
  isComplete: boolean;
};

/**
 * One HTTP call over kept-alive connections: no redirects, no retries, a total timeout. Answers for every
 * status. Throws RemoteUnreachable or RemoteUncertain when no status line came; when it is not sure that
 * nothing was sent, it is uncertain.
 */
export async function callRemote({ timeoutMs, url, body, ...call }: RemoteCall): Promise<RemoteResponse> {
  const { origin, host, pathname, search } = new URL(url);
  const exchange = new Exchange();
  const timer = setTimeout(() => exchange.giveUp(), timeoutMs);
  try {
    agent.dispatch({ ...call, origin, path: pathname + search, body: body ?? null }, exchange);
    return await exchange.answer;
  } catch (error) {
    const Failure = exchange.hasBegun ? RemoteUncertain : RemoteUnreachable;
    throw new Failure(`${host}: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? 'no answer';
}

/** What undici tells of one call. It looks at no clock before it has a connection; `giveUp` says when time is over. */
class Exchange implements Dispatcher.DispatchHandler {
  /** undici has a connection and is about to write the request, or has. */
  hasBegun = false;
  readonly #answer = Promise.withResolvers<RemoteResponse>();
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #head: Pick<RemoteResponse, 'status' | 'headers'> | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #over: Error | undefined;

  get answer(): Promise<RemoteResponse> {
    return this.#answer.promise;
  }

  giveUp(): void {
    this.#over = new Error('the time was over');
    this.#fail(this.#over);
    this.#controller?.abort(this.#over);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // What was given up before is never written.
    if (this.#over) return void controller.abort(this.#over);
    this.hasBegun = true;
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    const isInterim = status < 200;
    if (!isInterim) this.#head = { status, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= MOST_BYTES) return void this.#chunks.push(chunk);
    const tooLarge = new Error('the answer is too large');
    this.#fail(tooLarge);
    controller.abort(tooLarge);
  }

  onResponseEnd(): void {
    this.#end(true);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(error);
  }

  /** Status and headers stand, whatever becomes of the body. */
  #fail(error: Error): void {
    if (this.#head) this.#end(false);
    else this.#answer.reject(error);
  }

  #end(isWhole: boolean): void {
    const body = Buffer.concat(this.#chunks).toString('utf8');
    this.#answer.resolve({ ...this.#head!, body, isComplete: isWhole });
  }
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
