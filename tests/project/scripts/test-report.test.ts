import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { run } from '#scripts/run.ts';
import { countFile, countPlaywright, countTap, firstLines, lastLines } from '#scripts/test/report.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-report-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const FAILING = `
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
describe('a suite', () => {
  test('compares', () => assert.equal(1, 2));
  test('is right', () => {});
});
test('throws', () => { throw new Error('first line\\n\\nsecond: line'); });
test('is around', async (t) => { await t.test('is within', () => { throw new Error("it's so"); }); });
`;

test('what failed on Node is told by its name with the beginning of its error', async () => {
  const file = path.join(folder, 'some.test.mjs');
  const report = path.join(folder, 'report.tap');
  writeFileSync(file, FAILING);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { isOk } = await run(['scripts/test/files.ts', report, file], { env });
  assert.equal(isOk, false);
  assert.deepEqual(countFile(report, countTap), {
    passed: 1,
    failed: 4,
    failures: [
      { name: 'compares', error: 'Expected values to be strictly equal:\n1 !== 2' },
      { name: 'throws', error: 'first line\nsecond: line' },
      { name: 'is within', error: "it's so" },
      { name: 'is around', error: '1 subtest failed' },
    ],
  });
});

test('what failed in the browser is told by its file, name and error, and so is what failed outside of a test', () => {
  const spec = (title: string, ...errors: { message: string }[]) => ({
    title,
    ok: errors.length === 0,
    tests: [{ results: [{ errors }] }],
  });
  const inner = { file: 'a.e2e.ts', specs: [spec('inner', { message: '\u001b[31mred\u001b[39m' })] };
  const report = {
    stats: { expected: 1, unexpected: 2, flaky: 0 },
    errors: [{ message: 'The set-up ended' }],
    suites: [
      { file: 'a.e2e.ts', specs: [spec('fine'), spec('bad', { message: 'one\n\ntwo' })], suites: [inner] },
    ],
  };
  assert.deepEqual(countPlaywright(JSON.stringify(report)), {
    passed: 1,
    failed: 3,
    failures: [
      { name: 'Playwright, outside of any test', error: 'The set-up ended' },
      { name: 'a.e2e.ts: bad', error: 'one\ntwo' },
      { name: 'a.e2e.ts: inner', error: 'red' },
    ],
  });
});

test('of a long error or output six lines are told, and of long lines 300 characters', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  assert.equal(firstLines(lines.join('\n')), lines.slice(0, 6).join('\n'));
  assert.equal(lastLines(`${lines.join('\n')}\n\n`), lines.slice(-6).join('\n'));
  assert.equal(firstLines(`a${'b'.repeat(1_000)}`), `a${'b'.repeat(299)}`);
  assert.equal(lastLines(`${'b'.repeat(1_000)}a`), `${'b'.repeat(299)}a`);
});
