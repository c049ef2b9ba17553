import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT } from '#scripts/run.ts';

type Entry = { version?: string; resolved?: string; optional?: boolean } & Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string> | undefined
>;

const read = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
const packages: Record<string, Entry> = read('package-lock.json').packages;
const manifest: Entry = read('package.json');

/** Where npm would find `name` for a package installed at `at`: beside it or beside one of its parents. */
function isLocked(name: string, at: string): boolean {
  const folders = at
    .split('node_modules/')
    .map((_, depth, parts) => parts.slice(0, depth + 1).join('node_modules/'));
  return folders.some((folder) => {
    const base = folder && !folder.endsWith('/') ? `${folder}/` : folder;
    return `${base}node_modules/${name}` in packages;
  });
}

test('every platform package that a locked package names is locked too', () => {
  const missing = Object.entries(packages).flatMap(([at, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isLocked(name, at))
      .map((name) => `${at || 'package.json'} names ${name}`),
  );
  assert.deepEqual(missing, []);
});

test('the lock names no registry, so that every registry can serve it', () => {
  const named = Object.entries(packages).filter(([, entry]) => entry.resolved);
  assert.deepEqual(
    named.map(([at, { resolved }]) => `${at} from ${resolved}`),
    [],
  );
});

test('package.json pins exact versions, and the lock has just these', () => {
  const pinned = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  const loose = Object.entries(pinned).filter(([name, version]) => {
    const locked = packages[`node_modules/${name}`]?.version;
    return !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) || locked !== version;
  });
  assert.deepEqual(loose, []);
});
