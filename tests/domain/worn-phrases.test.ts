import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPhrase, wornPhrases } from '#app/domain/writing/worn-phrases.ts';

const TEXTS = [
  'Write the smallest useful version first. In the middle of the week nobody looks.',
  'Start with the smallest useful version, then ask. In the middle of the month it shows.',
  'Our packing slip column is red.',
  'Look at the packing slip column when our packing slip column is red.',
];

test('four words that stand in two posts are worn, in any case and punctuation', () => {
  const phrases = wornPhrases(TEXTS, '');
  assert.ok(phrases.includes('the smallest useful version'));
  assert.equal(findPhrase('Try THE smallest, useful version.', phrases), 'the smallest useful version');
  assert.equal(findPhrase('Try the smallest version.', phrases), undefined);
});

test('little words that anybody uses wear nothing out', () => {
  assert.ok(!wornPhrases(TEXTS, '').some((phrase) => phrase.includes('in the middle of')));
});

test('what a fact says may be said again in the same words', () => {
  assert.ok(wornPhrases(TEXTS, '').includes('our packing slip column'));
  assert.ok(!wornPhrases(TEXTS, 'Our packing slip column is red').includes('our packing slip column'));
});

test('twice in one post is not worn', () => {
  assert.deepEqual(wornPhrases([`${TEXTS[0]} ${TEXTS[0]}`], ''), []);
});
