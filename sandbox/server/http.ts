import type { IncomingMessage, ServerResponse } from 'node:http';

export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  url: URL;
  /** The path without percent-decoding, because Rest.li keys must be encoded. */
  rawPath: string;
  origin: string;
};

const MAX_BODY = 12 * 1024 * 1024;

/** Ends the handling of a request with this response. */
export class ThrownResponse extends Error {
  status: number;
  body: unknown;
  headers: Record<string, string>;
  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(`response ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export function exchange(req: IncomingMessage, res: ServerResponse): Exchange {
  const origin = `http://${req.headers.host ?? '127.0.0.1'}`;
  const target = (req.url ?? '/').startsWith('/') ? (req.url ?? '/') : '/';
  return { req, res, url: new URL(origin + target), rawPath: target.split('?')[0] ?? '/', origin };
}

export async function readBytes(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new ThrownResponse(413, { message: 'Request entity too large', status: 413 });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export async function readText(req: IncomingMessage): Promise<string> {
  return (await readBytes(req)).toString('utf8');
}

export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(req));
}

/** An empty body is an empty object. */
export async function readJson(req: IncomingMessage): Promise<Record<string, unknown>> {
  const text = await readText(req);
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {}
  throw new ThrownResponse(400, { error: 'The body must be a JSON object.' });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isForm(req: IncomingMessage): boolean {
  return (req.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
}

export function bearer(req: IncomingMessage): string {
  return /^Bearer\s+(\S+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
}

export function basicAuth(req: IncomingMessage): { id: string; secret: string } | null {
  const encoded = /^Basic\s+(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (!encoded) return null;
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  try {
    return { id: decodeURIComponent(id), secret: decodeURIComponent(rest.join(':')) };
  } catch {
    return null;
  }
}

function end(res: ServerResponse, status: number, headers: Record<string, string>, body: string | Buffer) {
  if (res.destroyed || res.headersSent) return;
  res.writeHead(status, {
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  res.end(body);
}

export function sendJson(res: ServerResponse, status: number, body: unknown, headers = {}) {
  end(res, status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));
}

/** Server-sent events without names: objects as JSON, strings as they are. */
export function sendEvents(res: ServerResponse, events: (object | string)[]) {
  const lines = events.map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`);
  end(res, 200, { 'content-type': 'text/event-stream; charset=utf-8' }, lines.join(''));
}

export function sendHtml(res: ServerResponse, status: number, page: string, headers = {}) {
  end(res, status, { 'content-type': 'text/html; charset=utf-8', ...headers }, page);
}

export function sendEmpty(res: ServerResponse, status: number, headers: Record<string, string> = {}) {
  end(res, status, headers, '');
}

export function sendBytes(res: ServerResponse, bytes: Buffer, type: string) {
  end(res, 200, { 'content-type': type, 'x-content-type-options': 'nosniff' }, bytes);
}

export function redirect(res: ServerResponse, location: string) {
  end(res, 303, { location }, '');
}

/** Waits, or stops waiting when the client has gone. */
export function pause(res: ServerResponse, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (ms <= 0 || res.destroyed) return resolve();
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      res.off('close', done);
      resolve();
    }
    res.on('close', done);
  });
}
