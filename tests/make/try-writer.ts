import { execFile } from 'node:child_process';
import path from 'node:path';

const SCRIPT = path.join(import.meta.dirname, '../../scripts/try-writer.ts');
/** Longer than it takes on a slow machine. What hangs is ended, so that the tests do not wait for it for ever. */
const WITHIN_MS = 150_000;

/** What `npm run try-writer` says about some words under some settings, and the status it ends with. */
export const tryWriter = (words: string[], settings: Record<string, string> = {}) =>
  new Promise<{ said: string; status: unknown }>((done) => {
    const env = { ...process.env, DATABASE_URL: '', ...settings };
    execFile(process.execPath, [SCRIPT, ...words], { env, timeout: WITHIN_MS }, (error, stdout, stderr) =>
      done({ said: stdout + stderr, status: error ? error.code : 0 }),
    );
  });
