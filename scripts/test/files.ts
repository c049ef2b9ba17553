import { createWriteStream } from 'node:fs';
import { run } from 'node:test';
import { spec, tap } from 'node:test/reporters';

/**
 * `files.ts REPORT FILE…` runs test files as `node --test` does, in the order given, which `node --test`
 * does not keep. What a person reads goes to stdout, the TAP report to a file.
 */
const AT_ONCE = 3;
/** Ends a file that hangs. The longest takes minutes, and many more on a machine that does much else. */
const MOST_MS = 20 * 60_000;

const [report, ...files] = process.argv.slice(2);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

const results = run({ files, concurrency: AT_ONCE, timeout: MOST_MS, signal: stopping.signal });
results.on('test:fail', () => {
  process.exitCode = 1;
});
results.compose(spec).pipe(process.stdout);
results.compose(tap).pipe(createWriteStream(report!));
