import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';

const WORTH_PACKING = 1_024;

const known = new WeakMap<Response, Buffer<ArrayBuffer>>();
const unpacked = new WeakSet<Response>();

/** The body of a response that was made from bytes: to read it back would cost as much as to render a part of it. */
export const bytesOf = (response: Response): Buffer<ArrayBuffer> | undefined => known.get(response);

/** It is ready to be sent as it is: whoever it is for reads no other packing. */
export const isPacked = (response: Response): boolean => known.has(response) && !unpacked.has(response);

/** A body of bytes that are copied when somebody reads it; nobody does who sends the bytes themselves. */
const bodyOf = (bytes: Buffer<ArrayBuffer>) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        controller.enqueue(new Uint8Array(bytes));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );

function ofBytes(bytes: Buffer<ArrayBuffer>, init: ResponseInit): Response {
  const response = new Response(bodyOf(bytes), init);
  known.set(response, bytes);
  return response;
}

/** As `Response.json`, of bytes that nobody has to read back. */
export function jsonOf(value: unknown, status: number): Response {
  const headers = { 'Content-Type': 'application/json' };
  const response = ofBytes(Buffer.from(JSON.stringify(value)), { status, headers });
  unpacked.add(response);
  return response;
}

/** A reader that gives weights to what it reads is not taken to read brotli. */
const READS_BROTLI = /(?:^|,)\s*br\s*(?:,|$)/;

/** Whatever weight it gives, but none. */
const READS_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** @param encodings The header Accept-Encoding. */
export const readsBrotli = (encodings = ''): boolean => READS_BROTLI.test(encodings);

/** A window as large as the largest pages. Better qualities cost more than rendering for a twentieth less to send. */
const BROTLI = { [zlib.BROTLI_PARAM_QUALITY]: 1, [zlib.BROTLI_PARAM_LGWIN]: 18 };

type Packing = { name: string; pack: (bytes: Buffer) => Buffer<ArrayBuffer> };

/** What its reader unpacks, by the header Accept-Encoding. Both work here and now: a page is packed sooner than another thread is woken for it. */
export function packingFor(encodings: string): Packing | undefined {
  if (readsBrotli(encodings))
    return { name: 'br', pack: (bytes) => brotliCompressSync(bytes, { params: BROTLI }) };
  if (READS_GZIP.test(encodings)) return { name: 'gzip', pack: (bytes) => gzipSync(bytes, { level: 1 }) };
  return undefined;
}

/**
 * A response of `bytes`, packed quickly for whoever reads that: brotli at its lowest qualities takes half of what gzip
 * takes. The server's own compression, with a large window, costs more than rendering; it leaves an encoded answer alone.
 */
export function packed(bytes: Buffer<ArrayBuffer>, request: Request, init: ResponseInit): Response {
  const headers = new Headers(init.headers);
  let body = bytes;
  const packing =
    bytes.length < WORTH_PACKING ? undefined : packingFor(request.headers.get('Accept-Encoding') ?? '');
  if (packing) {
    headers.set('Content-Encoding', packing.name);
    headers.append('Vary', 'Accept-Encoding');
    body = packing.pack(bytes);
  }
  headers.delete('Content-Length');
  return ofBytes(body, { ...init, headers });
}
