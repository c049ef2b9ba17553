import { Readable } from 'node:stream';

/** Fetch options with the pictures of a request, in the order of their placeholders in the body. */
export type WithPictures = { pictures: Buffer[]; duplex: 'half' };

/** The placeholder of a picture's bytes. Text from users cannot match, because JSON escapes its quotation marks. */
const PLACEHOLDER = /(?<="url":"data:image\/[a-z]+;base64,)(?=")/;
/** A multiple of three, so that the base64 of the chunks can be concatenated. */
const CHUNK_BYTES = 3 * 16_384;

const base64Length = (bytes: Buffer) => 4 * Math.ceil(bytes.length / 3);

function* chunksOf(texts: Buffer[], pictures: Buffer[]): Generator<Buffer> {
  for (const [index, text] of texts.entries()) {
    yield text;
    const picture = pictures[index] ?? Buffer.alloc(0);
    for (let start = 0; start < picture.length; start += CHUNK_BYTES) {
      yield Buffer.from(picture.toString('base64', start, start + CHUNK_BYTES), 'latin1');
    }
  }
}

/**
 * `fetch` that writes pictures into the JSON of a request while it is sent: as strings, they would be in memory several times,
 * and for long. A stream cannot be sent again, so redirects are not followed.
 */
export const pictureFetch: typeof fetch = (input, init) => {
  const { pictures, body, ...rest } = (init ?? {}) as RequestInit & Partial<WithPictures>;
  if (!pictures || typeof body !== 'string') return fetch(input, init);
  const texts = body.split(PLACEHOLDER).map((text) => Buffer.from(text));
  const lengths = [...texts.map((text) => text.length), ...pictures.map(base64Length)];
  const headers = new Headers(rest.headers);
  headers.set('Content-Length', String(lengths.reduce((sum, length) => sum + length)));
  const stream = Readable.toWeb(Readable.from(chunksOf(texts, pictures)));
  return fetch(input, { ...rest, headers, body: stream as ReadableStream, redirect: 'manual' });
};
