import { Readable } from 'node:stream';

/** What goes with a request beside its body: the bytes of the pictures that it has the places of, in their order. */
export type WithPictures = { pictures: Buffer[]; duplex: 'half' };

/** Where the bytes of a picture belong: nothing that people type comes into JSON with such quotation marks. */
const PLACE = /(?<="url":"data:image\/[a-z]+;base64,)(?=")/;
/** A multiple of three, so that what comes after it goes on as one text. */
const PIECE = 3 * 16_384;

const lengthInBase64 = (bytes: Buffer) => 4 * Math.ceil(bytes.length / 3);

function* piecesOf(texts: Buffer[], pictures: Buffer[]): Generator<Buffer> {
  for (const [nth, text] of texts.entries()) {
    yield text;
    const picture = pictures[nth] ?? Buffer.alloc(0);
    for (let from = 0; from < picture.length; from += PIECE) {
      yield Buffer.from(picture.toString('base64', from, from + PIECE), 'latin1');
    }
  }
}

/**
 * `fetch` that writes pictures into the JSON of a request while it is sent: as a text each would be in memory several
 * times, and long afterwards. What was sent cannot be sent again, so no redirect is followed: it is the answer.
 */
export const pictureFetch: typeof fetch = (input, init) => {
  const { pictures, body, ...rest } = (init ?? {}) as RequestInit & Partial<WithPictures>;
  if (!pictures || typeof body !== 'string') return fetch(input, init);
  const texts = body.split(PLACE).map((text) => Buffer.from(text));
  const length = [...texts.map((text) => text.length), ...pictures.map(lengthInBase64)];
  const headers = new Headers(rest.headers);
  headers.set('Content-Length', String(length.reduce((sum, part) => sum + part)));
  const pieces = Readable.toWeb(Readable.from(piecesOf(texts, pictures)));
  return fetch(input, { ...rest, headers, body: pieces as ReadableStream, redirect: 'manual' });
};
