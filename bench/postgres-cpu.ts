import { execFileSync } from 'node:child_process';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { cpuSeconds } from './figures.ts';

/** The server behind the database and every process it has started. */
async function postgresProcesses(db: Db): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const parents = new Map(
    execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]),
  );
  const server = parents.get(rows[0]!.pid)!;
  return [server, ...[...parents].filter(([, parent]) => parent === server).map(([pid]) => pid)];
}

/** CPU seconds of the server and its children, from /proc; those of children that have ended stand with the server. */
export async function postgresSeconds(db: Db): Promise<number> {
  const [server, ...children] = await postgresProcesses(db);
  const seconds = children.map((pid) => cpuSeconds(pid)).filter((value) => !Number.isNaN(value));
  return seconds.reduce((sum, value) => sum + value, cpuSeconds(server, { isWithEnded: true }));
}
