import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from '#scripts/run.ts';
import { freePort } from '#scripts/start/ports.ts';
import { registerCallback } from '#tests/harness/outside/sandbox.ts';

const SERVE = path.join(ROOT, 'node_modules/@react-router/serve/bin.js');
/** Long enough for a machine that does much else. */
const READY_WITHIN_MS = 60_000;
/** What it writes as soon as it listens. Asked before that it could not answer, and asking takes time as well. */
const LISTENS = '[react-router-serve]';

type Ending = 'SIGTERM' | 'SIGINT' | 'SIGUSR2' | 'disconnect';

export type Web = {
  url: string;
  pid: number;
  /** What it has written so far: its log, at level error unless LOG_LEVEL says otherwise. */
  said(): string;
  stop(): Promise<void>;
  /** Asks the process to end by a signal, or by letting go of it, and answers its exit code. */
  end(how: Ending): Promise<number | null>;
};

const started: Web[] = [];
after(() => Promise.all(started.map((web) => web.stop())));

async function isUp(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health`).catch(() => undefined);
  return response?.status === 200;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function end(child: ChildProcess, how: Ending): Promise<number | null> {
  const exited = once(child, 'exit');
  if (how === 'disconnect') child.disconnect();
  else child.kill(how);
  const [code] = await exited;
  return code;
}

type Options = { databaseUrl: string; env?: Record<string, string> };

/** The built web process as it runs in production, on a free port, stopped when the test file ends. */
export async function startWeb({ databaseUrl, env }: Options): Promise<Web> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [SERVE, './server.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      SANDBOX: '1',
      HOST: '127.0.0.1',
      PORT: String(port),
      APP_URL: url,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'error',
      ...env,
    },
  });
  let said = '';
  const listens = Promise.withResolvers<void>();
  child.once('exit', () => listens.resolve());
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk) => {
      said += chunk;
      if (said.includes(LISTENS)) listens.resolve();
    });
  }
  const web: Web = {
    url,
    pid: child.pid!,
    said: () => said,
    stop: () => stop(child),
    end: (how) => end(child, how),
  };
  started.push(web);
  const authUrl = env?.LINKEDIN_AUTH_URL ?? process.env.LINKEDIN_AUTH_URL;
  if (authUrl) await registerCallback(authUrl, env?.APP_URL ?? url);
  const deadline = Date.now() + READY_WITHIN_MS;
  await Promise.race([listens.promise, wait(READY_WITHIN_MS, undefined, { ref: false })]);
  while (!(await isUp(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The web process did not start:\n${said}`);
    }
    await wait(50);
  }
  return web;
}
