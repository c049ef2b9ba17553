import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { reachableFolder, serverAccount, serverFiles } from './files.ts';

const FAST_BUT_FORGETFUL = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  // Each copy of a database passes through the log, which may lie in memory.
  'max_wal_size=512MB',
];

/** Where the process that started the server is written down. */
export const OWNER = 'launcher.pid';

/** Every file the server and its launcher use. */
export type Place = ReturnType<typeof place>;

export function place(dataDir: string) {
  const account = serverAccount();
  const home = reachableFolder(dataDir, account);
  const file = (name: string) => path.join(home, name);
  return {
    home,
    account,
    native: serverFiles(account),
    cluster: file('cluster'),
    log: file('postgres.log'),
    password: file('superuser'),
    remembered: file('port'),
    owner: file(OWNER),
  };
}

/** In its own process group: a Ctrl-C in the terminal reaches us, and we stop the server last. */
export function launch(at: Place, port: number, durable: boolean): ChildProcess {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    'log_timezone=UTC',
    `max_connections=${durable ? 100 : 300}`,
    ...(durable ? [] : FAST_BUT_FORGETFUL),
  ].flatMap((setting) => ['-c', setting]);
  const log = openSync(at.log, 'w', 0o600);
  const server = spawn(binary(at, 'postgres'), ['-D', at.cluster, '-p', String(port), ...settings], {
    ...at.account,
    cwd: at.home,
    env: cleanEnvironment(),
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  server.unref();
  server.on('error', () => {});
  return server;
}

/** What the server wrote about itself, when a server really runs on these data. */
export function postmaster(at: Place): { pid: number; port: number } | undefined {
  const file = path.join(at.cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  return isRunning(pid) && commandLine(pid).includes(at.cluster)
    ? { pid, port: Number(lines[3]) }
    : undefined;
}

/** Fast shutdown, and after 8 seconds one that does without the last checkpoint. */
export async function shutDown(at: Place, watch?: ChildProcess) {
  watch?.kill('SIGKILL');
  if (process.platform === 'win32') {
    spawnSync(binary(at, 'pg_ctl'), ['stop', '-D', at.cluster, '-m', 'fast', '-w'], { stdio: 'ignore' });
    return;
  }
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    const server = postmaster(at);
    if (!server) return;
    process.kill(server.pid, signal);
    const deadline = Date.now() + 8_000;
    while (postmaster(at) && Date.now() < deadline) await pause(20);
  }
}

export function isRunning(pid?: number): boolean {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Empty for a process that has ended but whose parent has not noticed. */
function commandLine(pid: number): string {
  if (process.platform === 'win32') return readPostmasterFolder(pid);
  const proc = `/proc/${pid}/cmdline`;
  if (existsSync(proc)) return readFileSync(proc, 'utf8');
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}

function readPostmasterFolder(pid: number): string {
  const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`;
  return spawnSync('powershell', ['-NoProfile', '-Command', query], { encoding: 'utf8' }).stdout ?? '';
}

export function binary(at: Place, name: string): string {
  return path.join(at.native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/** Settings of another Postgres on this machine must not reach ours. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}
