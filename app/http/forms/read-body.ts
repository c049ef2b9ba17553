/**
 * The body of a request, or undefined when it is over `most` bytes. What is announced too large is not
 * read, and one that does not say how long it is is read no further. Nothing is cancelled: that would end
 * the connection before the answer is on it.
 */
export async function readBody(request: Request, most: number): Promise<Buffer<ArrayBuffer> | undefined> {
  if (Number(request.headers.get('Content-Length') ?? 0) > most) return undefined;
  const { bytes, isWhole } = await readStart(request, most);
  return isWhole ? bytes : undefined;
}

const FIRST_BYTES = 4 * 1024;
/** The most pieces of a body that are read. No network splits the largest body so finely, only a client that means to. */
const PIECES_MAX = 16_384;

/**
 * Reads at most `most` bytes of the body; `isWhole` says whether that was all of it. The pieces go into one buffer that
 * grows: kept as they come, a body sent byte by byte would take a hundred times its size.
 */
export async function readStart(request: Request, most: number) {
  const reader = request.body?.getReader();
  let buffer = Buffer.allocUnsafe(Math.min(most, FIRST_BYTES));
  let size = 0;
  let pieces = 0;
  for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
    const fitting = piece.value.subarray(0, most - size);
    if (size + fitting.length > buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(most, Math.max(2 * buffer.length, size + fitting.length)));
      buffer.copy(larger, 0, 0, size);
      buffer = larger;
    }
    buffer.set(fitting, size);
    size += fitting.length;
    pieces += 1;
    if (fitting.length < piece.value.length || pieces > PIECES_MAX) {
      return { bytes: buffer.subarray(0, size), isWhole: false };
    }
  }
  return { bytes: buffer.subarray(0, size), isWhole: true };
}
