import { execFileSync } from 'node:child_process';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { cpuSeconds } from './figures.ts';

/** The process id of the database server, and those of its children. */
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

/**
 * Returns the CPU seconds of the database server, from /proc. Its own process includes those of its children that
 * have ended.
 */
export async function postgresSeconds(db: Db): Promise<number> {
  const [server, ...children] = await postgresProcesses(db);
  const seconds = children.map((pid) => cpuSeconds(pid)).filter((value) => !Number.isNaN(value));
  return seconds.reduce((sum, value) => sum + value, cpuSeconds(server, { withEndedChildren: true }));
}
