import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold, wordsOf } from '#app/domain/writing/gates/language/word-forms.ts';
import { fillerTexts, honestTexts, LANGUAGES } from '#tests/corpus/corpus.ts';

/** The definition, which is slower. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

test('words are runs of letters, their marks and digits, in every script', () => {
  const texts = LANGUAGES.flatMap((language) => [...honestTexts(language), ...fillerTexts(language)]);
  const odd = [
    '𑄌𑄋𑄴𑄟𑄳𑄦 𑄃𑄧𑄏𑄛𑄖𑄴',
    '𐐔𐐇𐐝 and 𝟜𝟚',
    '🚀rocket👩‍🚀s 1️⃣',
    'a\ud83db \ud83dc',
    '\u0301lone mark, x\u0301',
    'हिन्दी में',
    'שָׁלוֹם עולם',
    'السَّلامُ',
    '',
  ];
  for (const text of [...texts.map(({ draft }) => draft.content), ...odd]) {
    assert.deepEqual(wordsOf(text), fold(text).match(WORD) ?? [], text);
  }
});
