import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuild, needsBuild } from '#scripts/build/build.ts';
import { startThrowAwayPostgres } from '#scripts/postgres/postgres.ts';
import { LONG_TESTS } from '#scripts/test/long-tests.ts';
import {
  type Count,
  countFile,
  countPlaywright,
  countTap,
  type Failure,
  firstLines,
  lastLines,
} from '#scripts/test/report.ts';
import { ROOT, run } from './run.ts';

const TESTS = ['tests', 'app', 'worker', 'sandbox', 'scripts', 'bench'].map((dir) => `${dir}/**/*.test.ts`);
/** Mostly waits for the minutes in which posts are written and published, so it runs beside the other tests. */
const WAITING_JOURNEY = /(^|\/)journey\.e2e\.ts$/;
/** The longest files, and kinds of long ones. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  'tests/payments/histories.domain.test.ts',
  'tests/project/scripts/doctor.test.ts',
  'tests/project/scripts/bootstrap.test.ts',
  'tests/publishing/safety/epoch-memory.domain.test.ts',
  'tests/**/*.worker.test.ts',
  'tests/faults/*.test.ts',
  'tests/**/*.http.test.ts',
  'tests/security/*.test.ts',
];

const options = process.argv.slice(2).filter((arg) => arg.startsWith('-'));
const named = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const cancelled = new AbortController();
const cleanUps: (() => Promise<void> | void)[] = [];
const total = { passed: 0, failed: 0, failures: [] as Failure[] };

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!cancelled.signal.aborted) console.log('Stopping…');
    cancelled.abort();
  });
}

type Step = () => Promise<{ isOk: boolean; output?: string; hasShownOutput?: boolean; count?: Count }>;

/** Runs one step and prints its duration, and its output when it failed. */
async function step(name: string, work: Step): Promise<boolean> {
  if (cancelled.signal.aborted) return false;
  console.log(`\n▶ ${name}`);
  const startedAt = Date.now();
  const result: Awaited<ReturnType<Step>> = await work().catch((error: Error) => ({
    isOk: false,
    output: error.message,
  }));
  const { isOk, output, hasShownOutput, count } = result;
  if (!isOk && output && !hasShownOutput) console.error(output.trim());
  total.passed += count?.passed ?? 0;
  const failures = count?.failures ?? [];
  // A step that failed without a failed test, or whose report names none, is reported by its own name.
  const failed = Math.max(count?.failed ?? 0, isOk ? 0 : 1);
  if (failed && !failures.length)
    failures.push({ name, error: (count ? lastLines : firstLines)(output ?? '') });
  total.failed += failed;
  total.failures.push(...failures);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${isOk ? '✔' : '✖'} ${name} ${isOk ? 'took' : 'failed after'} ${seconds} s`);
  return isOk;
}

const runProgram = (args: string[], env?: NodeJS.ProcessEnv, show = false) =>
  run(args, { env: env ?? cleanEnvironment(), signal: cancelled.signal, show });

/** Without the variables that a developer has set for the product. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: 'test' };
  for (const [, name] of readFileSync(path.join(ROOT, '.env.example'), 'utf8').matchAll(
    /^#? ?([A-Z_]+)=/gm,
  )) {
    delete env[name!];
  }
  delete env.NODE_TEST_CONTEXT;
  return env;
}

const types = () =>
  step('types', async () => {
    const generated = await runProgram(['node_modules/@react-router/dev/bin.js', 'typegen']);
    return generated.isOk ? runProgram(['node_modules/typescript/bin/tsc']) : generated;
  });

const lint = () => step('lint', () => runProgram(['node_modules/@biomejs/biome/bin/biome', 'check', '.']));

/** Runs after `types`, because it follows imports of the types that React Router generates. */
const deadCode = () =>
  step('dead code', () =>
    runProgram(['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints']),
  );

async function nodeTests(files: string[], env: NodeJS.ProcessEnv, folder: string) {
  const report = path.join(folder, 'report.tap');
  await step(`${files.length} test files`, async () => {
    const { isOk, output } = await runProgram(['scripts/test/files.ts', report, ...files], env, true);
    return { isOk, output, hasShownOutput: true, count: countFile(report, countTap) };
  });
}

function longestFirst(files: string[]) {
  const rank = (file: string) => {
    const index = LONGEST.findIndex((glob) => path.matchesGlob(file, glob));
    return index < 0 ? LONGEST.length : index;
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}

/** Playwright empties its output folder at the start, so each run has its own. */
async function browserTests(
  name: string,
  files: string[],
  env: NodeJS.ProcessEnv,
  folder: string,
  show: boolean,
) {
  if (!files.length) return;
  const report = path.join(folder, `${name}.json`);
  await step(name, async () => {
    const { isOk, output } = await runProgram(
      [
        'node_modules/@playwright/test/cli.js',
        'test',
        '--reporter=list,json',
        `--output=test-results/${name.replaceAll(' ', '-')}`,
        ...files,
      ],
      { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      show,
    );
    return { isOk, output, hasShownOutput: show, count: countFile(report, countPlaywright) };
  });
}

/** Includes the long tests only with `--all`. */
function defaultFiles() {
  const isAll = options.includes('--all');
  const files = globSync([...TESTS, 'tests/**/*.e2e.ts'], { cwd: ROOT }).sort();
  const chosen = files.filter((file) => isAll || !isLong(file));
  if (!isAll) console.log(`${files.length - chosen.length} long files are left to npm run test:all.`);
  return chosen;
}

const isLong = (file: string) => LONG_TESTS.some((glob) => path.matchesGlob(file, glob));

/** Whether a test that is no journey also uses a browser. */
const usesBrowser = (file: string) =>
  readFileSync(path.resolve(ROOT, file), 'utf8').includes('#tests/harness/e2e/window.ts');

function chooseFiles() {
  const missing = named.filter((file) => !existsSync(path.resolve(ROOT, file)));
  if (missing.length) throw new Error(`There is no ${missing.join(' and no ')}.`);
  const unknown = options.filter((option) => option !== '--no-browser' && option !== '--all');
  if (unknown.length) throw new Error(`npm test knows --no-browser and --all, not ${unknown.join(' ')}.`);
  const all = named.length ? named : defaultFiles();
  const hasBrowser = !options.includes('--no-browser');
  const inBrowser = all.filter((file) => hasBrowser && file.endsWith('.e2e.ts'));
  const onNode = all.filter((file) => !file.endsWith('.e2e.ts') && (hasBrowser || !usesBrowser(file)));
  return { onNode: longestFirst(onNode), inBrowser };
}

async function main() {
  const { onNode, inBrowser } = chooseFiles();
  const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-report-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const checks = named.length ? undefined : types().then(lint).then(deadCode);
  const needsWeb = !named.length || inBrowser.length > 0 || onNode.some(needsBuild);
  const isBuilt = !needsWeb || (await step('build', build));
  let url = '';
  const isDatabaseUp = await step('database', async () => {
    const postgres = await startThrowAwayPostgres();
    cleanUps.unshift(() => postgres.stop());
    url = postgres.url();
    return { isOk: true };
  });
  if (!isDatabaseUp) return void (await checks);
  // The hundreds of processes of a run load the same files: each is compiled once, also for the next run.
  const NODE_COMPILE_CACHE = path.join(ROOT, '.data/compiled');
  const DATA_DIR = path.join(folder, 'data');
  const env = { ...cleanEnvironment(), NODE_COMPILE_CACHE, DATA_DIR, TEST_DATABASE_URL: url };
  const waiting = isBuilt ? inBrowser.filter((file) => WAITING_JOURNEY.test(file)) : [];
  const others = isBuilt ? inBrowser.filter((file) => !WAITING_JOURNEY.test(file)) : [];
  const hasOnlyBrowserTests = !onNode.length;
  const journey = browserTests('the whole journey', waiting, env, folder, hasOnlyBrowserTests);
  if (!hasOnlyBrowserTests) await nodeTests(onNode, env, folder);
  await Promise.all([checks, journey]);
  // After the others: with more tests than processors, the pages would respond too late for their time limits.
  await browserTests('browser journeys', others, env, folder, true);
}

async function build() {
  await ensureBuild(cancelled.signal);
  return { isOk: true };
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  total.failed += 1;
  total.failures.push({ name: 'npm test', error: (error as Error).message });
}
for (const cleanUp of cleanUps) await cleanUp();
if (!total.passed && !total.failed) console.error('No test ran.');
for (const { name, error } of total.failures) {
  console.log(`✖ ${name}`);
  if (error) console.log(error.replace(/^/gm, '    '));
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed || !total.passed || cancelled.signal.aborted ? 1 : 0);
