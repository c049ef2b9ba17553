import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { reachableFolder, serverAccount, serverFiles } from './files.ts';

const NOT_DURABLE = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  // Creating a database writes a copy of its template to the WAL, which may be on a memory file system.
  'max_wal_size=512MB',
];

/** Contains the id of the process that started the server. */
export const LAUNCHER_FILE = 'launcher.pid';

export type ServerPaths = ReturnType<typeof serverPaths>;

export function serverPaths(dataDir: string) {
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
    portFile: file('port'),
    launcherFile: file(LAUNCHER_FILE),
  };
}

/** In a process group of its own, so that a Ctrl-C in the terminal does not stop the server before its clients. */
export function launch(paths: ServerPaths, port: number, durable: boolean): ChildProcess {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    'log_timezone=UTC',
    `max_connections=${durable ? 100 : 300}`,
    ...(durable ? [] : NOT_DURABLE),
  ].flatMap((setting) => ['-c', setting]);
  const log = openSync(paths.log, 'w', 0o600);
  const server = spawn(binary(paths, 'postgres'), ['-D', paths.cluster, '-p', String(port), ...settings], {
    ...paths.account,
    cwd: paths.home,
    env: cleanEnvironment(),
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  server.unref();
  server.on('error', () => {});
  return server;
}

/** The server that runs on these data, from its postmaster.pid. */
export function postmaster(paths: ServerPaths): { pid: number; port: number } | undefined {
  const file = path.join(paths.cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  return isRunning(pid) && commandLine(pid).includes(paths.cluster)
    ? { pid, port: Number(lines[3]) }
    : undefined;
}

/** Fast shutdown; after 8 seconds an immediate one, without a checkpoint. */
export async function shutDown(paths: ServerPaths, watch?: ChildProcess) {
  watch?.kill('SIGKILL');
  if (process.platform === 'win32') {
    spawnSync(binary(paths, 'pg_ctl'), ['stop', '-D', paths.cluster, '-m', 'fast', '-w'], {
      stdio: 'ignore',
    });
    return;
  }
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    const server = postmaster(paths);
    if (!server) return;
    process.kill(server.pid, signal);
    const deadline = Date.now() + 8_000;
    while (postmaster(paths) && Date.now() < deadline) await pause(20);
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

/** Empty for a zombie process. */
function commandLine(pid: number): string {
  if (process.platform === 'win32') return windowsCommandLine(pid);
  const proc = `/proc/${pid}/cmdline`;
  if (existsSync(proc)) return readFileSync(proc, 'utf8');
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}

function windowsCommandLine(pid: number): string {
  const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`;
  return spawnSync('powershell', ['-NoProfile', '-Command', query], { encoding: 'utf8' }).stdout ?? '';
}

export function binary(paths: ServerPaths, name: string): string {
  return path.join(paths.native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/** Without the settings for other Postgres servers on this machine. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(others), LC_ALL: 'C' };
}
