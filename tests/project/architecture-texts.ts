import ts from 'typescript';
import { textOf } from './architecture-imports.ts';

export type Said = { file: string; line: number; text: string };

/** Stands in a text for what is only known when the page is shown. */
const FILLED_IN = '\u0000';

type Reader = { tree: ts.SourceFile; file: string };

const oneSpace = (text: string) => text.replace(/\s+/g, ' ');

/** The text of an expression as far as it is written down: 'a' + 1, `b ${c}`, and so on. */
function wordsOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map((span) => wordsOf(span.expression) + span.literal.text);
    return node.head.text + spans.join('');
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return wordsOf(node.left) + wordsOf(node.right);
  }
  if (ts.isParenthesizedExpression(node)) return wordsOf(node.expression);
  return FILLED_IN;
}

function wordsOfJsx(node: ts.JsxElement | ts.JsxFragment): string {
  return node.children
    .map((child) => {
      if (ts.isJsxText(child)) return child.text.trim() ? child.text : child.text.replace(/\s*\n\s*/g, '');
      if (ts.isJsxExpression(child)) return child.expression ? wordsOf(child.expression) : '';
      return ts.isJsxSelfClosingElement(child) ? FILLED_IN : wordsOfJsx(child);
    })
    .join('');
}

/** Every text of a file as a reader meets it: strings, templates, and what stands between tags. */
export function textsOf(file: string, source = textOf(file)): Said[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: Said[] = [];
  const say = (node: ts.Node, text: string) =>
    found.push({ ...at({ tree, file }, node), text: oneSpace(text) });
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) say(node, wordsOfJsx(node));
    else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) say(node, wordsOf(node));
    else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      say(node, wordsOf(node));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const at = ({ tree, file }: Reader, node: ts.Node) => ({
  file,
  line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1,
});

const INPUT_BOUND = /^(?:max|min|maxLength|minLength|counter)$/;
const BOUND_NAME = /(?:^|_)(?:MAX|MIN|MOST|LEAST|LIMIT)(?:_|$)/;

/** 0 and 1 are no rule of the product: a count starts with them. */
function figuresIn(node: ts.Node): number[] {
  const own = ts.isNumericLiteral(node) && Number(node.text) > 1 ? [Number(node.text)] : [];
  ts.forEachChild(node, (child) => void own.push(...figuresIn(child)));
  return own;
}

/** Whether an attribute or a property sets what an input takes. `max` of a component may be anything. */
function isInputBound(node: ts.Node): node is ts.JsxAttribute | ts.PropertyAssignment {
  if (ts.isPropertyAssignment(node)) return INPUT_BOUND.test(node.name.getText());
  if (!ts.isJsxAttribute(node) || !INPUT_BOUND.test(node.name.getText())) return false;
  const isComponent = /^[A-Z]/.test(node.parent.parent.tagName.getText());
  return !isComponent || /Length$|^counter$/.test(node.name.getText());
}

const isComparison = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && /^[<>]=?$/.test(node.operatorToken.getText());

export type Bound = Said & { kind: 'input' | 'name' | 'comparison'; figures: number[] };

/** Where a file sets a bound by figures of its own: `maxLength={100}`, `const MOST = 3_000`, `a.length > 5`. */
export function boundsOf(file: string, source = textOf(file)): Bound[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: Bound[] = [];
  const add = (node: ts.Node, kind: Bound['kind'], part: ts.Node | undefined) => {
    const figures = part ? figuresIn(part) : [];
    if (figures.length)
      found.push({ ...at({ tree, file }, node), text: oneSpace(node.getText()), kind, figures });
  };
  const visit = (node: ts.Node): void => {
    if (isInputBound(node)) add(node, 'input', node.initializer);
    else if (ts.isVariableDeclaration(node) && BOUND_NAME.test(node.name.getText())) {
      add(node, 'name', node.initializer);
    } else if (isComparison(node)) add(node, 'comparison', node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Lists of literals of a file: `['a', 'b']`, `[1, 2]`. */
export function listsOf(file: string, source = textOf(file)): (Said & { items: string[] })[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: (Said & { items: string[] })[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node) && node.elements.length > 1) {
      const items = node.elements.map((item) =>
        ts.isStringLiteralLike(item) || ts.isNumericLiteral(item) ? item.text.toLowerCase() : FILLED_IN,
      );
      found.push({ ...at({ tree, file }, node), text: oneSpace(node.getText(tree)), items });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
