import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';

const COMPRESSED_BYTES_MIN = 1_024;

/** A client that sends quality values gets gzip. */
const ACCEPTS_BROTLI = /(?:^|,)\s*br\s*(?:,|$)/;

const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** The window fits the largest pages. A higher quality costs more CPU than rendering, for 5 % fewer bytes. */
const BROTLI = { [zlib.BROTLI_PARAM_QUALITY]: 1, [zlib.BROTLI_PARAM_LGWIN]: 18 };

type Encoder = { name: string; encode: (bytes: Buffer) => Buffer<ArrayBuffer> };

/** Synchronous: compressing a page takes less time than handing it to another thread. */
function encoderFor(accepted: string | null | undefined): Encoder | undefined {
  if (ACCEPTS_BROTLI.test(accepted ?? ''))
    return { name: 'br', encode: (bytes) => brotliCompressSync(bytes, { params: BROTLI }) };
  if (ACCEPTS_GZIP.test(accepted ?? ''))
    return { name: 'gzip', encode: (bytes) => gzipSync(bytes, { level: 1 }) };
  return undefined;
}

export const encodingFor = (accepted: string | null | undefined): string | undefined =>
  encoderFor(accepted)?.name;

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
  const encoder =
    bytes.length < COMPRESSED_BYTES_MIN ? undefined : encoderFor(request.headers.get('Accept-Encoding'));
  if (!/Accept-Encoding/i.test(headers.get('Vary') ?? '')) headers.append('Vary', 'Accept-Encoding');
  if (encoder) headers.set('Content-Encoding', encoder.name);
  const body = encoder ? encoder.encode(bytes) : bytes;
  headers.set('Content-Length', String(body.length));
  return new Response(body, { ...init, headers });
}
