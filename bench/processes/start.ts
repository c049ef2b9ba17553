/**
 * The time of a clean build, and of `npm start` until the first page, in a copy of this checkout in a temp folder. With
 * `--cold` instead the first start of a fresh clone with an empty npm cache, which downloads every package.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { figure, number, title } from '#bench/measure/figures.ts';
import { measure, temporaryFolder } from '#bench/measure/product.ts';
import { ROOT, run } from '#scripts/run.ts';
import { freePort } from '#scripts/start/ports.ts';

/** Ignored by git. node_modules is copied. */
const EXCLUDED = new Set(['.git', '.data', 'build', '.react-router', 'test-results']);
const LONGEST_MS = 120_000;
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

const secondsSince = (start: number) => (performance.now() - start) / 1000;

function copyCheckout(folder: string, excluded: Set<string>) {
  for (const name of globSync('{*,.*}', { cwd: ROOT })) {
    if (excluded.has(name)) continue;
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status === 200;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

type StartedProduct = { seconds: number; stop(): Promise<void> };

/** Runs a command in the copy until its web process is ready. */
async function start(
  folder: string,
  command: string[],
  ports: Record<string, string>,
): Promise<StartedProduct> {
  const env = { ...process.env, DATABASE_URL: '', APP_URL: '', ...ports };
  const from = performance.now();
  const [program, ...args] = command as [string, ...string[]];
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  while (!(await isReady(`http://127.0.0.1:${ports.PORT}/health`))) {
    if (child.exitCode !== null || performance.now() - from > LONGEST_MS) {
      await stop(child);
      throw new Error(`npm start did not come up:\n${output}`);
    }
    await pause(20);
  }
  return { seconds: secondsSince(from), stop: () => stop(child) };
}

async function cleanBuild(folder: string): Promise<number> {
  rmSync(path.join(folder, 'build'), { recursive: true, force: true });
  const from = performance.now();
  const bin = path.join(folder, 'node_modules/@react-router/dev/bin.js');
  const { isOk, output } = await run([bin, 'build', folder], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (!isOk) throw new Error(output);
  return secondsSince(from);
}

async function choosePorts(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const name of ['PORT', 'SANDBOX_PORT', 'SANDBOX_SMTP_PORT']) ports[name] = String(await freePort());
  return ports;
}

/** The output of `npm start` at the end of each stage. */
const STAGES = {
  install: /^Installed in/m,
  build: /Built in/,
  database: /demo data ready/,
  up: /is running:/,
};
type Stage = keyof typeof STAGES;

/** Returns the seconds from the command to the end of each stage. */
async function coldStart(folder: string, env: NodeJS.ProcessEnv): Promise<Record<Stage, number>> {
  const from = performance.now();
  const child = spawn(NPM, ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const reached = {} as Record<Stage, number>;
  let output = '';
  const onData = (chunk: Buffer) => {
    output += chunk;
    for (const [stage, line] of Object.entries(STAGES)) {
      if (line.test(output)) reached[stage as Stage] ??= secondsSince(from);
    }
  };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', onData);
  while (reached.up === undefined && child.exitCode === null && secondsSince(from) < 240) await pause(50);
  await stop(child);
  if (reached.up === undefined) throw new Error(`The first npm start did not come up:\n${output}`);
  return reached;
}

/** The environment of a machine that has only its own Node, and npm with an empty cache. */
function coldEnvironment(cache: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?:execpath|lifecycle|package)/i.test(name),
  );
  const folders = process.env.PATH?.split(path.delimiter).filter(
    (folder) => !folder.includes('node_modules'),
  );
  const PATH = folders?.join(path.delimiter);
  return { ...Object.fromEntries(own), PATH, npm_config_cache: cache, DATABASE_URL: '', APP_URL: '' };
}

async function measureCold(folder: string, cache: string) {
  copyCheckout(folder, new Set([...EXCLUDED, 'node_modules']));
  title(`First start with an empty npm cache (load average ${number(loadavg()[0]!)})`);
  const { install, build, database, up } = await coldStart(folder, {
    ...coldEnvironment(cache),
    ...(await choosePorts()),
  });
  figure('npm start in a fresh clone', `${number(up)} s`, 'G11: 60 s');
  figure('  packages', `${number(install)} s`);
  figure('  build, beside it the database', `${number(build - install)} s, ${number(database - install)} s`);
  figure('  web and worker', `${number(up - Math.max(build, database))} s`);
}

await measure(async (stops) => {
  if (process.argv.includes('--cold')) return measureCold(temporaryFolder(stops), temporaryFolder(stops));
  const folder = temporaryFolder(stops);
  copyCheckout(folder, EXCLUDED);
  const ports = await choosePorts();

  title('Build and start, in a copy');
  figure('clean build', `${number(await cleanBuild(folder))} s`, 'G11: 15 s');
  for (const name of ['first npm start (builds, makes data)', 'second npm start', 'third npm start']) {
    const started = await start(folder, [NPM, 'start'], ports);
    const from = performance.now();
    await started.stop();
    const goal = name.startsWith('second') ? 'G11: 10 s' : '';
    figure(
      name,
      `${number(started.seconds)} s`,
      [goal, `stopped in ${number(secondsSince(from))} s`].filter(Boolean).join('; '),
    );
  }
});
