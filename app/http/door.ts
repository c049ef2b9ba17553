import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { env } from '#app/env.ts';
import { logger } from '#app/log.ts';
import { ASKED_METHOD } from './asked-method.ts';
import { findFiles, offerPacked } from './packed-assets.ts';
import { securityHeaders } from './security-headers.ts';
import { answerBeacon, isBeacon } from './visits.ts';

/** What is left of a refused body is read and thrown away, so that its sender sees the answer. */
const DRAIN_BYTES = 8 * 1024 * 1024;
const DRAIN_MS = 5_000;
/** An answer of which its reader takes nothing for so long, or twice as long, is given up with what it holds. */
const STALLED_MS = 15_000;
/** And one that is not taken as a whole within this, however much of it is: who reads by drops holds it as long. */
const LONGEST_MS = 120_000;

const PAGE_METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];
/** The methods that React Router hands to a route. */
const ROUTED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const API = /^\/+api\//i;
/** What begins with a dot is nobody's but for the one address that everybody looks for. */
const HIDDEN = /\/\.(?!well-known\/security\.txt$)/;
/** React Router would read a file as a whole to answer it as data. No page or form may have an address that ends so. */
const FILE_AS_DATA = /\.\w+\/*_?\.data$/;
/** Nothing is sent in parts here, or has versions to name. The server behind would log its own refusals as errors. */
const PARTS = ['range', 'if-range', 'if-match', 'if-unmodified-since'];
/** What Node says of bytes that it could not read as a request, and the status for it; all else is 400. */
const UNREADABLE: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

type Answer = { status: number; code: string; message: string; allow?: string[] };

const malformed = (message: string): Answer => ({ status: 400, code: 'malformed', message });
const missing = (message: string): Answer => ({ status: 404, code: 'not_found', message });

/**
 * Stands before the server that `react-router-serve` listens with: gives every answer the same security
 * headers, answers what that server would fail at, and lets refused bodies run out. The server itself answers for files
 * alone. Call it before the first request.
 *
 * @param client The folder of the build that browsers see.
 * @param answerPage Answers all that is no file.
 * @param longestMs How long the sending of an answer may take.
 */
export function guardDoor(
  server: Server,
  client: string,
  answerPage: RequestListener,
  longestMs = LONGEST_MS,
): void {
  const offer = offerPacked(client);
  const isFile = findFiles(client);
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  // Node answers some requests by itself, without telling any listener: no Host, an Expect that nobody meets.
  subscribe('http.server.response.created', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (serverOf(request) === server) beforeHead(response, () => secure(response));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isBeacon(request)) return answerBeacon(request, response);
    letBodyRunOut(request, response);
    beforeHead(response, () => sendInTime(response, longestMs));
    const path = straighten(request);
    if (path === undefined) return send(request, response, '', malformed('The address is not valid'));
    const answer = look(request, path);
    if (answer) return send(request, response, path, answer);
    if (!isFile(path)) return answerPage(request, response);
    offer(request, response, path);
    for (const listener of listeners) listener.call(server, request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    sendRaw(socket, UNREADABLE[error.code ?? ''] ?? 400);
  });
  server.on('connect', (_request, socket: Duplex) =>
    sendRaw(socket, 405, [['Allow', PAGE_METHODS.join(', ')]]),
  );
}

const serverOf = ({ socket }: IncomingMessage) => (socket as { server?: unknown }).server;

function sendInTime(response: ServerResponse, longestMs: number): void {
  response.setTimeout(STALLED_MS);
  const late = setTimeout(() => response.destroy(), longestMs);
  response.once('close', () => clearTimeout(late));
}

/**
 * The error pages of express bring a policy of their own that lets others frame them, and what was said about
 * keeping the file that could not be sent.
 */
function secure(response: ServerResponse): void {
  if (response.statusCode >= 400) response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of securityHeaders()) {
    const own = response.getHeader(name);
    const isLoose = name === 'Content-Security-Policy' && !String(own).includes('frame-ancestors');
    if (own === undefined || isLoose) response.setHeader(name, value);
  }
}

/** Runs `act` when the head of an answer is about to be written. */
export function beforeHead(response: ServerResponse, act: () => void): void {
  const { writeHead } = response;
  response.writeHead = function (this: ServerResponse, ...args: unknown[]) {
    response.writeHead = writeHead;
    act();
    return writeHead.apply(this, args as Parameters<typeof writeHead>);
  } as typeof writeHead;
}

/** Brings the address and the host into the form that every server expects. Answers the decoded path. */
function straighten(request: IncomingMessage): string | undefined {
  const { headers } = request;
  headers.host ??= new URL(env().APP_URL).host;
  let address = request.url ?? '';
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) {
    const { pathname, search } = new URL(address);
    address = pathname + search;
  }
  if (request.method === 'OPTIONS' && address === '*') address = '/';
  request.url = address;
  if (!address.startsWith('/') || !HOST.test(headers.host)) return undefined;
  try {
    new URL(`http://${headers.host}${address}`);
    return decodeURIComponent(address.split(/[?#]/, 1)[0]!);
  } catch {
    return undefined;
  }
}

/** What has to be answered here; undefined for all that goes on. */
function look(request: IncomingMessage, path: string): Answer | undefined {
  const { headers, method = '' } = request;
  for (const name of [ASKED_METHOD, ...PARTS]) delete headers[name];
  if (HIDDEN.test(path) || FILE_AS_DATA.test(path)) return missing('There is nothing here');
  if (API.test(path)) {
    if (path.endsWith('.data')) return missing('There is no such call');
    if (ROUTED_METHODS.has(method)) return undefined;
    // Only the call knows which methods it has, and React Router asks it for those it knows itself.
    headers[ASKED_METHOD] = method;
    request.method = 'OPTIONS';
    return undefined;
  }
  if (method === 'OPTIONS') return { status: 204, code: '', message: '', allow: PAGE_METHODS };
  if (PAGE_METHODS.includes(method)) return undefined;
  return { status: 405, code: 'method_not_allowed', message: 'Use GET or POST', allow: PAGE_METHODS };
}

function send(request: IncomingMessage, response: ServerResponse, path: string, answer: Answer): void {
  const { status, code, message, allow } = answer;
  const requestId = randomUUID();
  response.statusCode = status;
  response.setHeader('X-Request-Id', requestId);
  response.setHeader('Cache-Control', 'no-store');
  if (allow) response.setHeader('Allow', allow.join(', '));
  logger().info({ requestId, method: request.method, path, status }, 'request');
  if (status === 204) return void response.end();
  const isApi = API.test(path || (request.url ?? ''));
  response.setHeader('Content-Type', isApi ? 'application/json' : 'text/plain; charset=utf-8');
  response.end(isApi ? JSON.stringify({ message, code }) : `${message}\n`);
}

/** The answer to what could not be read as a request at all. */
function sendRaw(socket: Duplex, status: number, more: [string, string][] = []): void {
  const text = `${STATUS_CODES[status]}\n`;
  const headers = [
    ...securityHeaders(),
    ...more,
    ['Cache-Control', 'no-store'],
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Content-Length', String(text.length)],
    ['Connection', 'close'],
  ];
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${text}`);
}

/**
 * A connection that is closed on a sender who still sends is reset, and the answer may be lost with it: it
 * stays open until the body has run out, within bounds.
 */
function letBodyRunOut(request: IncomingMessage, response: ServerResponse): void {
  let closesAfter = false;
  beforeHead(response, () => {
    if (request.complete || response.shouldKeepAlive) return;
    closesAfter = true;
    response.shouldKeepAlive = true;
  });
  const { socket } = request;
  const end = () => {
    if (closesAfter) socket.end();
  };
  response.once('finish', () => {
    if (request.complete) return end();
    let left = DRAIN_BYTES;
    const late = setTimeout(() => socket.destroy(), DRAIN_MS);
    request.removeAllListeners('data');
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) socket.destroy();
    });
    request.once('end', end);
    request.once('close', () => clearTimeout(late));
    request.resume();
  });
}
