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

/** Of a body as much as there is within `most` bytes, and whether that is all. */
export async function readStart(request: Request, most: number) {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
    size += piece.value.length;
    chunks.push(piece.value);
    if (size > most) return { bytes: Buffer.concat(chunks).subarray(0, most), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}
