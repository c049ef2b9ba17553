/**
 * Every measurement, one after another: they would disturb each other side by side. Names choose some of
 * them, and options reach each: `npm run bench -- start --cold`.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

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
  'memory',
  'restart',
  'start',
  'gates',
  'similarity',
  'visits',
  'start-page',
  'api',
  'desk',
];
const named = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const options = process.argv.slice(2).filter((word) => word.startsWith('-'));
const unknown = named.filter((name) => !SCRIPTS.includes(name));
if (unknown.length) throw new Error(`There is ${SCRIPTS.join(', ')}, but no ${unknown.join(' and no ')}.`);

const failed = SCRIPTS.filter((name) => !named.length || named.includes(name)).filter((name) => {
  const file = path.join(import.meta.dirname, `${name}.ts`);
  return spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' }).status !== 0;
});
if (failed.length) {
  console.error(`\nCould not be measured: ${failed.join(', ')}.`);
  process.exitCode = 1;
}
