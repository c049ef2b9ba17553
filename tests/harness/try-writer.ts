import { execFile } from 'node:child_process';
import path from 'node:path';
import { ROOT } from '#scripts/run.ts';
import { testDatabase } from './database.ts';

const COMMAND = path.join(ROOT, 'scripts/writer/try.ts');
const LOOK = path.join(import.meta.dirname, 'first-look.ts');
/** Longer than it takes on a slow machine. What hangs is ended, so that the tests do not wait for it for ever. */
const WITHIN_MS = 150_000;

type Settings = Record<string, string>;

const run = (script: string, words: string[], settings: Settings) =>
  new Promise<{ said: string; status: unknown }>((done) => {
    const env = { ...process.env, DATABASE_URL: '', ...settings };
    execFile(process.execPath, [script, ...words], { env, timeout: WITHIN_MS }, (error, stdout, stderr) =>
      done({ said: stdout + stderr, status: error ? error.code : 0 }),
    );
  });

/** What `npm run try-writer` says about some words under some settings, and the status it ends with. */
export const tryWriter = (words: string[], settings: Settings = {}) => run(COMMAND, words, settings);

/** What it says, in a database of the run: to start a Postgres for each look costs more than all its posts. */
export async function look(words: string[], settings: Settings = {}) {
  const database = await testDatabase();
  return run(LOOK, words, { LOOK_DATABASE_URL: database.ownerUrl, ...settings });
}
