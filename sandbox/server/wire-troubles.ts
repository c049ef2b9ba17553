import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Trouble } from '#sandbox/linkedin/troubles.ts';
import { pause } from './http.ts';

const MEGABYTE = 1024 * 1024;
let bomb: Buffer | undefined;

/** How an answer that went well would have begun. */
export type Success = { status: number; headers: Record<string, string> };

const BODIES: Partial<Record<Trouble, () => { body: Buffer; headers?: Record<string, string> }>> = {
  '200': () => ({ body: Buffer.alloc(0) }),
  '201-no-id': () => ({ body: Buffer.alloc(0) }),
  'broken-json': () => ({ body: Buffer.from('{"id":"urn:li:sh') }),
  huge: () => ({ body: Buffer.from(JSON.stringify({ padding: 'x'.repeat(10 * MEGABYTE) })) }),
  'gzip-bomb': () => ({ body: gzipBomb(), headers: { 'content-encoding': 'gzip' } }),
};

/** A hundred members of ten megabytes each: 1 MB on the wire, 1 GB unpacked. */
function gzipBomb(): Buffer {
  const member = () => gzipSync(Buffer.alloc(10 * MEGABYTE));
  bomb ??= Buffer.concat(Array<Buffer>(100).fill(member()));
  return bomb;
}

/** The status the caller gets to see, however late; null when it sees none. */
export function statusOnWire(trouble: Trouble, success: Success): number | null {
  if (trouble === '200') return 200;
  return /^(?:drop|reset|hang)/.test(trouble) ? null : success.status;
}

/** Breaks the connection, keeps silent, or answers in a way no client likes. */
export async function misbehave(
  res: ServerResponse,
  trouble: Trouble,
  success: Success,
  delayMs: number | null,
) {
  if (trouble.startsWith('hang')) return;
  if (trouble.startsWith('drop')) return void res.destroy();
  if (trouble.startsWith('reset')) return void res.socket?.resetAndDestroy();
  if (trouble === 'drip') return drip(res, rawAnswer(res, success), delayMs ?? 1000);
  const status = trouble === '200' ? 200 : success.status;
  if (trouble === 'drip-body') {
    const body = JSON.stringify({ padding: 'x'.repeat(51) });
    res.writeHead(status, { ...success.headers, 'content-length': body.length });
    res.flushHeaders();
    return drip(res, body, delayMs ?? 1000);
  }
  const { body, headers } = BODIES[trouble]!();
  const kept = trouble === '201-no-id' ? {} : success.headers;
  const type = body.length > 0 ? { 'content-type': 'application/json' } : {};
  res.writeHead(status, { ...kept, ...type, ...headers, 'content-length': body.length });
  res.end(body);
}

function rawAnswer(res: ServerResponse, { status, headers }: Success): string {
  const all = { ...res.getHeaders(), ...headers, 'content-length': 0 };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} OK\r\n${lines.join('')}\r\n`;
}

/** Writes to the bare socket until everything is out or the client has gone. */
async function drip(res: ServerResponse, text: string, delayMs: number) {
  const { socket } = res;
  for (const byte of text) {
    if (!socket || socket.destroyed) return;
    socket.write(byte);
    await pause(res, delayMs);
  }
  socket?.end();
}
