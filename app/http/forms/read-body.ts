/**
 * Returns the body of a request, or undefined if it has more than `maxBytes`. The stream is never cancelled: that would
 * close the connection before the response is sent.
 */
export async function readBody(request: Request, maxBytes: number): Promise<Buffer<ArrayBuffer> | undefined> {
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) return undefined;
  const { bytes, isComplete } = await readStart(request, maxBytes);
  return isComplete ? bytes : undefined;
}

const FIRST_BYTES = 4 * 1024;
/** No network splits the largest body into more chunks than this; only an attacker does. */
const CHUNKS_MAX = 16_384;

/**
 * Reads at most `maxBytes` of the body. Chunks are copied into one growing buffer: an array of them would take a
 * hundred times the size of a body that is sent byte by byte.
 */
export async function readStart(request: Request, maxBytes: number) {
  const reader = request.body?.getReader();
  let buffer = Buffer.allocUnsafe(Math.min(maxBytes, FIRST_BYTES));
  let size = 0;
  let chunks = 0;
  for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) {
    const fitting = chunk.value.subarray(0, maxBytes - size);
    if (size + fitting.length > buffer.length) {
      const larger = Buffer.allocUnsafe(
        Math.min(maxBytes, Math.max(2 * buffer.length, size + fitting.length)),
      );
      buffer.copy(larger, 0, 0, size);
      buffer = larger;
    }
    buffer.set(fitting, size);
    size += fitting.length;
    chunks += 1;
    if (fitting.length < chunk.value.length || chunks > CHUNKS_MAX) {
      return { bytes: buffer.subarray(0, size), isComplete: false };
    }
  }
  return { bytes: buffer.subarray(0, size), isComplete: true };
}
