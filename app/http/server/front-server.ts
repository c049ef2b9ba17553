/**
 * Rules between Node's HTTP server and the express app of `react-router-serve`. A rule belongs here only when React
 * Router's middleware would run too late for it:
 *
 * - security headers: static files, express's error pages and the responses that Node writes itself never reach a
 *   route
 * - URL and Host header: express and its adapter answer 500 when they cannot parse them
 * - methods: the adapter cannot create a Request for some of them, and React Router rejects unknown ones before any
 *   middleware runs, without the Allow header that RFC 9110 requires
 * - route discovery: React Router matches each path of a `/__manifest` request with every route before any middleware
 *   runs, and sets no limit to how many there are
 * - dotfiles: express serves files in a folder whose name begins with a dot
 * - empty headers: the adapter drops them, but an empty Idempotency-Key or Origin must be rejected
 * - range and conditional requests: express logs each one that it cannot satisfy as an error
 * - send timeouts: only Node's response knows how fast the client reads
 * - rejected bodies: closing a connection while the client is still sending may lose the response
 * - cached pages: most of the cost of a public page arises before the first middleware, see page-cache.ts
 * - shutdown: `react-router-serve` closes its server at the signal, which resets connections that are being opened
 */
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
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { env } from '#app/env.ts';
import { logger } from '#app/log.ts';
import { sendCachedPage } from './page-cache.ts';

/** For responses that are not pages: nothing in them runs or loads. */
const NOT_A_PAGE = `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'`;

type Headers = readonly (readonly [name: string, value: string])[];

const PLAIN: Headers = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Content-Security-Policy', NOT_A_PAGE],
];
const WITH_HSTS: Headers = [...PLAIN, ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']];

/** The headers of every response. A page has its own Content-Security-Policy. */
const securityHeaders = (): Headers => (env().APP_URL.startsWith('https:') ? WITH_HSTS : PLAIN);

const DRAIN_BYTES = 8 * 1024 * 1024;
const DRAIN_MS = 5_000;
/** A response is aborted when its client reads nothing for this long, to free its memory. */
const STALLED_MS = 15_000;
/** The longest that sending a response may take: a client that reads very slowly holds memory too. */
const SEND_WITHIN_MS = 120_000;

const PAGE_METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];
const ROUTE_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/**
 * Carries the method of an API request that React Router would reject. The request is passed on as OPTIONS with this
 * header, so that the API can answer 405 with the methods of that path. Clients cannot set it: it is removed from
 * every request.
 */
export const METHOD_HEADER = 'x-tidepost-method';

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const API = /^\/+api\//i;
const DOTFILE = /\/\.(?!well-known\/security\.txt$)/;
/**
 * The most paths in one route discovery request. React Router requests every link of a page and its parent paths, in URLs
 * of at most 7,680 characters; links to rows have 50 characters or more.
 */
const MANIFEST_PATHS_MAX = 300;
const RANGE_HEADERS = ['range', 'if-range', 'if-match', 'if-unmodified-since'];
/** The status for each code of a parse error of Node. All others are 400. */
const PARSE_ERRORS: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

const SHUTDOWN_MS = 20_000;
const ACCEPT_MS = 8_000;
/** Event loop turns in a row without a new connection. Each turn accepts at most one. */
const QUIET_TURNS = 20;
const CHECK_MS = 10;
/** Checks in a row that must find no open request: an open connection may have a request that is still on its way. */
const QUIET_CHECKS = 20;

/**
 * Puts these rules in front of a server's request listener. Call it before the first request.
 *
 * @param sendWithinMs The longest that sending a response may take.
 * @returns A function that shuts the server down: it accepts no new connections, and resolves when all open requests
 *   have been answered, or after 20 seconds.
 */
export function guardServer(server: Server, sendWithinMs = SEND_WITHIN_MS): () => Promise<void> {
  const open = new Set<ServerResponse>();
  let isShuttingDown = false;
  const [express] = server.listeners('request') as [RequestListener];
  server.removeListener('request', express);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    beforeHead(response, () => {
      if (isShuttingDown) response.shouldKeepAlive = false;
    });
    drainBody(request, response);
    beforeHead(response, () => limitSending(response, sendWithinMs));
    const path = normalize(request);
    const rejection = path === undefined ? MALFORMED : reject(request, path);
    if (rejection) sendRejection(request, response, path ?? '', rejection);
    else if (!sendCachedPage(request, response)) express(request, response);
  });
  // Node responds to some requests without calling a listener, such as one without Host or with an unknown Expect.
  subscribe('http.server.response.created', (message) => {
    const { response } = message as { response: ServerResponse };
    beforeHead(response, () => setSecurityHeaders(response));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    sendRaw(socket, PARSE_ERRORS[error.code ?? ''] ?? 400);
  });
  server.on('connect', (_request, socket: Duplex) =>
    sendRaw(socket, 405, [['Allow', PAGE_METHODS.join(', ')]]),
  );
  return () => {
    isShuttingDown = true;
    return shutDown(server, open);
  };
}

/** Calls `callback` just before the head of a response is written. */
function beforeHead(response: ServerResponse, callback: () => void): void {
  const { writeHead } = response;
  response.writeHead = function (this: ServerResponse, ...args: unknown[]) {
    response.writeHead = writeHead;
    callback();
    return writeHead.apply(this, args as Parameters<typeof writeHead>);
  } as typeof writeHead;
}

/**
 * Adds missing security headers. On express's error pages it also replaces a policy that lets other sites frame them, and
 * the caching headers of the file that could not be sent.
 */
function setSecurityHeaders(response: ServerResponse): void {
  if (response.statusCode >= 400) response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of securityHeaders()) {
    const own = response.getHeader(name);
    const isLoose = name === 'Content-Security-Policy' && !String(own).includes('frame-ancestors');
    if (own === undefined || isLoose) response.setHeader(name, value);
  }
}

function limitSending(response: ServerResponse, sendWithinMs: number): void {
  response.setTimeout(STALLED_MS);
  const timer = setTimeout(() => response.destroy(), sendWithinMs);
  response.once('close', () => clearTimeout(timer));
}

/** Reads and discards the rest of a rejected body, within limits, before the connection is closed. */
function drainBody(request: IncomingMessage, response: ServerResponse): void {
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
    let remaining = DRAIN_BYTES;
    const timer = setTimeout(() => socket.destroy(), DRAIN_MS);
    request.removeAllListeners('data');
    request.on('data', (chunk: Buffer) => {
      remaining -= chunk.length;
      if (remaining < 0) socket.destroy();
    });
    request.once('end', end);
    request.once('close', () => clearTimeout(timer));
    request.resume();
  });
}

/**
 * Rewrites a request into the form that express expects. Returns its decoded path, or undefined if the URL or the
 * Host header is invalid.
 */
function normalize(request: IncomingMessage): string | undefined {
  const { headers } = request;
  // The adapter drops empty headers. The Request constructor trims this space.
  for (const name in headers) if (headers[name] === '') headers[name] = ' ';
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

type Rejection = { status: number; code: string; message: string; allow?: string[] };

const MALFORMED: Rejection = { status: 400, code: 'malformed', message: 'The address is not valid' };

/**
 * Returns why a request is rejected here, or undefined if it goes on to express. Also removes the headers that clients
 * must not send, and hides methods that React Router rejects (METHOD_HEADER).
 */
function reject(request: IncomingMessage, path: string): Rejection | undefined {
  const { headers, method = '' } = request;
  for (const name of [METHOD_HEADER, ...RANGE_HEADERS]) delete headers[name];
  if (DOTFILE.test(path)) return { status: 404, code: 'not_found', message: 'There is nothing here' };
  if (isInvalidManifest(request)) return MALFORMED;
  if (API.test(path)) {
    if (ROUTE_METHODS.has(method)) return undefined;
    headers[METHOD_HEADER] = method;
    request.method = 'OPTIONS';
    return undefined;
  }
  if (method === 'OPTIONS') return { status: 204, code: '', message: '', allow: PAGE_METHODS };
  if (PAGE_METHODS.includes(method)) return undefined;
  return { status: 405, code: 'method_not_allowed', message: 'Use GET or POST', allow: PAGE_METHODS };
}

/**
 * Whether this is a route discovery request with too many paths, or with one that cannot be decoded: React Router decodes
 * them a second time, and logs one that fails with all its control characters.
 */
function isInvalidManifest({ url = '' }: IncomingMessage): boolean {
  const { pathname, searchParams } = new URL(`http://localhost${url}`);
  if (pathname !== '/__manifest') return false;
  const paths = searchParams.getAll('paths').join();
  return paths.split(',', MANIFEST_PATHS_MAX + 1).length > MANIFEST_PATHS_MAX || !isDecodable(paths);
}

function isDecodable(paths: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(paths));
  } catch {
    return false;
  }
}

function sendRejection(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { status, code, message, allow }: Rejection,
): void {
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

/** Writes a response to CONNECT, or to an unparsable request, which have no ServerResponse. */
function sendRaw(socket: Duplex, status: number, extraHeaders: [string, string][] = []): void {
  const text = `${STATUS_CODES[status]}\n`;
  const headers = [
    ...securityHeaders(),
    ...extraHeaders,
    ['Cache-Control', 'no-store'],
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Content-Length', String(text.length)],
    ['Connection', 'close'],
  ];
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${text}`);
}

async function shutDown(server: Server, open: Set<ServerResponse>): Promise<void> {
  const deadline = performance.now() + SHUTDOWN_MS;
  await acceptWaiting(server);
  server.close();
  // Counts checks, not time: a busy process may not read from its sockets for longer than any grace period.
  for (
    let quiet = 0;
    quiet < QUIET_CHECKS && performance.now() < deadline;
    quiet = open.size > 0 ? 0 : quiet + 1
  ) {
    if ((await countConnections(server)) === 0) return;
    await wait(CHECK_MS);
  }
  server.closeAllConnections();
}

/** Accepts the connections that the kernel has queued. Closing the server would reset them. */
async function acceptWaiting(server: Server): Promise<void> {
  let quiet = 0;
  server.on('connection', () => {
    quiet = 0;
  });
  const deadline = performance.now() + ACCEPT_MS;
  for (; quiet < QUIET_TURNS && performance.now() < deadline; quiet += 1) await turn();
}

const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));
