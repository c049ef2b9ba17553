import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qrDataUri } from '#app/ui/qr.server.ts';

const QUIET_ZONE = 4;

/** Which squares of a code are dark, its margin left out. */
function darkIn(uri: string) {
  const svg = decodeURIComponent(uri.slice('data:image/svg+xml,'.length));
  const dark = new Set<string>();
  for (const [, x, y, length] of svg.matchAll(/M(\d+)[ ,](\d+) ?h(\d+)v1/g))
    for (let n = 0; n < Number(length); n++)
      dark.add(`${Number(x) - QUIET_ZONE + n},${Number(y) - QUIET_ZONE}`);
  return (x: number, y: number) => dark.has(`${x},${y}`);
}

/** The level as a code itself says it, in the first two bits of its format (ISO/IEC 18004, 7.9), which are masked by 10. */
function levelOf(uri: string) {
  const isDark = darkIn(uri);
  const bits = Number(!isDark(0, 8)) * 2 + Number(isDark(1, 8));
  return ['M', 'L', 'H', 'Q'][bits];
}

test('a code to pay by has the error correction level M, however long what it says is', () => {
  for (const [payee, amount] of [
    ['a@b', '1.00'],
    ['tidepost@examplebank', '1649.50'],
    ['a-much-longer-address@examplebank', '8299.00'],
  ]) {
    const link = `upi://pay?pa=${payee}&pn=Tidepost&am=${amount}&cu=INR&tn=Tidepost%20TP-ABC234`;
    assert.equal(levelOf(qrDataUri(link, 160)), 'M', link);
  }
});
