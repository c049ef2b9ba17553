import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Failure } from '#sandbox/linkedin/troubles.ts';
import { pause } from './http.ts';

const MEGABYTE = 1024 * 1024;
let bomb: Buffer | undefined;

/** The head of a successful response. */
export type Success = { status: number; headers: Record<string, string> };

const BODIES: Partial<Record<Failure, () => { body: Buffer; headers?: Record<string, string> }>> = {
  '200': () => ({ body: Buffer.alloc(0) }),
  '201-no-id': () => ({ body: Buffer.alloc(0) }),
  'broken-json': () => ({ body: Buffer.from('{"id":"urn:li:sh') }),
  huge: () => ({ body: Buffer.from(JSON.stringify({ padding: 'x'.repeat(10 * MEGABYTE) })) }),
  'gzip-bomb': () => ({ body: gzipBomb(), headers: { 'content-encoding': 'gzip' } }),
};

/** 100 gzip members of 10 MB each: 1 MB compressed, 1 GB uncompressed. */
function gzipBomb(): Buffer {
  const member = () => gzipSync(Buffer.alloc(10 * MEGABYTE));
  bomb ??= Buffer.concat(Array<Buffer>(100).fill(member()));
  return bomb;
}

/** The status that the caller receives, or null. */
export function statusOnWire(failure: Failure, success: Success): number | null {
  if (failure === '200') return 200;
  return /^(?:drop|reset|hang)/.test(failure) ? null : success.status;
}

/** Breaks the connection, sends no response, or sends a faulty one. */
export async function sendFailure(
  res: ServerResponse,
  failure: Failure,
  success: Success,
  delayMs: number | null,
) {
  if (failure.startsWith('hang')) return;
  if (failure.startsWith('drop')) return void res.destroy();
  if (failure.startsWith('reset')) return void res.socket?.resetAndDestroy();
  if (failure === 'drip') return drip(res, rawResponse(res, success), delayMs ?? 1000);
  const status = failure === '200' ? 200 : success.status;
  if (failure === 'drip-body') {
    const body = JSON.stringify({ padding: 'x'.repeat(51) });
    res.writeHead(status, { ...success.headers, 'content-length': body.length });
    res.flushHeaders();
    return drip(res, body, delayMs ?? 1000);
  }
  const { body, headers } = BODIES[failure]!();
  const successHeaders = failure === '201-no-id' ? {} : success.headers;
  const type = body.length > 0 ? { 'content-type': 'application/json' } : {};
  res.writeHead(status, { ...successHeaders, ...type, ...headers, 'content-length': body.length });
  res.end(body);
}

function rawResponse(res: ServerResponse, { status, headers }: Success): string {
  const all = { ...res.getHeaders(), ...headers, 'content-length': 0 };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} OK\r\n${lines.join('')}\r\n`;
}

/** Writes to the socket byte by byte until the client disconnects. */
async function drip(res: ServerResponse, text: string, delayMs: number) {
  const { socket } = res;
  for (const byte of text) {
    if (!socket || socket.destroyed) return;
    socket.write(byte);
    await pause(res, delayMs);
  }
  socket?.end();
}
