/** More than any screen has. A picture may have to be held whole: up to 8 bytes for each of these. */
const PIXELS_MAX = 16_000_000;
const SECONDS_MAX = 5;

export const IMAGE_TYPE = 'image/webp';

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
let decoder: Awaited<ReturnType<typeof loadDecoder>> | undefined;

type Drawn = { side: number; quality: number; seconds?: number };

/**
 * The picture that the bytes of a PNG, JPEG or WebP show, drawn anew as WebP: nothing else that was in the file is in what
 * this answers. `side` is the most that it has either way. Undefined of what cannot be drawn within bounds of pixels,
 * memory and time.
 */
export async function reencodeImage(
  bytes: Buffer,
  { side, quality, seconds = SECONDS_MAX }: Drawn,
): Promise<Buffer | undefined> {
  decoder ??= await loadDecoder();
  try {
    return await decoder(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true })
      .timeout({ seconds })
      .autoOrient()
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality })
      .toBuffer();
  } catch {
    return undefined;
  }
}
