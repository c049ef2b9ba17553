import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { reencodeImage } from '#app/domain/platform/images.ts';
import { noise } from '#tests/fixtures/screenshots.ts';

// Made before anything is drawn: the decoder takes from the whole process the kinds that it does not read itself.
const made = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#1d6f8a' } });
const GOOD = await Promise.all(
  (['png', 'jpeg', 'webp'] as const).map((kind) => made(60, 30).toFormat(kind).toBuffer()),
);
const OTHERS: Record<string, Buffer> = {
  'a GIF': await made(60, 30).gif().toBuffer(),
  'a TIFF': await made(60, 30).tiff().toBuffer(),
  'an AVIF': await made(60, 30).avif().toBuffer(),
  'an SVG': Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  ),
};
const LARGEST = await made(4_000, 4_000).png().toBuffer();
const TOO_LARGE = await made(4_000, 4_001).png().toBuffer();
const SLOW = await noise(4_000, 4_000, 90);
const CUT = (await noise(400, 400, 80)).subarray(0, 20_000);

const draw = (bytes: Buffer) => reencodeImage(bytes, { side: 40, quality: 72 });

describe('a picture of somebody', () => {
  test('is drawn anew as WebP, within its sides and as it was shaped', async () => {
    for (const bytes of GOOD) {
      const { format, width, height } = await sharp(await draw(bytes)).metadata();
      assert.deepEqual({ format, width, height }, { format: 'webp', width: 40, height: 20 });
    }
  });

  for (const [kind, bytes] of Object.entries(OTHERS))
    test(`is not ${kind}, although it is a good one`, async () => assert.equal(await draw(bytes), undefined));

  test('has 16,000,000 points at most', async () => {
    assert.ok(await draw(LARGEST));
    assert.equal(await draw(TOO_LARGE), undefined);
  });

  test('is given up when drawing it takes too long', async () => {
    const given = { side: 4_000, quality: 100 };
    const drawn = await reencodeImage(SLOW, { ...given, seconds: 1 });
    assert.equal(drawn?.length, undefined);
    assert.ok(await reencodeImage(SLOW, { ...given, seconds: 600 }), 'it is a good one');
  });

  test('is whole', async () => assert.equal(await draw(CUT), undefined));
});
