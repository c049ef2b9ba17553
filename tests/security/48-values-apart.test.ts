import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { sources, textOf } from '#tests/project/architecture-imports.ts';

const product = sources.filter((file) => /^(?:app|worker)\//.test(file));

/** The arguments of each call of `name` in a file, as they are written. */
function argumentsOf(file: string, name: string): string[] {
  const tree = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && node.expression.getText(tree) === name)
      found.push(node.arguments.map((each) => each.getText(tree)).join(', '));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

test('48 no statement is made of text: only migrations, which are files of ours, are run as they stand', () => {
  assert.deepEqual(
    product.filter((file) => argumentsOf(file, 'sql.raw').length > 0),
    ['app/db/migrate.ts'],
  );
});

/**
 * Text that may stand in a query: a constant, the page length of a list, a word, a state of one of our types, or a
 * list of these.
 */
const OURS = /^(?:[A-Z_]+( \+ 1)?|usualLength \+ 1|'[a-z_]+'|state|status|`\{\$\{[A-Z_]+\.join\(\)\}\}`)$/;

test('48 what stands in a statement beside its values is a constant of the code', () => {
  const written = product.flatMap((file) => argumentsOf(file, 'sql.lit').map((text) => `${file}: ${text}`));
  assert.ok(written.length > 5);
  assert.deepEqual(
    written.filter((line) => !OURS.test(line.slice(line.indexOf(': ') + 2))),
    [],
  );
});

test('48 no query goes to the database around Kysely with text of its own', () => {
  const around = product.filter((file) =>
    /\.query\(\s*`[^`]*\$\{(?!client\.escapeIdentifier\()/.test(textOf(file)),
  );
  assert.deepEqual(around, []);
});
