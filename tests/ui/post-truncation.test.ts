import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldAt, foldsOn, linesBefore, visibleLines } from '#app/ui/post/truncate.ts';
import { SEED } from '#tests/harness/seed.ts';

const words = (length: number) => 'Seven. '.repeat(Math.ceil(length / 7)).slice(0, length);

test('a text is folded after 210 characters or three lines, at the end of a word', () => {
  assert.equal(foldAt(words(210)), null);
  assert.equal(foldAt(`${words(203)}something`), 202);
  assert.equal(foldAt('One\nTwo\nThree'), null);
  assert.equal(foldAt('One\nTwo\nThree\nFour'), 'One\nTwo\nThree'.length);
  assert.equal(foldAt(`${words(140)}\nThree\nFour`), 146);
  assert.equal(foldAt('x'.repeat(300)), 210);
});

test('nothing is folded after a blank line, nor when only blank lines are behind', () => {
  assert.equal(foldAt('One\nTwo\n\nFour'), 'One\nTwo'.length);
  assert.equal(foldAt('One\n\n\nFour'), 'One'.length);
  assert.equal(foldAt('One\nTwo\nThree\n\n  \n'), null);
});

test('the last line that is shown before the fold is never blank', () => {
  assert.equal(linesBefore('One\nTwo\n\nFour'), 2);
  assert.equal(linesBefore('One\n\n\nFour'), 1);
  assert.equal(linesBefore('One\n\nThree\nFour'), 3);
  assert.equal(linesBefore(words(230)), 3);
  assert.equal(linesBefore('One'), 3);
  assert.deepEqual(visibleLines(`${words(60)}\n\n${words(100)}`), { wide: 3, narrow: 2 });
});

test('a phone folds sooner', () => {
  assert.equal(foldsOn(words(100)), 'none');
  assert.equal(foldsOn(words(180)), 'narrow');
  assert.equal(foldsOn(words(230)), 'all');
});

test('what stands before the fold is the beginning of the text', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '.'), maxLength: 600 });
  fc.assert(
    fc.property(texts, (text) => {
      const at = foldAt(text);
      if (at === null) return;
      assert.ok(at <= 210 && at < text.trimEnd().length);
      assert.doesNotMatch(text.slice(0, at), /\s$/);
    }),
    { seed: SEED },
  );
});
