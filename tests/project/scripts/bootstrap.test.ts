/** The real bootstrap with the real npm, in a small project whose packages lie beside it: no registry. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { ROOT } from '#scripts/run.ts';

const temp = mkdtempSync(path.join(tmpdir(), 'tidepost-bootstrap-'));
after(() => rmSync(temp, { recursive: true, force: true }));

const { npm_execpath: npmFile } = process.env;
const INSTALLING = /^(?:Installing|Adding) /gm;

function npm(cwd: string, ...args: string[]) {
  const list = [...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd, encoding: 'utf8' } as const;
  const ran = npmFile
    ? spawnSync(process.execPath, [npmFile, ...list], options)
    : spawnSync('npm', list, options);
  assert.equal(ran.status, 0, ran.stderr);
}

function writeJson(file: string, content: object) {
  writeFileSync(file, JSON.stringify({ version: '1.0.0', ...content }));
}

/** A package as npm gets it from a registry: packed. */
function pack(into: string, name: string, version = '1.0.0') {
  const folder = mkdtempSync(path.join(temp, 'package-'));
  writeJson(path.join(folder, 'package.json'), { name, version, bin: name === 'node' ? 'node' : undefined });
  writeFileSync(path.join(folder, 'node'), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
  chmodSync(path.join(folder, 'node'), 0o755);
  npm(folder, 'pack', '--pack-destination', into);
  return `file:${name}-${version}.tgz`;
}

/** `start-kit` is a package of npm start, `test-kit` one of npm test only; `node` plays the checkout's Node. */
function makeTemplate() {
  const folder = path.join(temp, 'template');
  mkdirSync(path.join(folder, 'scripts'), { recursive: true });
  copyFileSync(path.join(ROOT, 'scripts/bootstrap.mjs'), path.join(folder, 'scripts/bootstrap.mjs'));
  writeFileSync(path.join(folder, 'scripts/hello.mjs'), `console.log('hello', ...process.argv.slice(2));`);
  writeJson(path.join(folder, 'package.json'), {
    name: 'project',
    dependencies: { 'start-kit': pack(folder, 'start-kit') },
    devDependencies: { 'test-kit': pack(folder, 'test-kit') },
    optionalDependencies: { node: pack(folder, 'node') },
  });
  npm(folder, 'install', '--package-lock-only');
  return folder;
}

const template = makeTemplate();

function project() {
  const folder = mkdtempSync(path.join(temp, 'project-'));
  cpSync(template, folder, { recursive: true });
  return folder;
}

const START = ['scripts/hello.mjs', 'start'];
const TEST = ['--with-tests', 'scripts/hello.mjs', 'test'];

function begin(folder: string, args: string[]): ChildProcess {
  const env = { ...process.env, NODE_ENV: 'production' };
  return spawn(process.execPath, ['scripts/bootstrap.mjs', ...args], { cwd: folder, env, detached: true });
}

async function ran(folder: string, args: string[]): Promise<{ said: string; installs: number }> {
  const child = begin(folder, args);
  const [said, errors, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit'),
  ]);
  assert.equal(code, 0, errors);
  assert.match(said, new RegExp(`^hello ${args.at(-1)}$`, 'm'));
  return { said, installs: said.match(INSTALLING)?.length ?? 0 };
}

const at = (folder: string, name: string) => path.join(folder, 'node_modules', name);
const has = (folder: string) => ['start-kit', 'test-kit'].filter((name) => existsSync(at(folder, name)));

/** Goes when npm removes or replaces the package. */
const mark = (folder: string, name: string) => writeFileSync(at(folder, `${name}/mark`), '');
const isUntouched = (folder: string, name: string) => existsSync(at(folder, `${name}/mark`));

test('npm start in a fresh clone installs without the packages of tests, once', async () => {
  const folder = project();
  assert.equal((await ran(folder, START)).installs, 1);
  assert.deepEqual(has(folder), ['start-kit']);
  assert.equal((await ran(folder, START)).installs, 0);
  assert.ok(existsSync(at(folder, '.cache/compiled')), 'what Node compiled is kept');
});

test('npm test in a fresh clone installs everything, and npm start then leaves it as it is', async () => {
  const folder = project();
  assert.equal((await ran(folder, TEST)).installs, 1);
  assert.deepEqual(has(folder), ['start-kit', 'test-kit']);
  mark(folder, 'test-kit');
  assert.equal((await ran(folder, START)).installs, 0);
  assert.ok(isUntouched(folder, 'test-kit'));
});

test('npm test after npm start adds what is missing and touches nothing else', async () => {
  const folder = project();
  const lock = readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
  await ran(folder, START);
  mark(folder, 'start-kit');
  assert.equal((await ran(folder, TEST)).installs, 1);
  assert.deepEqual(has(folder), ['start-kit', 'test-kit']);
  assert.ok(isUntouched(folder, 'start-kit'));
  assert.equal(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'), lock);
  assert.equal((await ran(folder, TEST)).installs, 0);
});

test('what a person has installed by npm ci is taken as it is', async () => {
  const folder = project();
  npm(folder, 'ci', '--omit=dev');
  mark(folder, 'start-kit');
  assert.equal((await ran(folder, START)).installs, 0);
  assert.equal((await ran(folder, TEST)).installs, 1);
  assert.ok(isUntouched(folder, 'start-kit'));
  npm(folder, 'ci');
  assert.equal((await ran(folder, TEST)).installs, 0);
});

test('a changed lock is installed anew, each command its own set', async () => {
  const folder = project();
  await ran(folder, TEST);
  npm(folder, 'install', '--package-lock-only', pack(folder, 'start-kit', '1.1.0'));
  const version = () => JSON.parse(readFileSync(at(folder, 'start-kit/package.json'), 'utf8')).version;
  assert.equal((await ran(folder, START)).installs, 1);
  assert.equal(version(), '1.1.0');
  assert.deepEqual(has(folder), ['start-kit']);
  npm(folder, 'install', '--package-lock-only', pack(folder, 'start-kit', '1.2.0'));
  assert.equal((await ran(folder, TEST)).installs, 1);
  assert.equal(version(), '1.2.0');
  assert.deepEqual(has(folder), ['start-kit', 'test-kit']);
});

test('an installation that was cut short is made again from nothing', async () => {
  const folder = project();
  await ran(folder, START);
  const adding = begin(folder, TEST);
  await once(adding.stdout!, 'data');
  process.kill(-adding.pid!, 'SIGKILL');
  await once(adding, 'exit');
  mkdirSync(at(folder, 'test-kit'), { recursive: true });
  writeJson(at(folder, 'test-kit/package.json'), { name: 'test-kit' });
  mark(folder, 'test-kit');
  assert.equal((await ran(folder, START)).installs, 0);
  assert.equal((await ran(folder, TEST)).installs, 1);
  assert.ok(!isUntouched(folder, 'test-kit'));

  rmSync(at(folder, '.tidepost-lock'));
  rmSync(at(folder, '.package-lock.json'));
  assert.equal((await ran(folder, START)).installs, 1);
});

test('two commands at once in a fresh clone both run: the second waits for the installation', async () => {
  const folder = project();
  const both = await Promise.all([ran(folder, TEST), ran(folder, START), ran(folder, TEST)]);
  assert.ok(both.some(({ said }) => said.includes('waiting for it')));
  assert.deepEqual(has(folder), ['start-kit', 'test-kit']);
  assert.ok(both.reduce((sum, { installs }) => sum + installs, 0) <= 2);
});
