/** An image may have to be decoded whole: up to 8 bytes for each pixel. */
const PIXELS_MAX = 16_000_000;
const SECONDS_MAX = 5;

export const IMAGE_TYPE = 'image/webp';

/** sharp is loaded with the first image, and limited to the decoders of these formats. */
async function loadDecoder() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  const formats = ['Png', 'Jpeg', 'Webp'];
  sharp.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}Buffer`) });
  return sharp;
}
let decoder: Awaited<ReturnType<typeof loadDecoder>> | undefined;

type ReencodeOptions = { side: number; quality: number; seconds?: number };

/** Encodes a PNG, JPEG or WebP as WebP, without metadata. Undefined when it can't be decoded within the limits. */
export async function reencodeImage(
  bytes: Buffer,
  { side, quality, seconds = SECONDS_MAX }: ReencodeOptions,
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
