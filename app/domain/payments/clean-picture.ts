import { Refusal } from '#app/domain/refusal.ts';
import { SCREENSHOT_BYTES_MAX } from './limits.ts';

/** More than any screen has. A picture may have to be held whole: up to 8 bytes for each of these. */
const PIXELS_MAX = 16_000_000;
/** What is kept is no larger than this either way: small print of a tall screen can still be read. */
const SIDE_MAX = 2_400;
const SECONDS_MAX = 5;
/** One picture is decoded at a time in a process; so many more wait for that. */
const WAITING_MAX = 8;

export const PICTURE_TYPE = 'image/webp';

const refuse = (sentence: string) => new Refusal(422, 'bad_screenshot', sentence, { field: 'screenshot' });

export const tooLarge = () =>
  refuse(
    `The screenshot is over ${SCREENSHOT_BYTES_MAX / 1024 ** 2} MB. Choose a smaller one, or submit without it`,
  );
const wrongKind = () =>
  refuse('The screenshot has to be a PNG, JPEG or WebP picture. Choose another one, or submit without it');
const unreadable = () =>
  refuse('We could not read this screenshot. Choose another one, or submit without it');
export const busy = () =>
  new Refusal(
    503,
    'busy',
    'Many screenshots are looked at just now. Try again in a minute, or submit without it',
    {
      field: 'screenshot',
      retryAfter: 60,
    },
  );

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).toString('latin1') === text;

/** By its first bytes: names and types are what a sender says. */
const isPicture = (bytes: Buffer) =>
  startsWith(bytes, '\x89PNG\r\n\x1a\n') ||
  startsWith(bytes, '\xff\xd8\xff') ||
  (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8));

/** Loaded with the first picture, and then able to read these three kinds alone. */
async function loadDecoder() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  const kinds = ['Png', 'Jpeg', 'Webp'];
  sharp.unblock({ operation: kinds.map((kind) => `VipsForeignLoad${kind}Buffer`) });
  return sharp;
}
let decoder: ReturnType<typeof loadDecoder> | undefined;

async function draw(bytes: Buffer): Promise<Buffer> {
  decoder ??= loadDecoder();
  const sharp = await decoder;
  try {
    return await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true })
      .timeout({ seconds: SECONDS_MAX })
      .autoOrient()
      .resize(SIDE_MAX, SIDE_MAX, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer();
  } catch {
    throw unreadable();
  }
}

let line: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * The picture that `bytes` show, drawn anew: nothing else that was in the file is in what this answers. Refuses what is
 * too large, no PNG, JPEG or WebP by its content, or cannot be drawn within bounds of pixels, memory and time.
 */
export async function cleanPicture(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > SCREENSHOT_BYTES_MAX) throw tooLarge();
  if (!isPicture(bytes)) throw wrongKind();
  if (waiting >= WAITING_MAX) throw busy();
  waiting += 1;
  const drawn = line.then(() => draw(bytes));
  line = drawn.catch(() => {});
  try {
    const clean = await drawn;
    if (clean.length > SCREENSHOT_BYTES_MAX) throw tooLarge();
    return clean;
  } finally {
    waiting -= 1;
  }
}
