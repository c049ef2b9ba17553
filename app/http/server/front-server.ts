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
 * - shared pages: most of what a public page costs is spent before the first middleware, see shared-pages.ts
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

/** For whatever is not a page: it runs nothing and loads nothing, also when a browser shows it by itself. */
const NOT_A_PAGE = `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'`;

type Headers = readonly (readonly [name: string, value: string])[];

const PLAIN: Headers = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Content-Security-Policy', NOT_A_PAGE],
];
const OVER_TLS: Headers = [...PLAIN, ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']];

/** The headers of every answer, whoever makes it. A page replaces the Content-Security-Policy by its own. */
const securityHeaders = (): Headers => (env().APP_URL.startsWith('https:') ? OVER_TLS : PLAIN);

const DRAIN_BYTES = 8 * 1024 * 1024;
const DRAIN_MS = 5_000;
/** A response whose client reads nothing for this long is aborted, which frees the memory that it holds. */
const STALLED_MS = 15_000;
/** The longest that sending a response may take: a client that reads very slowly holds the memory as well. */
const SEND_WITHIN_MS = 120_000;

const PAGE_METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];
/** The methods that React Router passes on to a route. */
const ROUTE_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/**
 * Carries the method of an API request that React Router would reject. The request is passed on as OPTIONS with this
 * header, so that the API can answer 405 with the methods of that path. Clients cannot set it: it is removed from
 * every request.
 */
export const METHOD_HEADER = 'x-tidepost-method';

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const API = /^\/+api\//i;
const HIDDEN = /\/\.(?!well-known\/security\.txt$)/;
/**
 * The most paths in one request for routes. React Router asks for every link of a page and the paths above it, in URLs of at
 * most 7,680 characters; links to rows have 50 characters or more.
 */
const MANIFEST_PATHS_MAX = 300;
const PARTS = ['range', 'if-range', 'if-match', 'if-unmodified-since'];
/** The status for each error code of a request that Node could not parse. All others are 400. */
const UNREADABLE: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

const SHUTDOWN_MS = 20_000;
const ACCEPTING_MS = 8_000;
/** Turns of the event loop in a row without a new connection. Each turn accepts at most one. */
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
  let isEnding = false;
  const [express] = server.listeners('request') as [RequestListener];
  server.removeListener('request', express);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    beforeHead(response, () => {
      if (isEnding) response.shouldKeepAlive = false;
    });
    readOutBody(request, response);
    beforeHead(response, () => limitSending(response, sendWithinMs));
    const path = normalize(request);
    const refusal = path === undefined ? malformed : refuse(request, path);
    if (refusal) send(request, response, path ?? '', refusal);
    else if (!sendCachedPage(request, response)) express(request, response);
  });
  // Node answers some requests without calling a listener, such as one without Host or with an unknown Expect.
  subscribe('http.server.response.created', (message) => {
    const { response } = message as { response: ServerResponse };
    beforeHead(response, () => setSecurityHeaders(response));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    sendRaw(socket, UNREADABLE[error.code ?? ''] ?? 400);
  });
  server.on('connect', (_request, socket: Duplex) =>
    sendRaw(socket, 405, [['Allow', PAGE_METHODS.join(', ')]]),
  );
  return () => {
    isEnding = true;
    return shutDown(server, open);
  };
}

/** Calls `act` just before the head of a response is written. */
function beforeHead(response: ServerResponse, act: () => void): void {
  const { writeHead } = response;
  response.writeHead = function (this: ServerResponse, ...args: unknown[]) {
    response.writeHead = writeHead;
    act();
    return writeHead.apply(this, args as Parameters<typeof writeHead>);
  } as typeof writeHead;
}

/**
 * Sets the security headers that a response does not have. Express's error pages have a content security policy that
 * lets other sites frame them, and the caching headers of the file that could not be sent: those are replaced.
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
  const late = setTimeout(() => response.destroy(), sendWithinMs);
  response.once('close', () => clearTimeout(late));
}

/** Reads and discards the rest of a rejected body, within limits, before the connection is closed. */
function readOutBody(request: IncomingMessage, response: ServerResponse): void {
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

/**
 * Rewrites a request into the form that express expects. Returns its decoded path, or undefined if the URL or the
 * Host header is invalid.
 */
function normalize(request: IncomingMessage): string | undefined {
  const { headers } = request;
  // The adapter drops empty headers. Request trims this space.
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

type Refusal = { status: number; code: string; message: string; allow?: string[] };

const malformed: Refusal = { status: 400, code: 'malformed', message: 'The address is not valid' };

/**
 * Returns the response to a request that is answered here, or undefined if the request goes on to express. Also
 * removes the headers that clients must not send, and hides the methods that React Router rejects (METHOD_HEADER).
 */
function refuse(request: IncomingMessage, path: string): Refusal | undefined {
  const { headers, method = '' } = request;
  for (const name of [METHOD_HEADER, ...PARTS]) delete headers[name];
  if (HIDDEN.test(path)) return { status: 404, code: 'not_found', message: 'There is nothing here' };
  if (isWrongManifest(request)) return malformed;
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
 * Whether this is a request for the routes of more paths than a page links to, or of a path that cannot be decoded: React
 * Router decodes the paths a second time, and writes one that fails into the log, control characters included.
 */
function isWrongManifest({ url = '' }: IncomingMessage): boolean {
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

function send(request: IncomingMessage, response: ServerResponse, path: string, refusal: Refusal): void {
  const { status, code, message, allow } = refusal;
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

/** Writes a response without a ServerResponse: to CONNECT, and to what could not be parsed as a request. */
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

async function shutDown(server: Server, open: Set<ServerResponse>): Promise<void> {
  const latest = performance.now() + SHUTDOWN_MS;
  await acceptWaiting(server);
  server.close();
  // Counted in checks, not in time: a busy process may not read from its sockets for longer than any grace period.
  for (
    let quiet = 0;
    quiet < QUIET_CHECKS && performance.now() < latest;
    quiet = open.size > 0 ? 0 : quiet + 1
  ) {
    if ((await countConnections(server)) === 0) return;
    await wait(CHECK_MS);
  }
  server.closeAllConnections();
}

/** Accepts the connections that the system has already queued. Closing the server would reset them. */
async function acceptWaiting(server: Server): Promise<void> {
  let quiet = 0;
  server.on('connection', () => {
    quiet = 0;
  });
  const latest = performance.now() + ACCEPTING_MS;
  for (; quiet < QUIET_TURNS && performance.now() < latest; quiet += 1) await turn();
}

const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));
