/**
 * Dependencies are used by their public API only: relying on their internals costs more at each upgrade than it
 * gains.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import type { PluginOption } from 'vite';
import viteConfig from '../../vite.config.ts';
import { sources, textOf } from './architecture-imports.ts';

const CONFIGS = ['vite.config.ts', 'react-router.config.ts', 'playwright.config.ts'];
const product = [
  ...sources.filter((file) => /^(?:app|worker|scripts|sandbox|bench|tests)\/|^server\.ts$/.test(file)),
  ...CONFIGS,
];

const treeOf = (text: string) =>
  ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);

function nodesOf(text: string): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(treeOf(text));
  return nodes;
}

const PACKAGE = /^(?!node:|#|\.)/;
/** A package may document an entry point in such a folder. */
const DOCUMENTED = ['ajv/dist/2020.js'];

/** Imports from the build folder of a package, and of names that it marks as unsafe, unstable or internal. */
function insideImports(text: string): string[] {
  return nodesOf(text).flatMap((node) => {
    if (ts.isImportSpecifier(node)) {
      const { text: name } = node.propertyName ?? node.name;
      return /^(?:UNSAFE|unstable|internal)_/.test(name) ? [name] : [];
    }
    const isCall =
      ts.isCallExpression(node) && /^(?:import|require|(?:\w+\.)*resolve)$/.test(node.expression.getText());
    const isFrom = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    const from = isFrom ? node.moduleSpecifier : isCall ? node.arguments[0] : undefined;
    const name = from && ts.isStringLiteral(from) ? from.text : '';
    return PACKAGE.test(name) && !DOCUMENTED.includes(name) && /\/(?:dist|lib|src|esm|cjs)\//.test(name)
      ? [name]
      : [];
  });
}

/** Classes that cast the class they extend, or that have members beginning with `_`, as private ones of packages do. */
function insideClasses(text: string): string[] {
  const classes = nodesOf(text).filter((node) => ts.isClassLike(node));
  return classes.flatMap((node) => {
    const base = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
    if (!base) return [];
    const isCast = nodesOf(base.expression.getText()).some((inner) => ts.isAsExpression(inner));
    const hasInside = node.members.some((member) => member.name && /^['"]?_/.test(member.name.getText()));
    return isCast || hasInside ? [base.getText()] : [];
  });
}

test('no Vite plugin changes a package, and no alias replaces one', () => {
  const flat = (option: PluginOption): { name: string }[] =>
    Array.isArray(option) ? option.flatMap(flat) : option && 'name' in option ? [option] : [];
  const plugins = viteConfig.plugins!.flatMap(flat);
  const own = plugins.filter(({ name }) => name.startsWith('tidepost:'));
  assert.deepEqual(
    own.map(({ name }) => name),
    ['tidepost:refuse-server-folders'],
  );
  for (const plugin of own)
    for (const hook of ['transform', 'resolveId', 'renderChunk', 'generateBundle', 'config', 'options'])
      assert.ok(!(hook in plugin), `${plugin.name} has ${hook}`);
  assert.equal(viteConfig.resolve?.alias, undefined);
});

test('no import reaches into the internals of a package', () => {
  for (const file of product) assert.deepEqual(insideImports(textOf(file)), [], file);
  assert.deepEqual(insideImports("import a from 'pg/dist/query.js'; import { UNSAFE_X as x } from 'y';"), [
    'pg/dist/query.js',
    'UNSAFE_X',
  ]);
  const others =
    "export { a } from 'pg/dist/a.js'; require('pg/lib/b.js'); import.meta.resolve('pg/src/c.js'); import('pg/esm/d.js')";
  assert.equal(insideImports(others).length, 4);
  assert.deepEqual(insideImports("import a from './dist/a.js'; import b from 'kysely/migration';"), []);
});

test('no class overrides the private parts of another', () => {
  for (const file of product) assert.deepEqual(insideClasses(textOf(file)), [], file);
  const classes = 'class A extends (B as unknown as typeof C) {} class D extends E { _result = 1 }';
  assert.equal(insideClasses(classes).length, 2);
  assert.deepEqual(insideClasses('class F extends Error { name = "F"; #own = 1 }'), []);
});

test('the product leaves the tables of the queue alone', () => {
  // The functions of the queue run with the rights of their caller, so that each role needs some on its tables.
  const files = product.filter((file) => !/^(?:tests|bench)\/|^scripts\/rights\.ts$/.test(file));
  assert.deepEqual(
    files.filter((file) => textOf(file).includes('graphile_worker._private')),
    [],
  );
});

test('no configuration lists routes by hand', () => {
  for (const file of CONFIGS.slice(0, 2)) {
    const texts = nodesOf(textOf(file)).filter(
      (node) => ts.isStringLiteralLike(node) || node.kind === ts.SyntaxKind.RegularExpressionLiteral,
    );
    for (const text of texts)
      assert.doesNotMatch(text.getText(), /routes|dashboard|login|\/app\/(?!\()/, file);
  }
});
