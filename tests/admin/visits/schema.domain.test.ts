import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VisitInput } from '#app/domain/visits/schema.ts';

const told = (more: object) =>
  VisitInput.safeParse({ pathname: '/', sessionId: 'n1', screenWidth: 1, screenHeight: 1, ...more }).success;

// The numbers stand here a second time: a test that read those of the product would not see them change.
const BOUNDS: Record<string, { taken: unknown[]; refused: unknown[] }> = {
  sessionId: {
    taken: ['n', '~!"', 'x'.repeat(100)],
    refused: ['', 'x'.repeat(101), 'a b', 'a\nb', 'a\0', 'é', '🌊', 7, null, undefined, ['n'], {}],
  },
  pathname: {
    taken: ['/', `/${'a'.repeat(1_999)}`, '/é'],
    refused: ['', 'login', `/${'a'.repeat(2_000)}`, '/a\0b', 7, null, undefined],
  },
  language: {
    taken: ['en', 'x'.repeat(35), null, undefined],
    refused: ['x'.repeat(36), 7],
  },
  screenWidth: {
    taken: [0, 100_000, null, undefined],
    refused: [-1, 100_001, 1.5, Number.POSITIVE_INFINITY, '1280'],
  },
  screenHeight: {
    taken: [0, 100_000, null, undefined],
    refused: [-1, 100_001, 1.5, Number.POSITIVE_INFINITY, '720'],
  },
  isReturningVisitor: { taken: [true, false, null, undefined], refused: ['true', 1] },
};

for (const [name, { taken, refused }] of Object.entries(BOUNDS)) {
  test(`what a browser says of its visit has bounds: ${name}`, () => {
    for (const value of taken) assert.ok(told({ [name]: value }), `taken: ${String(value).slice(0, 40)}`);
    for (const value of refused)
      assert.ok(!told({ [name]: value }), `refused: ${String(value).slice(0, 40)}`);
  });
}
