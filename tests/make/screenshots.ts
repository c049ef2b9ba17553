import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { readScreenshot } from '#app/domain/payments/checkout/screenshots.ts';

export const PNG_START = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

type Size = { width: number; height: number };
const SMALL: Size = { width: 60, height: 90 };

/** A plain picture of a kind. */
export const pictureOf = (
  kind: 'png' | 'jpeg' | 'webp',
  size: Size = SMALL,
  more = (picture: Sharp) => picture,
): Promise<Buffer> =>
  more(sharp({ create: { ...size, channels: 3, background: '#1d6f8a' } }).toFormat(kind)).toBuffer();

/** One as a payer sends it, read. */
export const screenshotOf = (bytes: Buffer) => readScreenshot(new File([Uint8Array.from(bytes)], 'shot'));

/** A picture in which no two points are alike: no kind of file makes it small. */
export const noise = (width: number, height: number, quality: number): Promise<Buffer> =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG that says how large it is, whatever there is of it. */
export function bombOf(width: number, height: number, packed: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    PNG_START,
    chunk('IHDR', head),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
