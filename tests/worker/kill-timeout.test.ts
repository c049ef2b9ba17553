import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEGIN_WITHIN_MS, LEASE_LEFT_MS, LEASE_MS } from '#app/domain/queue/timings.ts';
import { WRITE_WITHIN_MS } from '#app/domain/writing/runs/write-run.ts';
import { POST_TIMEOUT_MS } from '#app/integrations/linkedin/posts.ts';
import { textOf } from '#tests/project/architecture-imports.ts';

test('a process that stops is given longer than the longest job takes', () => {
  const given = Number(/^kill_timeout = '(\d+)s'$/m.exec(textOf('fly.toml'))?.[1]) * 1_000;
  const publishing = LEASE_MS - LEASE_LEFT_MS + BEGIN_WITHIN_MS + POST_TIMEOUT_MS;
  assert.ok(publishing < given, `publishing takes up to ${publishing} ms of ${given}`);
  assert.ok(WRITE_WITHIN_MS < given, `writing takes up to ${WRITE_WITHIN_MS} ms of ${given}`);
});
