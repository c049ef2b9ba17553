/** Every measurement, one after another: they would disturb each other side by side. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const SCRIPTS = ['bytes', 'dashboard', 'pages', 'punctual', 'memory', 'restart', 'start'];

const failed = SCRIPTS.filter((name) => {
  const file = path.join(import.meta.dirname, `${name}.ts`);
  return spawnSync(process.execPath, [file], { stdio: 'inherit' }).status !== 0;
});
if (failed.length) {
  console.error(`\nCould not be measured: ${failed.join(', ')}.`);
  process.exitCode = 1;
}
