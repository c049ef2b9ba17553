import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type pg from 'pg';
import { ROOT } from '#scripts/run.ts';
import { soon, until } from './until.ts';

export type Worker = {
  pid: number;
  /** SIGKILL, and the end of every connection the process leaves behind. */
  kill(): Promise<void>;
  signal(name: 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void;
  /** The exit code, null when a signal has ended it. */
  ended: Promise<number | null>;
  /** Until this many of its connections wait for a lock. */
  blocked(count?: number): Promise<void>;
  /** Until it has written this. */
  said(text: string): Promise<void>;
  output(): string;
};

/** The environment of a worker that has watched the clocks for a minute when it begins. */
export const WATCHED = { NODE_OPTIONS: `--import ${path.join(import.meta.dirname, 'watched.ts')}` };
/** Of one that also waits for a lock for as long as it takes. */
export const PATIENT = {
  NODE_OPTIONS: `${WATCHED.NODE_OPTIONS} --import ${path.join(import.meta.dirname, 'patient.ts')}`,
};
/** Of one that has not, as every worker in its first minute. */
export const FRESH = { NODE_OPTIONS: '' };

type AtEnd = (end: () => Promise<void>) => void;

let counter = 0;

/** The real worker as a process of its own, ready to take jobs. Killed at the end of the test if not before. */
export async function startWorker(
  atEnd: AtEnd,
  database: { workerUrl: string; pool: pg.Pool },
  env: Record<string, string>,
  lanes: string[] = [],
): Promise<Worker> {
  const name = `worker-${process.pid}-${++counter}`;
  const url = new URL(database.workerUrl);
  url.searchParams.set('application_name', name);
  const { NODE_TEST_CONTEXT: _context, ...inherited } = process.env;
  // As it is deployed: V8 keeps more for what is new than a worker ever needs.
  const child = spawn(process.execPath, ['--max-semi-space-size=8', 'worker/main.ts', ...lanes], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...inherited, NODE_ENV: 'test', LOG_LEVEL: 'error', ...env, DATABASE_URL: url.href },
  });
  const lines: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) {
    createInterface({ input: stream }).on('line', (line) => lines.push(line));
  }
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const connections = async (condition = 'true') => {
    const { rows } = await database.pool.query(
      `select pid from pg_stat_activity where application_name = $1 and ${condition}`,
      [name],
    );
    return rows.map(({ pid }) => pid as number);
  };
  const kill = async () => {
    if (isOver(child)) return;
    child.kill('SIGKILL');
    await ended;
    await until('its connections are gone', async () => {
      const left = await connections();
      for (const pid of left) await database.pool.query('select pg_terminate_backend($1)', [pid]);
      return left.length === 0;
    });
  };
  atEnd(kill);
  const output = () => lines.join('\n');
  const said = async (text: string) => {
    await until(`the worker says "${text}"`, () => {
      if (lines.some((line) => line.includes(text))) return true;
      if (isOver(child)) throw new Error(`The worker ended before it said "${text}":\n${output()}`);
      return false;
    }).catch((error: Error) => {
      throw new Error(`${error.message}\n${output()}`);
    });
  };
  await said('worker ready');
  return {
    pid: child.pid!,
    kill,
    ended: ended,
    signal: (signal) => void child.kill(signal),
    blocked: async (least = 1) => {
      await until(`${least} connections of the worker wait for a lock`, async () => {
        return (await connections('cardinality(pg_blocking_pids(pid)) > 0')).length >= least;
      });
    },
    said,
    output,
  };
}

const isOver = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Locks taken by `sql` in a transaction of the test, until they are released. */
export async function lock(atEnd: AtEnd, pool: pg.Pool, sql: string, values: unknown[] = []) {
  const client = await pool.connect();
  let isOpen = true;
  const release = async () => {
    if (!isOpen) return;
    isOpen = false;
    // The server may be gone, and with it the locks.
    const error = await client.query('rollback').then(
      () => undefined,
      (reason: Error) => reason,
    );
    client.release(error);
  };
  atEnd(release);
  await client.query('begin; set local idle_in_transaction_session_timeout = 0');
  await soon(`lock: ${sql}`, client.query(sql, values));
  return { release };
}
