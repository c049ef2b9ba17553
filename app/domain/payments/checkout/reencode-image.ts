import { SCREENSHOT_BYTES_MAX } from '#app/domain/payments/limits.ts';
import { drawPicture } from '#app/domain/platform/images.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';

/** What is kept is no larger than this either way: small print of a tall screen can still be read. */
const SIDE_MAX = 2_400;
/** One picture is decoded at a time in a process; so many more wait for that. */
const WAITING_MAX = 8;

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

async function draw(bytes: Buffer): Promise<Buffer> {
  const drawn = await drawPicture(bytes, { side: SIDE_MAX, quality: 80 });
  if (!drawn) throw unreadable();
  return drawn;
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
