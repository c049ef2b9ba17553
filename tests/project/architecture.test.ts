import assert from 'node:assert/strict';
import { globSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { ROOT } from '#scripts/run.ts';
import { findCycle, type Import, importsOf, sources, textOf } from './architecture-imports.ts';
import { BANNED_FOLDERS, layerOf, printTable, SHOWS_PARTS_OF, UNBOUND } from './architecture-rules.ts';

const product = sources.filter(
  (file) => !UNBOUND.includes(file.split('/')[0]!) && !file.endsWith('.test.ts'),
);
const imports = product.flatMap(importsOf);

function refusal({ from, file, package: name }: Import): string | undefined {
  const layer = layerOf(from);
  if (!layer) return `${from} belongs to no layer`;
  if (name) {
    const isAllowed = layer.only ? layer.only.includes(name) : !layer.never?.includes(name);
    return isAllowed ? undefined : `${from} imports the package ${name}, which ${layer.name} may not`;
  }
  if (!/\.tsx?$/.test(file!)) return undefined;
  const other = layerOf(file!);
  const isAllowed = other && (other === layer || layer.ours.includes(other.name));
  return isAllowed ? undefined : `${from} imports ${file}, which ${layer.name} may not`;
}

/** The folder of a route file below app/routes, and of a domain file below app/domain. */
const feature = (file: string, layer: string) => file.match(new RegExp(`^app/${layer}/([^/]+)/`))?.[1];

function graph(of: (file: string) => string | undefined, list: Import[]) {
  const edges = new Map<string, Set<string>>();
  for (const { from, file, isTypeOnly } of list) {
    const [a, b] = [of(from), file && of(file)];
    if (isTypeOnly || !a || !b || (a === b && from !== file)) continue;
    edges.set(a, (edges.get(a) ?? new Set()).add(b));
  }
  return edges;
}

test('every import is one that the table allows', () => {
  assert.deepEqual(imports.map(refusal).filter(Boolean), []);
});

test('a feature of the routes imports only the features whose parts it shows', () => {
  const foreign = imports.filter(({ from, file }) => {
    const [a, b] = [feature(from, 'routes'), file && feature(file, 'routes')];
    return b && a !== b && !SHOWS_PARTS_OF[a!]?.includes(b);
  });
  assert.deepEqual(
    foreign.map(({ from, file }) => `${from} imports ${file}`),
    [],
  );
});

test('files of other folders are imported by their path from the root', () => {
  const relative = sources.filter(
    (file) => file.includes('/') && /from '\.\.?\/(?!\+types\/)[^']*\//.test(textOf(file)),
  );
  assert.deepEqual(
    relative.filter((file) => file !== 'tests/project/dependency-internals.test.ts'),
    [],
  );
});

test('no files import each other in a circle', () => {
  assert.equal(findCycle(graph((file) => file, imports))?.join(' → '), undefined);
});

test('no features of the domain depend on each other in a circle', () => {
  const between = imports.filter(({ file }) => !/(?:\/|-)(?:schema|limits|predicates)\.ts$/.test(file ?? ''));
  const cycle = findCycle(graph((file) => feature(file, 'domain'), between));
  assert.equal(cycle?.join(' → '), undefined);
});

test('no folder has a name that says nothing', () => {
  assert.deepEqual(
    sources.filter((file) =>
      file
        .split('/')
        .slice(0, -1)
        .some((folder) => BANNED_FOLDERS.includes(folder)),
    ),
    [],
  );
});

const READS_ENVIRONMENT = /\bprocess(?:\.env\b|\[)|\benv\b[^}\n]*\} = process\b|from 'node:process'/;

test('only app/env.ts reads the environment', () => {
  const readers = product.filter((file) => {
    const code = textOf(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    return !file.startsWith('sandbox/') && file !== 'app/env.ts' && READS_ENVIRONMENT.test(code);
  });
  assert.deepEqual(readers, []);
});

test('ARCHITECTURE.md prints the table', () => {
  assert.ok(
    textOf('ARCHITECTURE.md').includes(`\n\n${printTable()}\n`),
    `The table in ARCHITECTURE.md must be:\n\n${printTable()}\n`,
  );
});

test('every decision bears its number, and README.md, which is short, leads to the list of them', () => {
  assert.ok(textOf('README.md').split('\n').length <= 120);
  assert.ok(textOf('README.md').includes('(docs/decisions.md)'));
  const list = textOf('docs/decisions.md');
  const decisions = readdirSync('docs/decisions');
  assert.ok(decisions.length > 10);
  for (const file of decisions) {
    assert.ok(textOf(`docs/decisions/${file}`).startsWith(`# ${file.slice(0, 4)} `), file);
    assert.ok(list.includes(`\n${Number(file.slice(0, 4))}. `) && list.includes(`(decisions/${file})`), file);
  }
});

test('every API path in routes.ts has calls, and no call lacks a path', () => {
  const [, paths] = /\.\.\.calls\(\[([^\]]*)\]/.exec(textOf('app/routes.ts'))!;
  const sent = [...paths!.matchAll(/'([^']+)'/g)].map(([, path]) => `/${path}`);
  assert.ok(sent.length > 50);
  const files = readdirSync('app/routes/api/v1').map((file) => `app/routes/api/v1/${file}`);
  const defined = files.flatMap((file) => [...textOf(file).matchAll(/^ {2}'(\/[^']+)': \{$/gm)]);
  assert.deepEqual(defined.map(([, path]) => path).sort(), sent.sort());
});

test('the source files that the documents name exist', () => {
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'SECURITY.md',
    ...globSync('docs/**/*.md', { cwd: ROOT }),
  ];
  const missing = documents.flatMap((document) =>
    [...textOf(document).matchAll(/(?<![\w./*-])(?:\.{1,2}\/)*(\w[\w.-]*(?:\/[\w.-]+)*\.tsx?)\b/g)]
      .map(([, name]) => name!)
      .filter((name) => !sources.some((file) => file === name || file.endsWith(`/${name}`)))
      .map((name) => `${document}: ${name}`),
  );
  assert.deepEqual(missing, []);
});
