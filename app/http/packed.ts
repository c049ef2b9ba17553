import { gzipSync } from 'node:zlib';

const WORTH_PACKING = 1_024;

const known = new WeakMap<Response, Buffer>();

/** The body of a response that was made from bytes: to read it back would cost as much as to render a part of it. */
export const bytesOf = (response: Response): Buffer | undefined => known.get(response);

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

/**
 * A response of `bytes`, packed at gzip level 1 for whoever reads that. The server's own compression prefers brotli with a
 * large window, which costs more than rendering; it leaves an encoded answer alone.
 */
export function packed(bytes: Buffer<ArrayBuffer>, request: Request, init: ResponseInit): Response {
  const headers = new Headers(init.headers);
  let body = bytes;
  if (bytes.length >= WORTH_PACKING && /\bgzip\b/.test(request.headers.get('Accept-Encoding') ?? '')) {
    headers.set('Content-Encoding', 'gzip');
    headers.append('Vary', 'Accept-Encoding');
    // A page is packed sooner than another thread is woken for it.
    body = gzipSync(bytes, { level: 1 });
  }
  headers.delete('Content-Length');
  const response = new Response(bodyOf(body), { ...init, headers });
  known.set(response, body);
  return response;
}
