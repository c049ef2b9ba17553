/**
 * Runs the measurements one after another. Arguments select them by name, and options are passed to each:
 * `npm run bench -- start --cold`. With `--keep` their figures replace those in RESULTS.md.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { saveFigures } from '#bench/measure/results.ts';
import { ROOT } from '#scripts/run.ts';

const SCRIPTS = [
  'bytes',
  'dashboard',
  'pages',
  'month',
  'felt',
  'lighthouse',
  'punctual',
  'publications',
  'crowd',
  'behind-writing',
  'writing',
  'flood',
  'login',
  'tick',
  'rest',
  'sizes',
  'memory',
  'restart',
  'start',
  'spawn',
  'gates',
  'similarity',
  'visits',
  'start-page',
  'api',
  'desk',
  'layouts',
  'ids',
  'vacuum',
  'soak',
];
const named = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const KEEP = '--keep';
const options = process.argv.slice(2).filter((word) => word.startsWith('-') && word !== KEEP);
const savesFigures = process.argv.includes(KEEP);
const unknown = named.filter((name) => !SCRIPTS.includes(name));
if (unknown.length) {
  console.error(`There is ${SCRIPTS.join(', ')}, but no ${unknown.join(' and no ')}.`);
  process.exit(1);
}

const failed = SCRIPTS.filter((name) => !named.length || named.includes(name)).filter((name) => {
  const [file] = globSync(`bench/*/${name}.ts`, { cwd: ROOT });
  const run = (env = process.env) =>
    spawnSync(process.execPath, [file!, ...options], { cwd: ROOT, stdio: 'inherit', env }).status === 0;
  return !(savesFigures ? saveFigures(name, options, run) : run());
});
if (failed.length) {
  console.error(`\nCould not be measured: ${failed.join(', ')}.`);
  process.exitCode = 1;
}
