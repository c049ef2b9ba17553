import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { needsBuild } from '#scripts/build/build.ts';
import { startThrowAwayPostgres } from '#scripts/postgres/postgres.ts';
import { ROOT, run } from '#scripts/run.ts';
import { CONTROLS } from '#tests/controls/all.ts';
import { type Control, type Edit, fileOf, type NoticedBy, testFileOf } from '#tests/controls/control.ts';

/**
 * Takes one control of the product away at a time, in a copy of the tree, and looks whether the test that must
 * notice turns red. GREEN is a hole. Words as arguments run the controls whose name or file has one of them.
 */
const words = process.argv.slice(2);
const chosen = CONTROLS.filter(
  (control) =>
    words.length === 0 || words.some((word) => `${control.what} ${fileOf(control)}`.includes(word)),
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
const begun = Date.now();
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

/** Runs a program in the copy. */
const runThere = (args: string[], more: NodeJS.ProcessEnv = {}) => {
  const env = { ...process.env, NODE_ENV: 'test', NODE_COMPILE_CACHE: path.join(copy, '.compiled'), ...more };
  return run(args, { env, signal: cancelled.signal, cwd: copy });
};

/** Whether it turns red. */
async function isRed(noticedBy: NoticedBy): Promise<boolean> {
  if ('test' in noticedBy && needsBuild(testFileOf(noticedBy.test))) {
    const { isOk, output } = await runThere(['--eval', BUILD]);
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
  const { isOk, output } = await runThere(args, env);
  const hasRun =
    'points' in noticedBy ? /\n[✔✖] /.test(output) : /^(?:#|ℹ) (?:pass|fail) [1-9]/m.test(output);
  if (!hasRun) throw new Error(`What must notice did not run:\n${output}`);
  return !isOk;
}

/** Makes the edits in the copy, as long as `look` takes. Answers what it did, or why it could not. */
async function without(edits: Edit[], look: () => Promise<boolean>): Promise<string> {
  const before = new Map<string, string>();
  try {
    for (const edit of edits) {
      const { from, to } = edit;
      const place = path.join(copy, fileOf(edit, copy));
      const text = readFileSync(place, 'utf8');
      if (!before.has(place)) before.set(place, text);
      writeFileSync(
        place,
        text.replace(from, () => to),
      );
    }
    return (await look()) ? 'red' : 'GREEN';
  } catch (error) {
    return `BROKEN: ${(error as Error).message}`;
  } finally {
    for (const [place, text] of before) writeFileSync(place, text);
  }
}

const holes: string[] = [];
// Red proves something only where the same is green as it is.
for (const unchanged of new Map(chosen.map(({ noticedBy }) => [nameOf(noticedBy), noticedBy])).values()) {
  if (cancelled.signal.aborted || !(await isRed(unchanged))) continue;
  holes.push(`red without a change: ${nameOf(unchanged)}`);
  console.log(holes.at(-1));
}
const editsOf = ({ and = [], ...edit }: Control): Edit[] => [edit, ...and];
for (const control of chosen) {
  if (cancelled.signal.aborted) break;
  const started = Date.now();
  const verdict = await without(editsOf(control), () => isRed(control.noticedBy));
  if (verdict !== 'red') holes.push(control.what);
  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  console.log(`${verdict.padEnd(6)} ${control.what}; by ${nameOf(control.noticedBy)}, ${seconds} s`);
}
await postgres.stop();
rmSync(copy, { recursive: true, force: true });
const took = Math.round((Date.now() - begun) / 1_000);
const list = holes.length > 0 ? `: ${holes.join('; ')}` : '';
console.log(`\n${chosen.length} controls, ${holes.length} not noticed, ${took} s${list}`);
process.exit(holes.length > 0 || cancelled.signal.aborted ? 1 : 0);
