import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Signals a process (a negative number: a process group) when this one ends, however it ends: the
 * watchdog's input closes then. Kill the watchdog when the process has stopped in the ordinary way.
 */
export function watchOver(
  target: number,
  signal: 'INT' | 'TERM',
  account?: { uid: number; gid: number },
): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const script = 'read -r line || kill -s "$1" -- "$2" 2>/dev/null';
  const dog = spawn('/bin/sh', ['-c', script, 'sh', signal, String(target)], {
    ...account,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  dog.unref();
  (dog.stdin as unknown as { unref(): void }).unref();
  dog.stdin?.on('error', () => {});
  return dog;
}
