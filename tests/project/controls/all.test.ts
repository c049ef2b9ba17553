import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POINTS } from '#tests/faults/points.ts';
import { textOf } from '#tests/project/architecture-imports.ts';
import { CONTROLS } from './all.ts';
import { fileOf, testFileOf } from './control.ts';

test('every control has a name of its own, and there are 60 of them at least', () => {
  assert.ok(CONTROLS.length >= 60, String(CONTROLS.length));
  const names = CONTROLS.map(({ what }) => what);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test('what each takes away stands where it says, once', () => {
  for (const { what, and = [], ...first } of CONTROLS) {
    for (const edit of [first, ...and]) {
      assert.ok(fileOf(edit), what);
      assert.notEqual(edit.from, edit.to, what);
    }
  }
});

/** Whether a file has a test of this name, or one whose name is made of a text with values behind that beginning. */
function hasTest(file: string, named: string): boolean {
  const text = textOf(file);
  const beginnings = Array.from({ length: named.length - 5 }, (_, index) => named.slice(0, index + 6));
  return text.includes(named) || beginnings.some((beginning) => text.includes(`${beginning}\${`));
}

test('what must notice it is there', () => {
  for (const { what, noticedBy } of CONTROLS) {
    if ('points' in noticedBy) {
      for (const point of noticedBy.points)
        assert.ok(
          POINTS.some(({ name }) => name === point),
          `${what}: there is no point ${point}`,
        );
      continue;
    }
    const { named } = noticedBy;
    const file = testFileOf(noticedBy.test);
    if (named) assert.ok(hasTest(file, named), `${what}: ${file} has no test "${named}"`);
  }
});
