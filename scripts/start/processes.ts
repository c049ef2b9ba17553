import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { styleText } from 'node:util';
import { startWatchdog } from './watchdog.ts';

type Colour = Parameters<typeof styleText>[0];

export type Part = {
  name: string;
  pid: number | undefined;
  /** Resolves when the process has ended, with the reason as a sentence. */
  ended: Promise<string>;
  /** Resolves with the first line of output that matches; rejects when the process ends or after `seconds`. */
  line(pattern: RegExp, seconds: number): Promise<RegExpMatchArray>;
  /** Sends SIGTERM to the process and its children, and SIGKILL to those that still run after `seconds`. */
  stop(seconds: number): Promise<void>;
};

type Options = {
  name: string;
  /** This Node by default. */
  program?: string;
  args: string[];
  cwd?: string;
  env: NodeJS.ProcessEnv;
  /** Called with every line of output. */
  print: (line: string) => void;
};

/** Starts a program in a process group of its own, so that a Ctrl-C in the terminal does not end it. */
export function startPart({ name, program = process.execPath, args, cwd, env, print }: Options): Part {
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
  const watchdog = child.pid ? startWatchdog(-child.pid, 'TERM') : undefined;
  const lines: string[] = [];
  const listeners = new Set<(line: string) => void>();
  const onLine = (line: string) => {
    lines.push(line);
    if (lines.length > 500) lines.shift();
    for (const listener of listeners) listener(line);
    print(line);
  };
  createInterface({ input: child.stdout! }).on('line', onLine);
  createInterface({ input: child.stderr! }).on('line', onLine);

  let hasEnded = false;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${name} could not be started: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(signal ? `${name} was ended by ${signal}` : `${name} ended with exit code ${code}`),
    );
  }).finally(() => {
    hasEnded = true;
    watchdog?.kill('SIGKILL');
  });

  return {
    name,
    pid: child.pid,
    ended,
    async line(pattern, seconds) {
      for (const line of lines) {
        const match = line.match(pattern);
        if (match) return match;
      }
      let listener: ((line: string) => void) | undefined;
      const found = new Promise<RegExpMatchArray>((resolve) => {
        listener = (line) => {
          const match = line.match(pattern);
          if (match) resolve(match);
        };
        listeners.add(listener);
      });
      try {
        return await within(seconds, name, Promise.race([found, ended.then(fail)]));
      } finally {
        if (listener) listeners.delete(listener);
      }
    },
    async stop(seconds) {
      if (hasEnded) return;
      signalGroup(child, 'SIGTERM');
      const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), seconds * 1000);
      await ended;
      clearTimeout(timer);
      // A child of the child may outlive it in its group.
      signalGroup(child, 'SIGKILL');
    },
  };
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL') {
  if (!child.pid) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The group is already empty.
  }
}

function fail(reason: string): never {
  throw new Error(`${reason}.`);
}

async function within<T>(seconds: number, name: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${name} was not ready after ${seconds} seconds.`)),
      seconds * 1000,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Requests a URL until the response is 2xx. Rejects when the process ends or after `seconds`. */
export async function waitUntilOk(url: string, part: Part, seconds: number): Promise<void> {
  let isOver = false;
  const poll = async () => {
    while (!isOver) {
      const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  try {
    await within(seconds, part.name, Promise.race([poll(), part.ended.then(fail)]));
  } finally {
    isOver = true;
  }
}

/** Returns a function that prints lines with the name of their process in front. */
export function prefixed(name: string, colour: Colour): (line: string) => void {
  const label = `${name.padEnd(8)} │`;
  const isColoured = process.stdout.isTTY && !process.env.NO_COLOR;
  const prefix = isColoured ? styleText(colour, label) : label;
  return (line) => {
    if (line.trim()) console.log(`${prefix} ${readable(line)}`);
  };
}

/** Formats a JSON log line for people; returns every other line unchanged. */
function readable(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { level, time: _time, pid: _pid, hostname: _host, msg, ...rest } = JSON.parse(line);
    if (typeof level !== 'number') return line;
    const grade = level >= 50 ? 'error: ' : level >= 40 ? 'warning: ' : '';
    const details = Object.entries(rest).map(
      ([k, v]) => `${k}=${typeof v === 'string' ? v : JSON.stringify(v)}`,
    );
    return [`${grade}${msg ?? ''}`, ...details].join(' ').trim();
  } catch {
    return line;
  }
}
