import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GATES, runGates } from '#app/domain/writing/gates/run.ts';
import { fillerTexts, honestTexts, LANGUAGES, type Text } from './corpus.ts';

/** At least so many of each kind in each language. */
const EACH = 24;
const LENGTH = { least: 250, most: 1_300 };
const namesOf = ({ draft, against }: Text, gates = GATES) =>
  runGates(draft, against, gates).map(({ gate }) => gate);

for (const language of LANGUAGES) {
  test(`every honest text in ${language} passes`, () => {
    const texts = honestTexts(language);
    assert.ok(texts.length >= EACH);
    for (const { title, draft, against } of texts) {
      assert.ok(draft.content.length >= LENGTH.least && draft.content.length <= LENGTH.most, title);
      const findings = runGates(draft, against);
      assert.deepEqual(findings, [], title);
    }
  });

  test(`every filler text in ${language} is refused by the gate it was written for`, () => {
    const texts = fillerTexts(language);
    assert.ok(texts.length >= EACH);
    for (const text of texts) assert.deepEqual(namesOf(text), text.gates, text.title);
  });
}

const fillers = LANGUAGES.flatMap(fillerTexts);

for (const { name } of GATES) {
  test(`without the gate "${name}" a filler text passes`, () => {
    const others = GATES.filter((gate) => gate.name !== name);
    assert.ok(fillers.some((text) => namesOf(text, others).length === 0));
  });
}

test('no two gates have one name, and each says one thing to the writer and another to the user', () => {
  assert.equal(new Set(GATES.map(({ name }) => name)).size, GATES.length);
  for (const { title, draft, against } of fillers) {
    for (const { forWriter, forUser } of runGates(draft, against)) {
      assert.notEqual(forWriter, forUser, title);
      assert.match(forWriter, /[.]$/, title);
      assert.match(forUser, /^[A-Z][^!]*[^.!?]$/, title);
    }
  }
});
