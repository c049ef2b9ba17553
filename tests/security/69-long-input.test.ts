import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import ts from 'typescript';
import { POST_MAX } from '#app/domain/posts/limits.ts';
import { FACT_MAX } from '#app/domain/voice/limits.ts';
import { sources, textOf } from '#tests/project/architecture-imports.ts';

/** A quarter of the longest body: what takes the square of its length takes far too long by then. */
const LONGEST = 16 * 1024;
const WITHIN_MS = 100;

type Found = { file: string; source: string; flags: string };

/** Every pattern that stands in the code of the product. */
function patternsOf(file: string): Found[] {
  const tree = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, false);
  const found: Found[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const UNITS = [
  'a',
  'A',
  '0',
  ' ',
  '\n',
  '\t',
  '-',
  '_',
  '.',
  ',',
  ';',
  ':',
  '@',
  '#',
  '/',
  '\\',
  '"',
  "'",
  '<',
  '>',
  '&',
  '=',
  '+',
  '*',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '|',
  '%',
  '$',
  '!',
  '?',
  'é',
  'あ',
  '\u{1f30a}',
  '\u200b',
  'a ',
  'a.',
  'a-',
  'a@',
  'a,',
  '1.',
  '1,',
  '<a',
  '="',
  '""',
  '()',
  'http://',
  '://',
  '\r\n',
  '%0',
  'a\n',
  ' \n',
  '. ',
  '#a',
  '; ',
  '=a&',
];

/** What a pattern itself looks for, which is where it can be kept longest. */
function unitsOf({ source }: Found): string[] {
  const plain = source.match(/[\p{L}\p{N}]{2,12}/gu) ?? [];
  return [...UNITS, ...plain.slice(0, 4)];
}

/** Runs where it can be stopped: a pattern that tries everything never ends by itself. */
const context = vm.createContext({});
const script = new vm.Script('pattern.lastIndex = 0; text.replace(pattern, "")');

function isSlow(pattern: RegExp, text: string): boolean {
  Object.assign(context, { pattern, text });
  const begun = process.cpuUsage();
  try {
    script.runInContext(context, { timeout: 2_000 });
  } catch {
    return true;
  }
  const { user } = process.cpuUsage(begun);
  return user / 1_000 > WITHIN_MS;
}

/** The text at which a pattern is not done in time. One that only is because the machine did something else is asked again. */
function slowAt(found: Found, longest: number): string | undefined {
  const pattern = new RegExp(found.source, found.flags);
  for (const unit of unitsOf(found)) {
    const text = `${unit.repeat(Math.ceil(longest / unit.length))}\0`;
    if (isSlow(pattern, text) && isSlow(pattern, text))
      return `${JSON.stringify(unit)} in ${longest} characters`;
  }
  return undefined;
}

/** What is given no longer text than this: it was measured before, or is the writer's, the operator's or our own. */
const BOUNDED: [file: RegExp, longest: number][] = [
  [/^app\/domain\/writing\//, POST_MAX],
  [/^app\/domain\/voice\/(?:.+\/)?schema\.ts$/, FACT_MAX],
  [/^app\/(?:.+\/)?(?:env|migrate|openapi)\.ts$/, 1_000],
];

test('69 every pattern of the product is soon done with the longest text that it can be given', () => {
  const patterns = sources.filter((file) => /^(?:app|worker)\//.test(file)).flatMap(patternsOf);
  assert.ok(patterns.length > 200, String(patterns.length));
  const slow = patterns.flatMap((each) => {
    const longest = BOUNDED.find(([file]) => file.test(each.file))?.[1] ?? LONGEST;
    const at = slowAt(each, longest);
    return at ? [`${each.file} /${each.source}/ at ${at}`] : [];
  });
  assert.deepEqual(slow, []);
});
