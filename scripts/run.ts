import { spawn } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '..');

export type RunResult = { isOk: boolean; output: string; reason: string };

/** Runs a program with this Node and resolves when it ends. `show` also prints its output; the signal interrupts it. */
export function run(
  args: string[],
  {
    env = process.env,
    signal,
    show = false,
    cwd = ROOT,
  }: { env?: NodeJS.ProcessEnv; signal?: AbortSignal; show?: boolean; cwd?: string },
): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const interrupt = () => {
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGKILL'), 8_000).unref();
    };
    if (signal?.aborted) interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });
    let output = '';
    const collect = (to: NodeJS.WriteStream) => (chunk: string) => {
      output += chunk;
      if (show) to.write(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', collect(process.stdout));
    child.stderr.setEncoding('utf8').on('data', collect(process.stderr));
    child.on('error', (error) => resolve({ isOk: false, output, reason: error.message }));
    child.on('close', (code, endSignal) => {
      signal?.removeEventListener('abort', interrupt);
      resolve({
        isOk: code === 0,
        output,
        reason: endSignal ? `ended by ${endSignal}` : `exit code ${code}`,
      });
    });
  });
}
