import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { htmlPage } from '#sandbox/linkedin/refusals.ts';
import { type Exchange, sendBytes, sendHtml } from '#sandbox/server/http.ts';

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Builds a PNG from the IHDR data and the uncompressed rows. */
export function pngOf(header: Buffer, rows: Buffer, palette?: Buffer): Buffer<ArrayBuffer> {
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', palette)] : []),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const SIZE = 100;
const LIFE_MS = 60 * 86_400_000;

/** The URL of a member's picture, which works without a token until it expires. */
export function portraitUrl(origin: string, sub: string): string {
  const query = new URLSearchParams({ e: String(Date.now() + LIFE_MS), v: 'beta' });
  return `${origin}/linkedin-media/people/${sub}/profile-displayphoto-shrink_100_100?${query}`;
}

export function sendPortrait({ res, url }: Exchange, sub: string) {
  if (!(Number(url.searchParams.get('e')) > Date.now())) return sendHtml(res, 403, htmlPage('Forbidden'));
  sendBytes(res, portrait(sub), 'image/png');
}

/** Unlike LinkedIn's, the pictures of Google do not expire. */
export function sendGooglePicture({ res }: Exchange, sub: string) {
  sendBytes(res, portrait(`google:${sub}`), 'image/png');
}

/** Head and shoulders in a colour that depends on the subject. */
function portrait(sub: string): Buffer {
  const [red = 0, green = 0, blue = 0] = createHash('sha256').update(sub).digest();
  const rows = Array.from({ length: SIZE }, (_, y) => {
    const isFigure = (x: number) =>
      Math.hypot(x - 50, y - 38) < 20 || Math.hypot((x - 50) / 38, (y - 100) / 36) < 1;
    return Buffer.from([0, ...Array.from({ length: SIZE }, (_, x) => (isFigure(x) ? 1 : 0))]);
  });
  const header = Buffer.from([0, 0, 0, SIZE, 0, 0, 0, SIZE, 8, 3, 0, 0, 0]);
  const palette = Buffer.from([red >> 1, green >> 1, blue >> 1, 240, 240, 236]);
  return pngOf(header, Buffer.concat(rows), palette);
}
