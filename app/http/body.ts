/**
 * The body of a request, or undefined when it is over `most` bytes. What is announced too large is not
 * read, and one that does not say how long it is is read no further. Nothing is cancelled: that would end
 * the connection before the answer is on it.
 */
export async function readBody(request: Request, most: number): Promise<Buffer<ArrayBuffer> | undefined> {
  if (Number(request.headers.get('Content-Length') ?? 0) > most) return undefined;
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
    size += piece.value.length;
    if (size > most) return undefined;
    chunks.push(piece.value);
  }
  return Buffer.concat(chunks);
}
