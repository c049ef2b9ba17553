import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT } from '#scripts/run.ts';
import { textOf } from '#tests/project/architecture-imports.ts';

const HOW_MANY = 72;

const rows = textOf('SECURITY.md')
  .split('\n')
  .map((line) => /^\| (\d+) \| (.+) \| (.+) \| (.+) \|$/.exec(line))
  .filter((found) => found !== null)
  .map(([, number, promise, shownBy, state]) => ({
    number: Number(number),
    promise: promise!,
    files: [...shownBy!.matchAll(/`([^`]+)`(?: "([^"]+)")?/g)].map(([, file, name]) => ({
      file: file!,
      name,
    })),
    state: state!,
  }));

test('SECURITY.md has a row for each of the promises, in their order', () => {
  assert.deepEqual(
    rows.map(({ number }) => number),
    Array.from({ length: HOW_MANY }, (_, index) => index + 1),
  );
});

test('each row says whether it is held, and what is missing where it is held in part', () => {
  for (const { number, state } of rows)
    assert.match(state, /^held(?:; .{10,})?$|^(?:held in part|does not apply): .{10,}$/, String(number));
});

test('each row names tests that are there, by the file and, where it says which, by the sentence', () => {
  for (const { number, files } of rows) {
    assert.ok(files.length > 0, String(number));
    for (const { file, name } of files) {
      assert.ok(existsSync(path.join(ROOT, file)), `${number}: ${file}`);
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      assert.match(text, /\btest\(/, file);
      if (name) assert.ok(text.includes(`'${name}'`), `${number}: ${file} has no "${name}"`);
    }
  }
});

test('each file here that begins with a number stands in the row of it', () => {
  for (const file of readdirSync(import.meta.dirname).filter((each) => /^\d/.test(each))) {
    const row = rows[Number(file.slice(0, 2)) - 1]!;
    assert.ok(
      row.files.some((each) => each.file === `tests/security/${file}`),
      `${file} is not in row ${row.number}`,
    );
  }
});
