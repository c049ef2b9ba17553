import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import ts from 'typescript';
import { ROOT, sources, textOf } from '#tests/architecture-imports.ts';
import { LOCKED_TOGETHER, OWNERS, READ_MODELS } from '#tests/table-owners.ts';

type Statement = { file: string; table: string; isWrite: boolean };

const WRITES = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto']);
const READS = /^(?:selectFrom|from|using|(?:inner|left|right|full|cross)(?:Lateral)?Join)$/;
const IN_SQL =
  /\b(?:(?<write>insert\s+into|update|delete\s+from|truncate|merge\s+into)|from|join|using)\s+(?:only\s+)?(?<table>[a-z_]+)\b/gi;

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The tables that the statements of a file name: as arguments of the query builder, and in its SQL. */
function statementsOf(file: string): Statement[] {
  const found: Statement[] = [];
  const add = (name: string, isWrite: boolean) => {
    const table = snakeCase(name.trim().split(/\s+as\s+/i)[0]!);
    if (table in OWNERS) found.push({ file, table, isWrite });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) addBuilt(node, add);
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) addBuilt(node, add);
    if (ts.isTaggedTemplateExpression(node)) addSql(node.template.getText(tree), add);
    ts.forEachChild(node, visit);
  };
  const tree = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  visit(tree);
  return found;
}

type Add = (name: string, isWrite: boolean) => void;

function addBuilt(node: ts.CallExpression, add: Add): void {
  const callee = node.expression;
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  const [first] = node.arguments;
  if (!first || !(WRITES.has(name) || READS.test(name))) return;
  const tables = ts.isArrayLiteralExpression(first) ? first.elements : [first];
  for (const table of tables) if (ts.isStringLiteralLike(table)) add(table.text, WRITES.has(name));
}

/** Lock clauses name a table after `update` and `share`; they write nothing. */
function addSql(text: string, add: Add): void {
  const sql = text.replace(/\bfor\s+(?:no\s+key\s+)?(?:update|share)\b(?:\s+of\s+\w+)?/gi, '');
  for (const { groups } of sql.matchAll(IN_SQL)) add(groups!.table!, Boolean(groups!.write));
}

const DOMAIN = 'app/domain/';
const statements = sources
  .filter((file) => /^(?:app|worker|scripts|seed)\//.test(file) && !file.endsWith('.test.ts'))
  .flatMap(statementsOf);
const inDomain = (file: string) => (file.startsWith(DOMAIN) ? file.slice(DOMAIN.length) : file);
const isForeign = ({ file, table }: Statement) => !inDomain(file).startsWith(OWNERS[table]!);
const isNamed = ({ file, table }: Statement) =>
  READ_MODELS[inDomain(file)]?.joins.includes(table) || LOCKED_TOGETHER[inDomain(file)]?.includes(table);
const inWords = ({ file, table }: Statement) => `${file}: ${table} of ${OWNERS[table]}`;
const unique = (list: string[]) => [...new Set(list)].sort();

test('only the owner of a table writes it', () => {
  const foreign = statements.filter((statement) => statement.isWrite && isForeign(statement));
  assert.deepEqual(unique(foreign.map(inWords)), []);
});

test('only the owner of a table reads it, but for queries that are named', () => {
  const foreign = statements.filter(
    (statement) => !statement.isWrite && isForeign(statement) && !isNamed(statement),
  );
  assert.deepEqual(unique(foreign.map(inWords)), []);
});

test('every query that is named still joins what it is named for', () => {
  const named = Object.entries({
    ...LOCKED_TOGETHER,
    ...Object.fromEntries(Object.entries(READ_MODELS).map(([file, { joins }]) => [file, joins])),
  }).flatMap(([file, joins]) => joins.map((table) => `${file}: ${table}`));
  const seen = new Set(statements.map(({ file, table }) => `${inDomain(file)}: ${table}`));
  assert.deepEqual(
    named.filter((entry) => !seen.has(entry)),
    [],
  );
});

test('every table of the migrations has an owner', () => {
  const migrations = globSync('migrations/*.sql', { cwd: ROOT }).map(textOf).join('\n');
  const tables = [...migrations.matchAll(/^create table (?:if not exists )?(\w+)/gim)].map(
    ([, name]) => name!,
  );
  assert.deepEqual(tables.sort(), Object.keys(OWNERS).sort());
});

test('every table is written by its owner', () => {
  const written = new Set(statements.filter(({ isWrite }) => isWrite).map(({ table }) => table));
  const bySeed = ['currencies', 'prices'];
  assert.deepEqual(
    Object.keys(OWNERS).filter((table) => !written.has(table) && !bySeed.includes(table)),
    [],
  );
});
