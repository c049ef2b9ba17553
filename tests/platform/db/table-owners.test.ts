import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import ts from 'typescript';
import { ROOT } from '#scripts/run.ts';
import { sources, textOf } from '#tests/project/architecture-imports.ts';
import { JOINS, OWNERS } from './table-owners.ts';
import { calleeOf, READS, type Statement, statementsOf, WRITES } from './table-statements.ts';

/** Ways to name a table that no reader of the text can follow. */
const HIDES_TABLES = new Set(['raw', 'table', 'id']);

/** Statements whose table stands in no text: a name in a variable, and SQL put together. */
function hiddenIn(file: string, source = textOf(file)): string[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && hidesTable(node)) found.push(`${file}: ${node.getText(tree)}`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function hidesTable(node: ts.CallExpression): boolean {
  const [{ expression }, name, [first]] = [node, calleeOf(node), node.arguments];
  if (ts.isPropertyAccessExpression(expression) && expression.expression.getText() === 'sql')
    return HIDES_TABLES.has(name);
  const isBuilt = WRITES.has(name) || (READS.test(name) && !['from', 'using'].includes(name));
  return isBuilt && first !== undefined && (ts.isIdentifier(first) || ts.isTemplateExpression(first));
}

const product = sources.filter(
  (file) => /^(?:app|worker|scripts)\/|^server\.ts$/.test(file) && !file.endsWith('.test.ts'),
);
const statements = product.flatMap((file) => statementsOf(file));
/** The folder of app/domain that a file belongs to. */
const roomOf = (file: string) => file.match(/^app\/domain\/([^/]+)/)?.[1] ?? file;
const isForeign = ({ file, table }: Statement) => roomOf(file) !== OWNERS[table];
const isJoined = ({ file, table }: Statement) => JOINS[roomOf(file)]?.includes(table);
const inWords = ({ file, table }: Statement) => `${file}: ${table} of ${OWNERS[table]}`;
const unique = (list: string[]) => [...new Set(list)].sort();

test('only the owner of a table writes it', () => {
  const foreign = statements.filter((statement) => statement.isWrite && isForeign(statement));
  assert.deepEqual(unique(foreign.map(inWords)), []);
});

/** What creates tables and grants rights writes no rows. The account export reads tables by name, see `EXPORT_READS`. */
const OF_SCHEMA = new Set([
  'app/db/migrate.ts',
  'scripts/database-roles.ts',
  'app/domain/data-export/rows.ts',
]);

test('no statement hides its table from a reader of the text', () => {
  assert.deepEqual(
    product.filter((file) => !OF_SCHEMA.has(file)).flatMap((file) => hiddenIn(file)),
    [],
  );
});

test('a write is seen in every shape in which it can be written', () => {
  for (const source of [
    "db.updateTable('postSchedules as d').set({});",
    "db['updateTable']('postSchedules').set({});",
    "db.mergeInto('postSchedules').using('topics', 'topics.userId', 'postSchedules.userId');",
    "db.with('gone', (q) => q.deleteFrom('postSchedules')).selectFrom('gone');",
    'sql`with gone as (delete from post_schedules returning 1) select from gone`;',
    'sql`update "post_schedules" set held_at = null`;',
    'sql`UPDATE public.post_schedules SET held_at = null`;',
    'sql`update /* all */ post_schedules d set held_at = null`;',
    "pool.query('update post_schedules set held_at = null');",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template.
    'pool.query(`delete from post_schedules where user_id = ${userId}`);',
  ]) {
    const writes = statementsOf('example.ts', source).filter(({ isWrite }) => isWrite);
    assert.deepEqual(unique(writes.map(({ table }) => table)), ['post_schedules'], source);
  }
  for (const source of [
    'sql`select from topics t, post_schedules d`;',
    'sql`select from topics join post_schedules on true`;',
  ]) {
    const second = statementsOf('example.ts', source)[1];
    assert.deepEqual(
      second,
      { file: 'example.ts', table: 'post_schedules', isWrite: false, rights: 'r' },
      source,
    );
  }
  for (const source of [
    'db.updateTable(table).set({});',
    "sql.raw('update ' + 'post_schedules set held_at = null');",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template.
    "sql`update ${sql.table('post_schedules')} set held_at = null`;",
  ]) {
    assert.equal(hiddenIn('example.ts', source).length, 1, source);
  }
});

test('only the owner of a table reads it, and the rooms that join it', () => {
  const foreign = statements.filter(
    (statement) => !statement.isWrite && isForeign(statement) && !isJoined(statement),
  );
  assert.deepEqual(unique(foreign.map(inWords)), []);
});

test('every room that joins a table still does', () => {
  const named = Object.entries(JOINS).flatMap(([room, tables]) => tables.map((table) => `${room}: ${table}`));
  const seen = new Set(statements.map(({ file, table }) => `${roomOf(file)}: ${table}`));
  assert.deepEqual(
    named.filter((entry) => !seen.has(entry)),
    [],
  );
});

test('every table of the migrations has an owner', () => {
  const migrations = globSync('migrations/*.sql', { cwd: ROOT }).map(textOf).join('\n');
  const made = migrations.matchAll(
    /^\s*create (?:unlogged )?table (?:if not exists )?(?:public\.)?(\w+)\b(?! partition of)/gim,
  );
  const tables = [...new Set([...made].map(([, name]) => name!))];
  assert.deepEqual(tables.sort(), Object.keys(OWNERS).sort());
});

test('ARCHITECTURE.md names every table and every room', () => {
  const [, rooms] = /^## Rooms\n([\s\S]*?)^## /m.exec(textOf('ARCHITECTURE.md'))!;
  const folders = globSync('app/domain/*/', { cwd: ROOT }).map((folder) => folder.split(/[/\\]/).at(-1)!);
  const names = [...Object.keys(OWNERS), ...folders].filter((name) => !/^\w+\.ts$/.test(name));
  // A long name is drawn in two lines: automation_ and settings.
  const text = rooms!.replace('automation_ ', 'automation_settings ');
  assert.deepEqual(
    names.filter((name) => !new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text)),
    [],
  );
});

test('every table is written by its owner', () => {
  const written = new Set(statements.filter(({ isWrite }) => isWrite).map(({ table }) => table));
  const bySeed = ['currencies', 'prices'];
  const byTriggers = ['earnings'];
  assert.deepEqual(
    Object.keys(OWNERS).filter((table) => !written.has(table) && ![...bySeed, ...byTriggers].includes(table)),
    [],
  );
});
