import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startThrowAwayPostgres } from '#scripts/postgres/postgres.ts';
import { run } from '#scripts/run.ts';

/**
 * Runs the fault suite on a Postgres of its own, because some fault points kill it; commits are synchronous there. Arguments
 * select fault points by name; SEED repeats a random run.
 */
const MOST_MS = 20 * 60_000;
const cancelled = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => cancelled.abort());
}
setTimeout(() => {
  console.error('The suite takes longer than 20 minutes.');
  cancelled.abort();
}, MOST_MS).unref();
const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-faults-'));
const postgres = await startThrowAwayPostgres();
const silent = ['--test-reporter=tap', `--test-reporter-destination=${path.join(folder, 'report.tap')}`];
const { isOk } = await run([...silent, 'tests/faults/suite.ts', ...process.argv.slice(2)], {
  env: {
    ...process.env,
    NODE_ENV: 'test',
    // Applies to the connections of all roles.
    PGOPTIONS: '-c synchronous_commit=on',
    NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
    TEST_PATIENCE_MS: '60000',
    TEST_DATABASE_URL: postgres.url(),
  },
  signal: cancelled.signal,
  show: true,
});
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(isOk ? 0 : 1);
