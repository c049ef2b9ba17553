import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { reencodeScreenshot } from '#app/domain/payments/checkout/screenshots.ts';
import { SCREENSHOT_BYTES_MAX } from '#app/domain/payments/limits.ts';
import { bombOf, noise, PNG_START, pictureOf } from '#tests/fixtures/screenshots.ts';

const refusal = (message: RegExp) => ({ code: 'bad_screenshot', field: 'screenshot', message });

describe('a screenshot', () => {
  for (const kind of ['png', 'jpeg', 'webp'] as const) {
    test(`is drawn anew when it is a ${kind}`, async () => {
      const clean = await reencodeScreenshot(await pictureOf(kind, { width: 300, height: 650 }));
      const { format, width, height } = await sharp(clean).metadata();
      assert.deepEqual({ format, width, height }, { format: 'webp', width: 300, height: 650 });
    });
  }

  test('loses what a camera wrote into it, and stands upright', async () => {
    const sideways = await pictureOf('jpeg', { width: 200, height: 100 }, (picture) =>
      picture.withMetadata({ orientation: 6 }).withExif({ IFD0: { Copyright: 'Made at home' } }),
    );
    assert.ok(sideways.includes('Made at home'));
    const clean = await reencodeScreenshot(sideways);
    const { exif, icc, xmp, width, height } = await sharp(clean).metadata();
    assert.deepEqual(
      { exif, icc, xmp, width, height },
      { exif: undefined, icc: undefined, xmp: undefined, width: 100, height: 200 },
    );
    assert.ok(!clean.includes('Made at home'));
  });

  test('loses what was hidden behind the picture', async () => {
    const page = '<!doctype html><script>alert(document.domain)</script>';
    const clean = await reencodeScreenshot(Buffer.concat([await pictureOf('png'), Buffer.from(page)]));
    assert.ok(!clean.includes('script'));
  });

  test('is made smaller when it is very large, and what is kept is bounded', async () => {
    const { width, height } = await sharp(
      await reencodeScreenshot(await pictureOf('jpeg', { width: 3000, height: 4000 })),
    ).metadata();
    assert.deepEqual({ width, height }, { width: 1800, height: 2400 });
    const clean = await reencodeScreenshot(await noise(2400, 2400, 40));
    assert.ok(clean.length <= SCREENSHOT_BYTES_MAX, `${clean.length}`);
  });
});

const cutOff = (await pictureOf('jpeg', { width: 800, height: 800 })).subarray(0, 2000);

describe('no screenshot is', () => {
  for (const [what, bytes] of Object.entries({
    'an SVG': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    'a page': '<!doctype html><script>alert(1)</script>',
    'a GIF': 'GIF89a\x01\x00\x01\x00\x00\x00\x00;',
    'a PDF': '%PDF-1.7',
    'a sound in the same wrapping as WebP': 'RIFF\x24\x00\x00\x00WAVEfmt ',
    'an empty file': '',
  })) {
    test(what, async () => {
      await assert.rejects(
        reencodeScreenshot(Buffer.from(bytes, 'latin1')),
        refusal(/has to be a PNG, JPEG or WebP picture/),
      );
    });
  }

  for (const [what, bytes] of Object.entries({
    'an SVG that begins as a PNG': Buffer.concat([
      PNG_START,
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ]),
    'a picture cut off': cutOff,
  })) {
    test(what, async () => {
      await assert.rejects(reencodeScreenshot(bytes), refusal(/could not read this screenshot/));
    });
  }

  test('one of a thousand million pixels in a few kilobytes, and nobody waits for it', async () => {
    const began = performance.now();
    const bomb = bombOf(32_000, 32_000, deflateSync(Buffer.alloc(1_000_000)));
    await assert.rejects(reencodeScreenshot(bomb), refusal(/could not read this screenshot/));
    assert.ok(performance.now() - began < 1_000);
  });

  test('one of more points than any screen has, however small its file is', async () => {
    const plain = await pictureOf('png', { width: 5_000, height: 4_000 });
    assert.ok(plain.length < SCREENSHOT_BYTES_MAX / 10);
    await assert.rejects(reencodeScreenshot(plain), refusal(/could not read this screenshot/));
  });

  test('one that is over 4 MB', async () => {
    const bytes = Buffer.concat([await pictureOf('png'), Buffer.alloc(SCREENSHOT_BYTES_MAX)]);
    await assert.rejects(reencodeScreenshot(bytes), refusal(/is over 4 MB/));
  });
});

test('of very many screenshots at once the last ones are refused, and can be sent again', async () => {
  const picture = await pictureOf('png', { width: 1500, height: 3000 });
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => reencodeScreenshot(picture)));
  const refused = answers.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 12);
  assert.ok(refused.every((answer) => answer.status === 'rejected' && answer.reason.code === 'busy'));
  await reencodeScreenshot(picture);
});
