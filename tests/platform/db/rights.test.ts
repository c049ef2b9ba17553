/** What web and worker come to, by following the names in their code, is what scripts/rights.ts lets them do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { RIGHTS } from '#scripts/rights.ts';
import { sources, target, textOf } from '#tests/project/architecture-imports.ts';
import { OWNERS } from './table-owners.ts';
import { statementsOf } from './table-statements.ts';

/** Of what stands at the top of a file, by "file name": what it names there and elsewhere, and its statements. */
type Part = { names: Set<string>; rights: Map<string, Set<string>> };
const parts = new Map<string, Part>();
/** What runs as soon as a file is imported. */
const AT_ONCE = '';

/** The names that a file has from others. */
function importedBy(tree: ts.SourceFile, file: string): Map<string, string> {
  const known = new Map<string, string>();
  for (const { importClause: clause, moduleSpecifier } of tree.statements.filter(ts.isImportDeclaration)) {
    const { file: from } = target((moduleSpecifier as ts.StringLiteral).text, file);
    if (!from || !clause || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) continue;
    if (clause.name) known.set(clause.name.text, `${from} default`);
    const bound = clause.namedBindings;
    for (const { name, propertyName } of bound && ts.isNamedImports(bound) ? bound.elements : [])
      known.set(name.text, `${from} ${(propertyName ?? name).text}`);
  }
  return known;
}

const bound = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((each) => (ts.isOmittedExpression(each) ? [] : bound(each.name)));

/** The parts of a file with the names that others know them by. */
function partsOf(tree: ts.SourceFile): [string[], ts.Node][] {
  return tree.statements.flatMap((node): [string[], ts.Node][] => {
    if (ts.isImportDeclaration(node) || isType(node)) return [];
    if (ts.isVariableStatement(node))
      return node.declarationList.declarations.map((each) => [bound(each.name), each]);
    if (ts.isExportAssignment(node)) return [[['default'], node]];
    if (!ts.isFunctionDeclaration(node) && !ts.isClassDeclaration(node)) return [[[AT_ONCE], node]];
    const isDefault = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
    return [[[...(node.name ? [node.name.text] : []), ...(isDefault ? ['default'] : [])], node]];
  });
}

const isType = (node: ts.Node) =>
  ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);

function namesIn(node: ts.Node, known: Map<string, string>, file: string): Set<string> {
  const found = new Set<string>();
  const visit = (each: ts.Node): void => {
    if (isType(each)) return;
    const isProperty = ts.isPropertyAccessExpression(each.parent) && each.parent.name === each;
    if (ts.isIdentifier(each) && !isProperty && known.has(each.text)) found.add(known.get(each.text)!);
    if (ts.isCallExpression(each) && each.expression.kind === ts.SyntaxKind.ImportKeyword)
      found.add(`${target((each.arguments[0] as ts.StringLiteral).text, file).file} *`);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return found;
}

function add(key: string, names: Iterable<string>, file: string, node: ts.Node): void {
  const part = parts.get(key) ?? { names: new Set<string>(), rights: new Map<string, Set<string>>() };
  parts.set(key, part);
  for (const name of names) part.names.add(name);
  const text = node.getText();
  const locks = /\.for(?:No)?(?:Key)?(?:Update|Share)\(|\bfor (?:no key )?(?:key )?(?:update|share)\b/.test(
    text,
  );
  const more = locks || /doUpdateSet|on conflict|returning/i.test(text) ? 'RW' : '';
  for (const { table, rights } of statementsOf(file, text)) {
    const letters = part.rights.get(table) ?? new Set();
    for (const letter of rights) letters.add(letter);
    // Who locks rows or adds what may be there already changes them, and who hears of what was added reads it.
    for (const letter of more) letters.add(letter);
    part.rights.set(table, letters);
  }
}

function readParts(file: string): void {
  const tree = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  const known = importedBy(tree, file);
  const found = partsOf(tree);
  const imported = new Set([...known.values()].map((name) => `${name.split(' ')[0]} ${AT_ONCE}`));
  for (const [names] of found) for (const name of names) if (name) known.set(name, `${file} ${name}`);
  add(`${file} ${AT_ONCE}`, imported, file, tree.endOfFileToken);
  for (const [names, node] of found)
    for (const name of names)
      add(`${file} ${name}`, [...namesIn(node, known, file), `${file} ${AT_ONCE}`], file, node);
}

for (const file of sources.filter((file) => /^(?:app|worker)\/|^server\.ts$/.test(file))) readParts(file);

/** For each table the letters that are come to from files, each with one part that has it. */
function comeTo(entries: RegExp): Map<string, Map<string, string>> {
  const seen = new Set([...parts.keys()].filter((key) => entries.test(key)));
  for (const key of seen) {
    const [file, name] = key.split(' ');
    const next =
      name === '*' ? [...parts.keys()].filter((each) => each.startsWith(`${file} `)) : parts.get(key)?.names;
    for (const each of next ?? []) seen.add(each);
  }
  const rights = new Map<string, Map<string, string>>();
  for (const key of seen)
    for (const [table, letters] of parts.get(key)?.rights ?? []) {
      const of = rights.get(table) ?? new Map();
      for (const letter of letters) of.set(letter, key);
      rights.set(table, of);
    }
  return rights;
}

/** What triggers write, and a library. */
const BY_OTHERS = ['earnings', 'post_counts', 'rate_limits'];

const ENTRIES = {
  web: /^(?:server\.ts|app\/root\.tsx|app\/entry\.server\.tsx|app\/routes\/)/,
  worker: /^worker\//,
};
const lettersOf = (words: string) => words.replaceAll(/\([^)]*\)/g, '').replaceAll(' ', '');

for (const role of ['web', 'worker'] as const) {
  test(`the ${role} may do all that its code does`, () => {
    const missing = [...comeTo(ENTRIES[role])].flatMap(([table, letters]) =>
      [...letters]
        .filter(([letter]) => 'rawd'.includes(letter) && !lettersOf(RIGHTS[table]![role]).includes(letter))
        .map(([letter, part]) => `${table} ${letter}: ${part}`),
    );
    assert.deepEqual(missing, []);
  });

  test(`the ${role} may do nothing that no code of it does`, () => {
    const come = comeTo(ENTRIES[role]);
    const idle = Object.keys(OWNERS)
      .filter((table) => !BY_OTHERS.includes(table))
      .flatMap((table) =>
        [...lettersOf(RIGHTS[table]![role])]
          .filter((letter) => ![letter, letter.toUpperCase()].some((each) => come.get(table)?.has(each)))
          .map((letter) => `${table} ${letter}`),
      );
    assert.deepEqual(idle, []);
  });
}
