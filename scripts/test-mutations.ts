import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startThrowAwayPostgres } from '#scripts/postgres.ts';
import { ROOT, run } from '#scripts/run.ts';
import { MUTATIONS, type Mutation } from '#tests/faults/mutations.ts';

/**
 * Takes one control of publishing away at a time, in a copy of the tree, and looks whether the test that must
 * notice turns red. GREEN is a hole. Words as arguments run the mutations whose name has one of them.
 */
const words = process.argv.slice(2);
const chosen = MUTATIONS.filter(
  ({ what }) => words.length === 0 || words.some((word) => what.includes(word)),
);
const COPIED = [
  'app',
  'migrations',
  'sandbox',
  'scripts',
  'tests',
  'worker',
  'package.json',
  'tsconfig.json',
];
const cancelled = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => cancelled.abort());

const postgres = await startThrowAwayPostgres();
const copy = mkdtempSync(path.join(tmpdir(), 'tidepost-mutations-'));
for (const name of [...COPIED, '.env.example']) {
  cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
}
symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));

const nameOf = ({ noticedBy }: Mutation) =>
  'points' in noticedBy ? noticedBy.points.join(', ') : `${noticedBy.test} (${noticedBy.named})`;

/** Whether it turns red. */
async function isRed(noticedBy: Mutation['noticedBy']): Promise<boolean> {
  const args =
    'points' in noticedBy
      ? ['tests/faults/suite.ts', ...noticedBy.points]
      : ['--test', ...(noticedBy.named ? [`--test-name-pattern=${noticedBy.named}`] : []), noticedBy.test];
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    TRIALS: '7',
    TEST_PATIENCE_MS: '60000',
    TEST_DATABASE_URL: postgres.url(),
  };
  const { isOk, output } = await run(args, { env, signal: cancelled.signal, cwd: copy });
  const hasRun =
    'points' in noticedBy ? /\n[✔✖] /.test(output) : /^(?:#|ℹ) (?:pass|fail) [1-9]/m.test(output);
  if (!hasRun) throw new Error(`What must notice did not run:\n${output}`);
  return !isOk;
}

const holes: string[] = [];
// Red proves something only where the same is green as it is.
for (const unchanged of [...new Map(chosen.map((each) => [nameOf(each), each.noticedBy])).values()]) {
  if (cancelled.signal.aborted || !(await isRed(unchanged))) continue;
  holes.push(`red without a mutation: ${JSON.stringify(unchanged)}`);
  console.log(holes.at(-1));
}
for (const mutation of chosen) {
  if (cancelled.signal.aborted) break;
  const { what, file, from, to, noticedBy } = mutation;
  const place = path.join(copy, file);
  const text = readFileSync(place, 'utf8');
  const begun = Date.now();
  let verdict: string;
  if (text.split(from).length !== 2) {
    verdict = `GONE: ${file} has this text ${text.split(from).length - 1} times, not once: ${from.trim()}`;
  } else {
    writeFileSync(
      place,
      text.replace(from, () => to),
    );
    verdict = await isRed(noticedBy).then(
      (red) => (red ? 'red' : 'GREEN'),
      (error: Error) => `BROKEN: ${error.message}`,
    );
    writeFileSync(place, text);
  }
  if (verdict !== 'red') holes.push(what);
  console.log(
    `${verdict.padEnd(6)} ${what}; by ${nameOf(mutation)}, ${((Date.now() - begun) / 1_000).toFixed(1)} s`,
  );
}
await postgres.stop();
rmSync(copy, { recursive: true, force: true });
console.log(
  `\n${chosen.length} mutations, ${holes.length} not noticed${holes.length > 0 ? `: ${holes.join('; ')}` : ''}`,
);
process.exit(holes.length > 0 || cancelled.signal.aborted ? 1 : 0);
