import assert from 'node:assert/strict';
import { test } from 'node:test';
import { previewPayment, type Terms } from '#app/domain/payments/review/preview.ts';
import type { PlanSpan } from '#app/domain/payments/subscription/spans.ts';

const day = (date: string) => new Date(`${date}T10:00:00Z`);
const DAY_MS = 86_400_000;

const piece = (paymentId: string, from: string, to: string, more: Partial<PlanSpan> = {}): PlanSpan => ({
  paymentId,
  postsPerDay: 2,
  keepsLength: false,
  startsAt: day(from),
  endsAt: day(to),
  ...more,
});

const terms = (more: Partial<Terms>): Terms => ({
  postsPerDay: 5,
  upgradeType: 'immediate',
  amountMinor: 9900,
  fullPriceMinor: 9900,
  credit: null,
  isProrated: false,
  ...more,
});

const spans = (all: { startsAt: Date; endsAt: Date }[]) =>
  all.map(({ startsAt, endsAt }) => [startsAt, endsAt].map((at) => at.toISOString().slice(0, 10)));

test('what was paid for a share of a month in full is a month, and of half the price half of one', () => {
  const bought = (amountMinor: number, upgradeType: Terms['upgradeType']) =>
    previewPayment(terms({ isProrated: true, amountMinor, upgradeType }), [], 'UTC', day('2026-04-01'));
  for (const upgradeType of [null, 'immediate'] as const) {
    const whole = bought(9900, upgradeType);
    assert.deepEqual([whole.shareMs, whole.endsAt, whole.worthMinor], [null, day('2026-05-01'), 9900]);
    const half = bought(4950, upgradeType);
    assert.deepEqual(
      [half.shareMs, half.endsAt, half.worthMinor, half.usedMs, half.takenMs, half.ended],
      [15 * DAY_MS, day('2026-04-16'), 4950, 0, 0, null],
    );
  }
});

test('what has not begun is a month wherever it comes to stand, and a share of one as long as it is', () => {
  const running = piece('a', '2026-01-20', '2026-02-20');
  const after = (more: Partial<PlanSpan>) =>
    previewPayment(
      terms({}),
      [running, piece('b', '2026-02-20', '2026-03-06', more), piece('c', '2026-03-06', '2026-04-06')],
      'UTC',
      day('2026-02-10'),
    ).moved;
  assert.deepEqual(spans(after({})), [
    ['2026-03-10', '2026-03-20'],
    ['2026-03-20', '2026-04-20'],
    ['2026-04-20', '2026-05-20'],
  ]);
  assert.deepEqual(spans(after({ keepsLength: true })), [
    ['2026-03-10', '2026-03-20'],
    ['2026-03-20', '2026-04-03'],
    ['2026-04-03', '2026-05-03'],
  ]);
});

test('the credited plan ends when the new one begins, and one that had ended by itself did so then', () => {
  const credit = { paymentId: 'a', from: day('2026-02-10'), ms: 10 * DAY_MS, minor: 600 };
  const at = (date: string) =>
    previewPayment(terms({ credit }), [piece('a', '2026-01-20', '2026-02-20')], 'UTC', day(date)).ended;
  assert.deepEqual(at('2026-02-10'), {
    paymentId: 'a',
    postsPerDay: 2,
    at: day('2026-02-10'),
    leftMs: 0,
  });
  assert.deepEqual(at('2026-02-23')?.at, day('2026-02-20'));
});
