import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { needsBuild } from '#scripts/build/build.ts';
import { startThrowAwayPostgres } from '#scripts/postgres/postgres.ts';
import { ROOT, run } from '#scripts/run.ts';
import { CONTROLS } from '#tests/project/controls/all.ts';
import {
  type Control,
  type Edit,
  fileOf,
  type NoticedBy,
  testFileOf,
} from '#tests/project/controls/control.ts';

/**
 * Mutation tests: removes one control of the product at a time in a copy of the tree, and checks that its test fails. GREEN:
 * the test did not notice. Arguments select the controls whose name or file contains one of them.
 */
const filters = process.argv.slice(2);
const chosen = CONTROLS.filter(
  (control) =>
    filters.length === 0 || filters.some((filter) => `${control.what} ${fileOf(control)}`.includes(filter)),
);
const COPIED = [
  'app',
  'docs',
  'migrations',
  'sandbox',
  'scripts',
  'tests',
  'worker',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.env.example',
  'server.ts',
  'vite.config.ts',
  'react-router.config.ts',
  'build',
];
const startedAt = Date.now();
const cancelled = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => cancelled.abort());

const postgres = await startThrowAwayPostgres();
const copy = mkdtempSync(path.join(tmpdir(), 'tidepost-controls-'));
for (const name of COPIED.filter((each) => existsSync(path.join(ROOT, each)))) {
  cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
}
symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));

const nameOf = (noticedBy: NoticedBy) =>
  'points' in noticedBy
    ? noticedBy.points.join(', ')
    : [noticedBy.test, noticedBy.named && `(${noticedBy.named})`].filter(Boolean).join(' ');

const BUILD = `import('#scripts/build/build.ts').then(({ ensureBuild }) => ensureBuild())`;

const runInCopy = (args: string[], more: NodeJS.ProcessEnv = {}) => {
  const env = { ...process.env, NODE_ENV: 'test', NODE_COMPILE_CACHE: path.join(copy, '.compiled'), ...more };
  return run(args, { env, signal: cancelled.signal, cwd: copy });
};

async function fails(noticedBy: NoticedBy): Promise<boolean> {
  if ('test' in noticedBy && needsBuild(testFileOf(noticedBy.test))) {
    const { isOk, output } = await runInCopy(['--eval', BUILD]);
    if (!isOk) throw new Error(`It could not be built:\n${output}`);
  }
  const args =
    'points' in noticedBy
      ? ['tests/faults/suite.ts', ...noticedBy.points]
      : [
          '--test',
          ...(noticedBy.named ? [`--test-name-pattern=${noticedBy.named}`] : []),
          testFileOf(noticedBy.test),
        ];
  const env = { TRIALS: '7', TEST_PATIENCE_MS: '60000', TEST_DATABASE_URL: postgres.url() };
  const { isOk, output } = await runInCopy(args, env);
  const hasRun =
    'points' in noticedBy ? /\n[✔✖] /.test(output) : /^(?:#|ℹ) (?:pass|fail) [1-9]/m.test(output);
  if (!hasRun) throw new Error(`What must notice did not run:\n${output}`);
  return !isOk;
}

/** Applies the edits to the copy while `hasFailed` runs, and returns the verdict. */
async function verdictWith(edits: Edit[], hasFailed: () => Promise<boolean>): Promise<string> {
  const originals = new Map<string, string>();
  try {
    for (const edit of edits) {
      const { from, to } = edit;
      const file = path.join(copy, fileOf(edit, copy));
      const text = readFileSync(file, 'utf8');
      if (!originals.has(file)) originals.set(file, text);
      writeFileSync(
        file,
        text.replace(from, () => to),
      );
    }
    return (await hasFailed()) ? 'red' : 'GREEN';
  } catch (error) {
    return `BROKEN: ${(error as Error).message}`;
  } finally {
    for (const [file, text] of originals) writeFileSync(file, text);
  }
}

const unnoticed: string[] = [];
// A failing test proves something only when it passes without the edits.
for (const unchanged of new Map(chosen.map(({ noticedBy }) => [nameOf(noticedBy), noticedBy])).values()) {
  if (cancelled.signal.aborted || !(await fails(unchanged))) continue;
  unnoticed.push(`red without a change: ${nameOf(unchanged)}`);
  console.log(unnoticed.at(-1));
}
const editsOf = ({ and = [], ...edit }: Control): Edit[] => [edit, ...and];
for (const control of chosen) {
  if (cancelled.signal.aborted) break;
  const started = Date.now();
  const verdict = await verdictWith(editsOf(control), () => fails(control.noticedBy));
  if (verdict !== 'red') unnoticed.push(control.what);
  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  console.log(`${verdict.padEnd(6)} ${control.what}; by ${nameOf(control.noticedBy)}, ${seconds} s`);
}
await postgres.stop();
rmSync(copy, { recursive: true, force: true });
const seconds = Math.round((Date.now() - startedAt) / 1_000);
const list = unnoticed.length > 0 ? `: ${unnoticed.join('; ')}` : '';
console.log(`\n${chosen.length} controls, ${unnoticed.length} not noticed, ${seconds} s${list}`);
process.exit(unnoticed.length > 0 || cancelled.signal.aborted ? 1 : 0);
