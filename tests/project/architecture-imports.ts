import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from '#scripts/run.ts';

export type Import = {
  from: string;
  /** A file of ours, as a path from the root; undefined for a package. */
  file?: string;
  /** The name of a package; `node:*` for every built-in module. */
  package?: string;
  isTypeOnly: boolean;
};

export const sources: string[] = globSync(
  ['server.ts', '{app,worker,sandbox,scripts,tests,bench}/**/*.{ts,tsx}'],
  { cwd: ROOT },
)
  .map((file) => file.replaceAll(path.sep, '/'))
  .sort();

export const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** Every import of a file but those of the types React Router generates beside it. */
export function importsOf(file: string): Import[] {
  const tree = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest);
  const found: Import[] = [];
  const add = (node: ts.Expression | undefined, isTypeOnly: boolean) => {
    if (!node || !ts.isStringLiteral(node) || node.text.includes('/+types/')) return;
    found.push({ from: file, ...target(node.text, file), isTypeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isErased(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false);
    } else if (ts.isCallExpression(node) && isResolved(node.expression)) {
      add(node.arguments[0], false);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** `createRequire(…).resolve`, by which a file of a package is read that is no module. */
const isResolved = (called: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(called) &&
  called.name.text === 'resolve' &&
  ts.isCallExpression(called.expression) &&
  ts.isIdentifier(called.expression.expression) &&
  called.expression.expression.text === 'createRequire';

function isErased(clause: ts.ImportClause | undefined): boolean {
  return clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

/** Where an import leads: a file of ours, or a package. */
export function target(specifier: string, from: string): Pick<Import, 'file' | 'package'> {
  if (specifier.startsWith('#')) return { file: specifier.slice(1) };
  if (specifier.startsWith('.'))
    return { file: withExtension(path.posix.join(path.posix.dirname(from), specifier)) };
  if (specifier.startsWith('node:')) return { package: 'node:*' };
  const parts = specifier.split('/');
  return { package: specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0] };
}

function withExtension(file: string): string {
  const known = [file, `${file}.ts`, `${file}.tsx`].find((name) => existsSync(path.join(ROOT, name)));
  return known ?? file;
}

/** The first cycle in a graph, as the nodes along it, or undefined. */
export function findCycle(graph: Map<string, Set<string>>): string[] | undefined {
  const done = new Set<string>();
  const walk = (node: string, trail: string[]): string[] | undefined => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = walk(next, [...trail, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = walk(node, []);
    if (cycle) return cycle;
  }
  return undefined;
}
