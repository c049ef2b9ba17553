import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { literalOf } from '#app/http/handed-data.ts';

/** What a script has that says so. */
const heard = (literal: string) => JSON.stringify(runInNewContext(`(${literal})`));

test('a script hears the data that are handed to it, whatever their texts are', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (data) => {
      const literal = literalOf(data);
      if (literal === undefined) return assert.match(JSON.stringify(data), /"__proto__":/);
      assert.equal(heard(literal), JSON.stringify(data));
    }),
    { examples: [[{ text: '</script><!-- \u2028 \\ "' }], [[{}, [], null, '', 0, false]]] },
  );
});

test('no text ends the script that it stands in', () => {
  const literal = literalOf({ text: '</script><script>', '<!--': 1 })!;
  assert.doesNotMatch(literal, /</);
  assert.equal(heard(literal), JSON.stringify({ text: '</script><script>', '<!--': 1 }));
});

test('what is undefined is not there', () => {
  assert.equal(literalOf({ a: undefined, b: { c: undefined } }), '{"b":{}}');
});

test('what JSON has no words for is left to others', () => {
  class Point {}
  const wordless = [new Date(), new Map(), new Set(), new Error(), Promise.resolve(), new Point(), /a/];
  const numbers = [Number.NaN, Number.POSITIVE_INFINITY, 1n];
  const names = JSON.parse('{"__proto__":{"a":1}}');
  for (const value of [...wordless, ...numbers, names, Symbol('a'), () => 1, [undefined], new Array(1)]) {
    assert.equal(literalOf(value), undefined, String(value));
    assert.equal(literalOf({ list: [{ value }] }), undefined, String(value));
  }
});
