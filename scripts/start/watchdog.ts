import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Starts a process that signals `target` (a negative number: a process group) when the current process ends, even when
 * that is killed: the input of the watchdog is closed then. Kill the watchdog when the target has ended.
 */
export function startWatchdog(
  target: number,
  signal: 'INT' | 'TERM',
  account?: { uid: number; gid: number },
): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const script = 'read -r line || kill -s "$1" -- "$2" 2>/dev/null';
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', signal, String(target)], {
    ...account,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref(): void }).unref();
  watchdog.stdin?.on('error', () => {});
  return watchdog;
}
