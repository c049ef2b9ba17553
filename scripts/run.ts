import { spawn } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '..');

export type Ran = { isOk: boolean; output: string; how: string };

/** Runs a program on this Node to its end. `show` lets its output through as it comes. */
export function run(
  args: string[],
  {
    env = process.env,
    signal,
    show = false,
  }: { env?: NodeJS.ProcessEnv; signal?: AbortSignal; show?: boolean },
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env,
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (to: NodeJS.WriteStream) => (chunk: string) => {
      output += chunk;
      if (show) to.write(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', collect(process.stdout));
    child.stderr.setEncoding('utf8').on('data', collect(process.stderr));
    child.on('error', (error) => resolve({ isOk: false, output, how: error.message }));
    child.on('close', (code, by) =>
      resolve({ isOk: code === 0, output, how: by ? `ended by ${by}` : `exit code ${code}` }),
    );
  });
}
