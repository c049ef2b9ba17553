import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sentencesOf } from '#app/domain/writing/gates/reading.ts';
import { type GateContext, gatesOf } from '#app/domain/writing/gates.ts';

/** What stands around a sentence, in its language. */
const AROUND: Record<string, [string, string]> = {
  en: [
    'A portafilter is wiped before it is filled.',
    'Whoever leaves that out has old coffee in the new cup, and it can be tasted. On a quiet morning nobody minds, and on a full one the queue would be longer than the patience of the people in it.',
  ],
  de: [
    'Ein Siebträger wird gewischt, bevor er gefüllt wird.',
    'Wer das auslässt, hat alten Kaffee in der neuen Tasse, und man schmeckt es. An einem ruhigen Morgen stört es niemanden, und an einem vollen wäre die Schlange länger als die Geduld der Leute, die darin stehen.',
  ],
  es: [
    'El portafiltro se limpia antes de llenarlo.',
    'Quien no lo hace tiene café viejo en la taza nueva, y se nota en el sabor. En una mañana tranquila no molesta a nadie, y en una llena la cola sería más larga que la paciencia de la gente.',
  ],
  fr: [
    'Le porte-filtre se nettoie avant d’être rempli.',
    'Sans cela, il reste du vieux café dans la nouvelle tasse, et on le sent au goût. Par un matin calme cela ne gêne personne, et par un matin plein la file serait plus longue que la patience des gens.',
  ],
  hi: [
    'पोर्टाफ़िल्टर को भरने से पहले पोंछा जाता है।',
    'जो ऐसा नहीं करता, उसके नए कप में पुरानी कॉफ़ी रहती है और स्वाद में पता चलता है। शांत सुबह में किसी को फ़र्क नहीं पड़ता, और भरी हुई सुबह में कतार लोगों के धैर्य से लंबी हो जाती है।',
  ],
};
const TOPIC: Record<string, string> = {
  hi: 'पोर्टाफ़िल्टर',
  es: 'portafiltro',
  fr: 'porte-filtre',
  de: 'Siebträger',
};
const FACTS = ['We repair 30 machines a month', 'In 2021 we stopped selling pods'];

function gatesFor(sentence: string, language = 'en', more: Partial<GateContext> = {}, facts: number[] = []) {
  const name = TOPIC[language] ?? 'Portafilter';
  const [before, after] = AROUND[language]!;
  const against: GateContext = {
    topic: { name, description: '', keywords: [] },
    ...{ facts: FACTS, given: name, language, openings: [], closings: [], theses: [] },
    ...{ phrases: [], avoided: [], hasEmoji: false, ...more },
  };
  const draft = {
    content: `${before} ${sentence} ${after}`,
    ...{ hashtags: ['Coffee', 'Machines', 'Repair'], thesis: '' },
    claims: facts.flatMap((fact) => sentencesOf(sentence).map((text) => ({ text, fact }))),
  };
  return gatesOf(draft, against);
}
const named = (...asked: Parameters<typeof gatesFor>) => gatesFor(...asked).map(({ gate }) => gate);

/** What is found in a post with this line at its end. */
function closedBy(line: string) {
  const [before, after] = AROUND.en!;
  const draft = {
    content: `${before} ${after}\n\n${line}`,
    hashtags: ['One', 'Two', 'Three'],
    thesis: '',
    claims: [],
  };
  return gatesOf(draft, {
    topic: { name: 'Portafilter', description: '', keywords: [] },
    ...{ facts: FACTS, given: 'Portafilter', language: 'en', openings: [], closings: [], theses: [] },
    ...{ phrases: [], avoided: [], hasEmoji: false },
  }).map(({ gate }) => gate);
}

const PASS: [string, string][] = [
  ['en', "I won't pretend that it is fun."],
  ['en', 'Once we have looked, it is obvious.'],
  ['en', 'When we have cleaned it, it shines.'],
  ['en', 'After we have looked, it is obvious.'],
  ['en', 'The machine told me nothing.'],
  ['en', 'As we said, it is a matter of seconds.'],
  ['en', 'Somebody wiped it before I took over.'],
  ['de', 'Ich habe nichts gegen Essig.'],
  ['fr', 'À 12 h 30, la file est longue.'],
  ['de', 'Das ist einer von zwei Wegen.'],
  ['en', 'It is two in one.'],
  ['en', 'If two in five screws bend, the plate is warped.'],
  ['en', 'Remember that 2*3 is 6, 4*5 is 20.'],
  ['en', 'The water in New York is softer than in London.'],
  ['en', 'An Allen key, a Stanley knife and a Phillips driver are enough, or something by Bosch.'],
  ['en', 'It holds for SaaS and for RoHS papers alike.'],
  ['en', 'Ask the Head of Coffee about it.'],
  ['en', 'The rest stands in Part II, and in Step One of the sheet.'],
  ['en', "It is a small thing [it usually isn't] on a full day."],
  ['en', 'type <Enter> and wait.'],
  ['de', 'Das Wasser hat 93 Grad.'],
  ['de', 'Ins Sieb kommen 18 g.'],
  ['en', 'The cloth is washed at at most 40 degrees.'],
  ['en', 'Leave 30 centimetres to the wall.'],
  ['en', 'The seal keeps for 14 days.'],
  ['en', 'Page 47 of the manual shows it.'],
  ['en', 'The basket takes 17 g, and 33 ml come out at 9 bar.'],
  ['en', 'I would give it 15 minutes.'],
  ['en', 'We repair 30 machines a month.'],
];
for (const [language, sentence] of PASS) {
  test(`passes: ${sentence}`, () => assert.deepEqual(named(sentence, language), []));
}

test('a word of agreement opens a post as well as an answer', () => {
  const opened = (opening: string) => {
    const [before, after] = AROUND.en!;
    const draft = {
      content: `${opening} ${before} ${after}`,
      hashtags: ['One', 'Two', 'Three'],
      thesis: '',
      claims: [],
    };
    return gatesOf(draft, {
      topic: { name: 'Portafilter', description: '', keywords: [] },
      ...{ facts: [], given: 'Portafilter', language: 'en', openings: [], closings: [], theses: [] },
      ...{ phrases: [], avoided: [], hasEmoji: false },
    }).map(({ gate }) => gate);
  };
  assert.deepEqual(opened('Sure, a new machine is quicker.'), []);
  assert.deepEqual(opened("Here's the draft plan for a morning."), []);
  assert.deepEqual(opened('Sure, here it is.'), ['preamble']);
  assert.deepEqual(opened('Sure! A new machine is quicker.'), ['preamble']);
  assert.deepEqual(opened("Here's the draft:"), ['preamble']);
});

const REFUSED: [string, string, string][] = [
  ['en', 'I have 25 years of experience.', 'numbers'],
  ['en', 'Our 8 technicians visit 11 bars a day.', 'numbers'],
  ['en', 'For 20 years our name stands for it.', 'numbers'],
  ['de', 'Wir brauchen dafür 10 Minuten.', 'numbers'],
  ['es', 'Nosotros necesitamos 10 minutos.', 'numbers'],
  ['fr', 'Nous y passons 10 minutes.', 'numbers'],
  ['hi', 'हम इसमें 10 मिनट लगाते हैं।', 'numbers'],
  ['en', 'It reaches 47 people.', 'numbers'],
  ['en', 'Studies show that it matters.', 'stock'],
  ['en', 'A client of ours has a full bar.', 'stock'],
  ['en', 'There are thousands of happy customers.', 'stock'],
  ['de', 'Studien belegen, dass es wichtig ist.', 'stock'],
  ['es', 'Los estudios demuestran que es importante.', 'stock'],
  ['fr', 'Les études montrent que c’est important.', 'stock'],
  ['hi', 'शोध बताते हैं कि यह ज़रूरी है।', 'stock'],
];
for (const [language, sentence, gates] of REFUSED) {
  test(`refuses: ${sentence}`, () => assert.equal(named(sentence, language).join(' '), gates));
}

test('a claim is held against the fact that it names', () => {
  const lie = 'In 2019 we won a national award for espresso repair.';
  const [finding, ...others] = gatesFor(lie, 'en', {}, [1]);
  assert.deepEqual([finding?.gate, others], ['story', []]);
  assert.match(finding!.forWriter, /only if fact 1 really says so/);
  const told = (sentence: string, ...facts: number[]) => named(sentence, 'en', {}, facts);
  assert.deepEqual(told('We have repaired machines every month.', 1), []);
  assert.deepEqual(told('We have been to 30 of them.', 1), []);
  assert.deepEqual(told('We have been to many.', 1), ['story']);
  assert.deepEqual(told('We repair 30 machines a month. Each of them taught me something.', 1), []);
  assert.deepEqual(told('We repair 30 machines a month. We won an award for it.', 1), ['story']);
  assert.deepEqual(told('In 2021 we gave up the pods and stopped selling them.', 2), []);
  assert.deepEqual(told('In 2019 we gave up the pods and stopped selling them.', 2), ['story']);
  assert.deepEqual(
    told('We gave up selling pods in 2021, and since then we have repaired machines.', 1, 2),
    [],
  );
});

test('a fact in another language than the post is held against its numbers alone', () => {
  const said = 'Vor drei Jahren haben wir die Kapseln aufgegeben.';
  assert.deepEqual(
    named(said, 'de', { facts: ['Three years ago we gave up the pods because of all the waste'] }, [1]),
    [],
  );
});

test('every good example of a tone tells no story and no stock phrase', () => {
  const tones = readFileSync(new URL('../../app/domain/writing/prompts/tones.md', import.meta.url), 'utf8');
  const good = [...tones.matchAll(/^Good: (.+)$/gm)].map(([, example]) => example!);
  assert.equal(good.length, 5);
  for (const example of good) {
    const found = named(example, 'en', { facts: [] }).filter((gate) => gate === 'story' || gate === 'stock');
    assert.deepEqual(found, [], example);
  }
});

test('a post ends on its subject, without a call and without the labels of the brief', () => {
  for (const line of [
    'Over to you.',
    'Share if you agree.',
    'Follow me for more.',
    'Link in bio.',
    'Et chez vous ?',
  ]) {
    assert.deepEqual(closedBy(line), ['bait'], line);
  }
  for (const line of ['CTA: wipe it.', 'Brief: a post.', 'It is wiped (fact 2: no pods).']) {
    assert.deepEqual(closedBy(line), ['leak'], line);
  }
});
