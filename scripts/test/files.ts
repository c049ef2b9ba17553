import { createWriteStream } from 'node:fs';
import { run } from 'node:test';
import { spec, tap } from 'node:test/reporters';

/**
 * `files.ts REPORT FILE…` runs test files like `node --test`, but in the given order. Prints a readable report, and writes
 * the TAP report to a file.
 */
const CONCURRENCY = 3;
/** For a file that hangs. The longest file takes minutes, and several times as long on a busy machine. */
const MOST_MS = 20 * 60_000;

const [report, ...files] = process.argv.slice(2);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

const results = run({ files, concurrency: CONCURRENCY, timeout: MOST_MS, signal: stopping.signal });
results.on('test:fail', () => {
  process.exitCode = 1;
});
results.compose(spec).pipe(process.stdout);
results.compose(tap).pipe(createWriteStream(report!));
