import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold, wordsOf } from '#app/domain/writing/gates/language/word-forms.ts';
import { claimsIn, keyOf } from '#app/domain/writing/gates/numbers/claims.ts';
import { plainDigits } from '#app/domain/writing/gates/numbers/plain-digits.ts';
import { numbersIn } from '#app/domain/writing/gates/numbers/words.ts';
import { fillerTexts, honestTexts, LANGUAGES } from '#tests/writing/gates/corpus/corpus.ts';

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

const read = (text: string) => plainDigits(fold(text));

const NUMBERS: [text: string, ...values: number[]][] = [
  ['Forty-two lists and seven.', 42, 7],
  ['Twenty one-page lists hang on three walls.', 21, 3],
  ['5 million, 1,204.5 and 1.204,5', 5_000_000, 1204.5, 1204.5],
  ['Zweihundert Listen, einundzwanzig Wände, 3 Mio. Blätter', 200, 21, 3_000_000],
  ['Treinta y uno, treinta y nadie, doscientas', 31, 30, 200],
  ['Quatre-vingt-dix-sept et vingt-et-un, deux cents', 97, 21, 200],
  ['पाँच दिन, ४५ मिनट, तीन लाख', 5, 45, 300_000],
  ['Somebody weighs often and tendered nineties', ...[]],
  ['12seven, v2, 1,204seven', 12, 1204],
];
for (const [text, ...values] of NUMBERS) {
  test(`reads the numbers of: ${text}`, () => {
    const found = numbersIn(read(text));
    assert.deepEqual(
      found.map(({ value }) => value),
      values,
    );
    for (const { index, end, text: written } of found) {
      assert.equal(read(text).slice(index, end), written);
    }
  });
}

const CLAIMS: [text: string, ...keys: string[]][] = [
  ['Forty percent, 40 % and 3x', 'percent 40', 'percent 40', 'times 3'],
  ['Nine out of every ten, one in five', 'of 9/10', 'of 1/5'],
  ['Eine von drei, una de cada cuatro, une sur dix', 'of 1/3', 'of 1/4', 'of 1/10'],
  ['Trois personnes sur dix, दस में से तीन', 'of 10/3', 'of 3/10'],
  ['Two in 12 weeks, one in three days, five in 4km', ...[]],
  ['Half of all lists, two thirds', 'part half of all', 'part two thirds'],
];
for (const [text, ...keys] of CLAIMS) {
  test(`reads the shares and multiples of: ${text}`, () => {
    assert.deepEqual(claimsIn(read(text), numbersIn(read(text))).map(keyOf), keys);
  });
}
