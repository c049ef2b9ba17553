import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLittleText } from '#sandbox/linkedin/little-text.ts';

const RESERVED = [...'\\|{}@[]()<>#*_~'];

test('every reserved character is read when escaped', () => {
  const source = RESERVED.map((character) => `\\${character}`).join(' ');
  assert.deepEqual(parseLittleText(source), { text: RESERVED.join(' '), violation: null });
});

test('every reserved character cuts the text when it is not', () => {
  for (const character of RESERVED) {
    const { text, violation } = parseLittleText(`Kept. ${character} lost`);
    assert.equal(text, 'Kept.', character);
    assert.ok(violation, character);
  }
});

test('hashtags, templates and mentions are read, line breaks and other signs kept', () => {
  const source =
    'Hi @[Some Body](urn:li:person:a-_1)!\n\n100% – #größe {hashtag|\\#|Work} {hashtag\\|#\\|Two}';
  assert.deepEqual(parseLittleText(source), {
    text: 'Hi Some Body!\n\n100% – #größe #Work #Two',
    violation: null,
  });
});

test('a hashtag ends at an underscore, which is then a violation', () => {
  assert.equal(parseLittleText('#two_words').text, '#two');
});
