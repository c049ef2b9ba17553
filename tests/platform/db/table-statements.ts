import ts from 'typescript';
import { textOf } from '#tests/project/architecture-imports.ts';
import { OWNERS } from './table-owners.ts';

export type Statement = { file: string; table: string; isWrite: boolean; rights: string };

/** What each may do who says it, in the letters of scripts/rights.ts. */
export const WRITES = new Map([
  ['insertInto', 'a'],
  ['updateTable', 'rw'],
  ['deleteFrom', 'rd'],
  ['mergeInto', 'rawd'],
]);
const SQL_WRITES = new Map([
  ['insert into', 'a'],
  ['update', 'rw'],
  ['delete from', 'rd'],
  ['merge into', 'rawd'],
]);
export const READS = /^(?:selectFrom|from|using|(?:inner|left|right|full|cross)(?:Lateral)?Join)$/;
/** Functions of the account export that read the table they are given. */
const EXPORT = 'app/domain/data-export/rows.ts';
const EXPORT_READS = /^(?:readRows|ownRows?|rowsOfEmail)$/;
const NO_ALIAS =
  'join|inner|left|right|full|cross|natural|on|using|where|set|values|order|group|limit|for|returning|when';
const NAMED = `[a-z_]+(?: (?:as )?(?!(?:${NO_ALIAS})\\b)[a-z_]+)?`;
const WRITE = 'insert into|update|delete from|truncate(?: table)?|merge into';
const IN_SQL = new RegExp(
  `\\b(?:(?<write>${WRITE})|from|join|using) (?:only )?(?<tables>${NAMED}(?:, ?${NAMED})*)`,
  'g',
);
/** A text that is a statement, whoever sends it. */
const IS_SQL =
  /^\s*(?:insert\s+into|update\s+\S+\s+set|delete\s+from|truncate|merge\s+into|with\s+\w+\s+as|select\b[\s\S]*\bfrom)\s/i;
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const unquoted = (text: string) => text.slice(1, -1);

/** The tables that the statements of a file name: as arguments of the query builder, and in its SQL. */
export function statementsOf(file: string, source = textOf(file)): Statement[] {
  const found: Statement[] = [];
  const add = (name: string, write?: string) => {
    const table = snakeCase(name.trim().split(/\s+as\s+/i)[0]!);
    if (table in OWNERS) found.push({ file, table, isWrite: write !== undefined, rights: write ?? 'r' });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) addBuilt(node, add);
    if (ts.isCallExpression(node) && file === EXPORT && EXPORT_READS.test(calleeOf(node))) {
      for (const argument of node.arguments) if (ts.isStringLiteralLike(argument)) add(argument.text);
    }
    if (ts.isTaggedTemplateExpression(node)) addSql(unquoted(node.template.getText(tree)), add);
    else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = unquoted(node.getText(tree));
      if (!ts.isTaggedTemplateExpression(node.parent) && IS_SQL.test(text)) addSql(text, add);
    }
    ts.forEachChild(node, visit);
  };
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  visit(tree);
  return found;
}

type Add = (name: string, write?: string) => void;

/** What is called: `updateTable` in db.updateTable(), updateTable() and db['updateTable'](). */
export function calleeOf({ expression }: ts.CallExpression): string {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  const isNamed = ts.isElementAccessExpression(expression);
  if (isNamed && ts.isStringLiteralLike(expression.argumentExpression))
    return expression.argumentExpression.text;
  return expression.getText();
}

function addBuilt(node: ts.CallExpression, add: Add): void {
  const name = calleeOf(node);
  const [first] = node.arguments;
  if (!first || !(WRITES.has(name) || READS.test(name))) return;
  const tables = ts.isArrayLiteralExpression(first) ? first.elements : [first];
  for (const table of tables) if (ts.isStringLiteralLike(table)) add(table.text, WRITES.get(name));
}

/** Lock clauses name a table after `update` and `share`; they write nothing. */
function addSql(text: string, add: Add): void {
  const sql = text
    .replace(/--.*$|\/\*[\s\S]*?\*\//gm, ' ')
    .replace(/"|\bpublic\./gi, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .replace(/\bfor (?:no key )?(?:update|share)\b(?: of \w+)?/g, '');
  for (const { groups } of sql.matchAll(IN_SQL)) {
    const { write, tables } = groups as { write?: string; tables: string };
    for (const table of tables.split(','))
      add(table.trim().split(' ')[0]!, write && (SQL_WRITES.get(write) ?? 'd'));
  }
}
