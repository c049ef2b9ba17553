import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lateness } from '#app/domain/posts/lateness.ts';
import {
  ABANDONED_AFTER_MS,
  CALL_WITHIN_MS,
  ENQUEUE_AGAIN_MS,
  LEASE_LEFT_MS,
  LEASE_MS,
  SPREAD_MS,
} from '#app/domain/publishing/eligibility/timings.ts';
import { POST_TIMEOUT_MS } from '#app/integrations/linkedin/posts.ts';
import { textOf } from '#tests/project/architecture-imports.ts';

test('an attempt is given up only when its call has ended', () => {
  assert.ok(CALL_WITHIN_MS + POST_TIMEOUT_MS < ABANDONED_AFTER_MS);
});

test('a lease lasts until its attempt would be given up', () => {
  assert.ok(ABANDONED_AFTER_MS <= LEASE_LEFT_MS);
  assert.ok(LEASE_LEFT_MS < LEASE_MS);
});

test('the last of a minute is begun so early that it is on time', () => {
  const [poll, picture, call] = [2_000, 10_000, 3_000];
  assert.ok(SPREAD_MS + poll + picture + call < lateness().fromMs);
});

test('what a dead worker had goes out within the minutes that are promised', () => {
  const [, minutes] = /go out\s+within (\d+) minutes/.exec(textOf('docs/publishing.md'))!;
  assert.ok(LEASE_MS + ENQUEUE_AGAIN_MS <= Number(minutes) * 60_000);
});
