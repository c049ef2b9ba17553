import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher } from 'undici';

const RESPONSE_BYTES_MAX = 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

// HTTP/1.1 only: an HTTP/2 session may automatically send a refused stream again.
const agent = new Agent({ allowH2: false, connect: { timeout: CONNECT_TIMEOUT_MS } });

/** The request was certainly not sent: no DNS entry, connection or TLS, or a timeout before. Sending it again is safe. */
export class RemoteUnreachable extends Error {
  override name = 'RemoteUnreachable';
}

/** The request may have been sent, but no response came: a timeout, or a lost connection. The remote may have acted. */
export class RemoteUncertain extends Error {
  override name = 'RemoteUncertain';
}

export type RemoteCall = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From the DNS lookup to the last byte of the response. */
  timeoutMs: number;
};

export type RemoteResponse = {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** False when the body broke off or is over 1 MiB. Status and headers are valid in any case. */
  isComplete: boolean;
};

/**
 * Makes one HTTP call without redirects or retries. Returns the response with any status. Throws RemoteUnreachable if the
 * request was certainly not sent, and RemoteUncertain if it may have been, but no status line came.
 */
export async function callRemote({ timeoutMs, url, body, ...call }: RemoteCall): Promise<RemoteResponse> {
  const { origin, host, pathname, search } = new URL(url);
  const exchange = new Exchange();
  const timer = setTimeout(() => exchange.timeOut(), timeoutMs);
  try {
    agent.dispatch({ ...call, origin, path: pathname + search, body: body ?? null }, exchange);
    return await exchange.response;
  } catch (error) {
    const Failure = exchange.isSent ? RemoteUncertain : RemoteUnreachable;
    throw new Failure(`${host}: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? 'no answer';
}

/** Handles undici's events for one call. undici's own timeouts start only once it has a connection. */
class Exchange implements Dispatcher.DispatchHandler {
  /** undici has a connection and is about to write the request, or has done so. */
  isSent = false;
  readonly #response = Promise.withResolvers<RemoteResponse>();
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #head: Pick<RemoteResponse, 'status' | 'headers'> | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #timeout: Error | undefined;

  get response(): Promise<RemoteResponse> {
    return this.#response.promise;
  }

  timeOut(): void {
    this.#timeout = new Error('the time was over');
    this.#fail(this.#timeout);
    this.#controller?.abort(this.#timeout);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#timeout) return void controller.abort(this.#timeout);
    this.isSent = true;
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    const isInterim = status < 200;
    if (!isInterim) this.#head = { status, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= RESPONSE_BYTES_MAX) return void this.#chunks.push(chunk);
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

  #fail(error: Error): void {
    if (this.#head) this.#end(false);
    else this.#response.reject(error);
  }

  #end(isComplete: boolean): void {
    const body = Buffer.concat(this.#chunks).toString('utf8');
    this.#response.resolve({ ...this.#head!, body, isComplete });
  }
}

/** Parses a JSON object. Returns undefined for anything else, such as HTML. */
export function parseJsonObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
