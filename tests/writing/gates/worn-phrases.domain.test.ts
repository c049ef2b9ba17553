import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runGates } from '#app/domain/writing/gates/run.ts';
import { repeatedPhrases } from '#app/domain/writing/generate/context.ts';

const TEXTS = [
  'Write the smallest useful version first. It was the first of the two that we had.',
  'Start with the smallest useful version, then ask. It was the first of the two, too.',
  'Our packing slip column is red.',
  'Look at the packing slip column when our packing slip column is red.',
];

const isRefused = (sentence: string, phrases: string[], userInput = '') =>
  runGates(
    { content: sentence, hashtags: [], thesis: '', claims: [] },
    {
      topic: { name: '', description: '', keywords: [] },
      facts: [],
      userInput,
      language: 'en',
      phrases,
      openings: [],
      closings: [],
      theses: [],
      avoided: [],
      hasEmoji: false,
    },
  ).some(({ gate }) => gate === 'used-up');

test('four words that stand in two posts are worn, in any case and punctuation', () => {
  const phrases = repeatedPhrases(TEXTS, '');
  assert.ok(phrases.includes('the smallest useful version'));
  assert.ok(isRefused('Try THE smallest, useful version.', phrases));
  assert.ok(!isRefused('Try the smallest version.', phrases));
});

test('moulds of short words are worn as well, in every script', () => {
  for (const [one, other, again] of [
    ['We do this odd thing: a bell.', 'On Fridays we do this odd thing.', 'Here we do this odd thing, too.'],
    ['Das Blatt hängt an der Tür.', 'Und: das Blatt hängt an der Wand.', 'Das Blatt hängt an der Decke.'],
    ['सूची दीवार पर लगी रहती है।', 'हमारी सूची दीवार पर लगी है।', 'वह सूची दीवार पर लगी थी।'],
  ] as const) {
    const phrases = repeatedPhrases([one, other], '');
    assert.ok(isRefused(again, phrases), again);
  }
});

test('little words that anybody uses wear nothing out', () => {
  assert.ok(!repeatedPhrases(TEXTS, '').some((phrase) => phrase.includes('it was the first')));
});

test('every phrase that is worn is refused, however many there are', () => {
  const words = Array.from({ length: 90 }, (_, nth) => `word${nth}`).join(' ');
  const phrases = repeatedPhrases([words, words], '');
  assert.equal(phrases.length, 87);
  assert.ok(isRefused('So word86 word87 word88 word89.', phrases));
});

test('what a fact says may be said again in the same words', () => {
  const fact = 'Our packing slip column is red';
  assert.ok(repeatedPhrases(TEXTS, '').includes('our packing slip column'));
  assert.ok(!repeatedPhrases(TEXTS, fact).includes('our packing slip column'));
  assert.ok(!isRefused(TEXTS[2]!, repeatedPhrases(TEXTS, ''), fact));
});

test('twice in one post is not worn', () => {
  assert.deepEqual(repeatedPhrases([`${TEXTS[0]} ${TEXTS[0]}`], ''), []);
});
