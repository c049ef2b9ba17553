/**
 * A clean build, and `npm start` for the second time: from the command to the first page. Works on a copy
 * of this checkout in a temp folder, with data of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#scripts/ports.ts';
import { ROOT, run } from '#scripts/run.ts';
import { figure, number, title } from './figures.ts';
import { measure, temporaryFolder } from './product.ts';

/** What git does not keep, but the packages: those are copied. */
const LEFT_OUT = new Set(['.git', '.data', 'build', '.react-router', 'test-results']);
const LONGEST_MS = 120_000;

const seconds = (from: number) => (performance.now() - from) / 1000;

function copy(folder: string) {
  for (const name of globSync('{*,.*}', { cwd: ROOT })) {
    if (LEFT_OUT.has(name)) continue;
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status === 200;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

type Started = { seconds: number; stop(): Promise<void> };

/** Runs a command of the copy until its web process answers. */
async function start(folder: string, command: string[], ports: Record<string, string>): Promise<Started> {
  const env = { ...process.env, DATABASE_URL: '', APP_URL: '', ...ports };
  const from = performance.now();
  const [program, ...args] = command as [string, ...string[]];
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  while (!(await answers(`http://127.0.0.1:${ports.PORT}/health`))) {
    if (child.exitCode !== null || performance.now() - from > LONGEST_MS) {
      await stop(child);
      throw new Error(`npm start did not come up:\n${said}`);
    }
    await pause(20);
  }
  return { seconds: seconds(from), stop: () => stop(child) };
}

async function cleanBuild(folder: string): Promise<number> {
  rmSync(path.join(folder, 'build'), { recursive: true, force: true });
  const from = performance.now();
  const bin = path.join(folder, 'node_modules/@react-router/dev/bin.js');
  const { isOk, output } = await run([bin, 'build', folder], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (!isOk) throw new Error(output);
  return seconds(from);
}

await measure(async (stops) => {
  const folder = temporaryFolder(stops);
  copy(folder);
  const names = ['PORT', 'SANDBOX_PORT', 'SANDBOX_SMTP_PORT'];
  const ports: Record<string, string> = {};
  for (const name of names) ports[name] = String(await freePort());

  title('Build and start, in a copy');
  figure('clean build', `${number(await cleanBuild(folder))} s`, 'goal 15 s');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  for (const name of ['first npm start (builds, makes data)', 'second npm start', 'third npm start']) {
    const started = await start(folder, [npm, 'start'], ports);
    const from = performance.now();
    await started.stop();
    const goal = name.startsWith('second') ? 'goal 10 s' : '';
    figure(
      name,
      `${number(started.seconds)} s`,
      [goal, `stopped in ${number(seconds(from))} s`].filter(Boolean).join('; '),
    );
  }
});
