import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from '#scripts/run.ts';

const STAMP = path.join(ROOT, 'build', 'sources.sha256');
const SOURCES = [
  'app/**/*',
  'public/*',
  'vite.config.ts',
  'react-router.config.ts',
  'package-lock.json',
  'package.json',
  'scripts/build/check-bundle.ts',
];

function sourcesHash(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: ROOT }).sort()) {
    const full = path.join(ROOT, file);
    if (!statSync(full).isFile() || file.endsWith('.test.ts')) continue;
    const text = readFileSync(full);
    hash.update(`${file.replaceAll(path.sep, '/')}\n${text.length}\n`).update(text);
  }
  return hash.digest('hex');
}

/** Builds the web application unless build/ was made from exactly these sources. Returns whether it built. */
export async function ensureBuild(signal?: AbortSignal, onStart = () => {}): Promise<boolean> {
  const hash = sourcesHash();
  const entry = path.join(ROOT, 'build/server/index.js');
  if (existsSync(entry) && existsSync(STAMP) && readFileSync(STAMP, 'utf8').trim() === hash) return false;
  onStart();
  const env = { ...process.env, NODE_ENV: 'production' };
  for (const args of [['node_modules/@react-router/dev/bin.js', 'build'], ['scripts/build/check-bundle.ts']]) {
    const { isOk, output, reason: how } = await run(args, { env, signal });
    if (!isOk) throw new Error(`The build failed (${how}).\n${output.trim()}`);
  }
  writeFileSync(STAMP, `${hash}\n`);
  return true;
}

/** Whether a test sends requests to the web process, which serves the build. */
export const needsBuild = (file: string): boolean =>
  file.endsWith('.http.test.ts') ||
  readFileSync(path.resolve(ROOT, file), 'utf8').includes('#tests/harness/web.ts');
