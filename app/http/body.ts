/**
 * The body of a request, or undefined when it is over `most` bytes. What is announced too large is not
 * read, and one that does not say how long it is is read no further.
 */
export async function readBody(request: Request, most: number): Promise<Buffer<ArrayBuffer> | undefined> {
  if (Number(request.headers.get('Content-Length') ?? 0) > most) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
