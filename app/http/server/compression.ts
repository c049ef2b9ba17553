import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';

const WORTH_PACKING = 1_024;

/** A reader that gives weights to what it reads is not taken to read brotli. */
const READS_BROTLI = /(?:^|,)\s*br\s*(?:,|$)/;

/** Whatever weight it gives, but none. */
const READS_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** A window as large as the largest pages. Better qualities cost more than rendering for a twentieth less to send. */
const BROTLI = { [zlib.BROTLI_PARAM_QUALITY]: 1, [zlib.BROTLI_PARAM_LGWIN]: 18 };

type Encoder = { name: string; pack: (bytes: Buffer) => Buffer<ArrayBuffer> };

/** Both block this thread: compressing a page takes less time than handing it to another thread. */
function packingFor(encodings: string): Encoder | undefined {
  if (READS_BROTLI.test(encodings))
    return { name: 'br', pack: (bytes) => brotliCompressSync(bytes, { params: BROTLI }) };
  if (READS_GZIP.test(encodings)) return { name: 'gzip', pack: (bytes) => gzipSync(bytes, { level: 1 }) };
  return undefined;
}

/** The encoding that a page gets for this Accept-Encoding header, or undefined. */
export const encodingFor = (accepted: string | null | undefined): string | undefined =>
  packingFor(accepted ?? '')?.name;

/**
 * Returns a response with `bytes` as its body, compressed if the client accepts it: with brotli at its lowest
 * quality, which takes half the time of gzip, else with gzip. Bodies under 1 KiB stay as they are. Content-Length is
 * always set; without it, react-router-serve would compress the body itself.
 */
export function compressedResponse(
  bytes: Buffer<ArrayBuffer>,
  request: Request,
  init: ResponseInit,
): Response {
  const headers = new Headers(init.headers);
  const packing =
    bytes.length < WORTH_PACKING ? undefined : packingFor(request.headers.get('Accept-Encoding') ?? '');
  if (!/Accept-Encoding/i.test(headers.get('Vary') ?? '')) headers.append('Vary', 'Accept-Encoding');
  if (packing) headers.set('Content-Encoding', packing.name);
  const body = packing ? packing.pack(bytes) : bytes;
  headers.set('Content-Length', String(body.length));
  return new Response(body, { ...init, headers });
}
