import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PostChange } from '#app/domain/posts/schema.ts';
import type { LANGUAGES } from '#app/domain/voice/limits.ts';
import {
  type GateContext,
  runGates,
  tidyDraft,
  tidyHashtags,
  tidyRemarks,
} from '#app/domain/writing/gates/run.ts';
import { STOCK_PHRASES } from '#app/domain/writing/gates/stock/gates.ts';
import type { Draft } from '#app/domain/writing/generate/draft.ts';
import { specificityOf } from '#app/domain/writing/generate/specificity.ts';

const AGAINST: GateContext = {
  topic: { name: 'Planning for small teams', description: '', keywords: ['planning', 'lists'] },
  facts: ['We closed the shop on Mondays in 2023 and lost three regulars'],
  userInput: 'Planning for small teams\nSee https://acme.example/plans/week?day=1',
  language: 'en',
  openings: [],
  closings: [],
  theses: [],
  phrases: [],
  avoided: [],
  hasEmoji: false,
};
const REST =
  'Write the list where all of them can see it, and cross out what is done before anything is added. It stops working when nobody owns the list.';

const draftOf = (sentence: string, more: Partial<Draft> = {}): Draft => ({
  content: `Planning for small teams begins on a wall. ${sentence} ${REST}`,
  hashtags: ['Planning', 'Lists', 'Teams'],
  thesis: 'A list on the wall is enough',
  claims: [],
  ...more,
});

const gatesFor = (sentence: string, against: Partial<GateContext> = {}, more: Partial<Draft> = {}) =>
  runGates(draftOf(sentence, more), { ...AGAINST, ...against }).map(({ gate }) => gate);

const PASS = [
  'Block 15 minutes for it.',
  'The 80/20 rule holds here as well.',
  'Nobody has to be there 24/7.',
  'It takes three steps, and the third one takes 30 minutes.',
  'Look at it at 9:30 or at 5 pm.',
  'The habit is older than 2015.',
  'As an AI engineer one knows this from dashboards.',
  'Do you disagree with the wall?',
  'The plan is at https://acme.example/plans/week?day=1.',
  'The plan is at acme.example/plans/week?day=1, for anyone who asks.',
  'We closed the shop on Mondays in 2023 and lost three regulars.',
  'File names such as week_plan_final stay readable.',
  'Somebody wrote "we tried that already" on it.',
  'Use Excel or a wall in Germany; on Monday it is the same.',
  'I would rather lose the list than the habit.',
  'If I had to choose, the wall would stay.',
  'New people ignore the original safety instructions.',
  'Most forget the earlier rules by Friday.',
  'The method openSettingsWhenSomebodyPressesTheButton says what it does.',
  'The file stands in src/components/buttons/primary/v2/button-with-icon.',
];
for (const sentence of PASS) {
  test(`passes: ${sentence}`, () => assert.deepEqual(gatesFor(sentence), []));
}

const REFUSED: [string, string][] = [
  ['Forty percent of teams plan, says Harvard.', 'numbers names'],
  ['It works 9 out of 10 times.', 'numbers'],
  ['It is 3x as quick.', 'numbers'],
  ['It reaches 5 million people.', 'numbers'],
  ['Half of all teams never plan.', 'numbers'],
  ['It saves $500 a month.', 'numbers'],
  ['One in five plans is read.', 'numbers'],
  ['Last year I hired Jane Miller at Acme.', 'names story'],
  ['A client told me that it works.', 'story'],
  ["We've tried this with every list.", 'story'],
  ['See evil.com/buy for more.', 'links'],
  ['The plan is at https://acme.example/plans.', 'links'],
  ['The plan is at https://acme.example.evil.com/plans/week?day=1.', 'links'],
  ['Write to sales@evil.com today.', 'links'],
  ['It is _really_ so.', 'markdown'],
  ['It is *really* so.', 'markdown'],
  ['Type `list` first.', 'markdown'],
  ['It is the plan of [your company].', 'placeholder'],
  ['It is the plan of {company}.', 'placeholder'],
  ['As an AI language model, I cannot plan.', 'model'],
  ["Planning isn't just a process, it's a journey.", 'contrast'],
  ['It is not about lists. It is about people.', 'contrast'],
  ['The wall is not a tool but a habit.', 'contrast'],
  ['Let us unleash it.', 'stock'],
];
for (const [sentence, gates] of REFUSED) {
  test(`refuses: ${sentence}`, () => assert.equal(gatesFor(sentence).join(' '), gates));
}

test('a claim that names its fact passes, and one that names none or a wrong one does not', () => {
  const said = 'In 2023 we gave up Mondays, and three regulars stayed away.';
  const claims = (fact: number | null) => ({ claims: [{ text: said, fact }] });
  assert.deepEqual(gatesFor(said, {}, claims(1)), []);
  assert.deepEqual(gatesFor(said, {}, claims(null)), ['story']);
  assert.deepEqual(gatesFor(said, {}, claims(2)), ['story', 'claimed-facts']);
});

test('old posts give nothing: a number of an earlier opening is refused', () => {
  assert.deepEqual(gatesFor('It saves 37 percent.', { openings: ['We saved 37 percent'] }), ['numbers']);
});

test('a number is given in digits or in words, in any script', () => {
  const given = { userInput: 'We saved forty percent with 1,204 lists and ४५ walls' };
  assert.deepEqual(gatesFor('It saves 40 % with 1204 lists on forty-five walls.', given), []);
  assert.deepEqual(gatesFor('It saves 41 % with the lists.', given), ['numbers']);
});

test('the words of the topic stand as whole words, in their forms and in every script', () => {
  const text = (content: string, name: string, language: string) =>
    runGates(
      { content, hashtags: ['One', 'Two', 'Three'], thesis: '', claims: [] },
      { ...AGAINST, topic: { name, description: '', keywords: [] }, facts: [], userInput: name, language },
    ).some(({ gate }) => gate === 'topic');
  assert.ok(text('Start the machine again; a restart helps the most.', 'Art', 'en'));
  assert.ok(text('Bananas ripen in the cold hold of a ship.', 'The future of hiring', 'en'));
  assert.ok(!text('Whoever hires for the first time asks too much.', 'The future of hiring', 'en'));
  assert.ok(!text('Die Eingangsrechnung kommt zuerst.', 'Rechnungen', 'de'));
  assert.ok(!text('会議の前に議題を共有します。', '会議', 'ja'));
  assert.ok(text('パンは朝に焼きます。', '会議', 'ja'));
});

test('what is never seen is taken away, and hashtags keep the marks of their letters', () => {
  const tidy = tidyDraft(draftOf('\u202eTurned\u202c and\u200b split.\r\nNext\u0007.'));
  assert.match(tidy.content, /\. Turned and split\.\nNext\. /);
  assert.deepEqual(tidyHashtags(['#हिन्दी', 'हिन्दी', 'हि न्दी!', ' café-bar']), ['हिन्दी', 'cafébar']);
  assert.ok(PostChange.safeParse({ hashtags: ['हिन्दी'] }).success);
  assert.ok(!PostChange.safeParse({ hashtags: ['a_b'] }).success);
});

test('a NUL and a broken letter go back to the writer', () => {
  for (const bad of ['\0', '\ufffd', '\ud800']) {
    const tidy = tidyDraft(draftOf(`Somebody left a letter here${bad}, and nobody reads it.`));
    assert.deepEqual(
      runGates(tidy, AGAINST).map(({ gate }) => gate),
      ['characters'],
    );
  }
});

test('emoji are a matter of taste, strings of them are not', () => {
  assert.deepEqual(gatesFor('It works 👍 mostly.'), ['emoji']);
  assert.deepEqual(gatesFor('It works 👍 mostly.', { hasEmoji: true }), []);
  assert.deepEqual(gatesFor('It works 👍🚀 mostly.', { hasEmoji: true }), ['emoji']);
});

test('an apostrophe that is curly, or turned, is one like any other', () => {
  const straight = [
    ...REFUSED,
    ...STOCK_PHRASES.map(({ phrase }): [string, string] => [
      `It says ${phrase}.`,
      gatesFor(`It says ${phrase}.`).join(' '),
    ]),
  ].filter(([sentence]) => sentence.includes("'"));
  assert.ok(straight.length > 5, `${straight.length}`);
  for (const [sentence, gates] of straight) {
    for (const mark of '’‘ʼ') {
      const written = sentence.replaceAll("'", mark);
      assert.equal(gatesFor(written).join(' '), gates, written);
    }
  }
});

test('every stock phrase has a source and is found, unless its owner says it', () => {
  for (const { phrase, source } of STOCK_PHRASES) {
    assert.ok(source.length > 10, phrase);
    const said = phrase.replace(/ \* /g, ' it ').replace(/\*/g, '');
    assert.ok(gatesFor(`So ${said} so.`).includes('stock'), phrase);
  }
  assert.deepEqual(gatesFor('The cutting-edge goes first.', { userInput: 'cutting-edge of a chisel' }), []);
});

test('"one" counts nothing, and a figure in digits is told before one in words', () => {
  const reasonsOf = (content: string) => specificityOf({ ...draftOf(''), content }, AGAINST).reasons;
  const figureOf = (content: string) => reasonsOf(content).find((reason) => reason.startsWith('Gives'));
  assert.equal(figureOf('The one who asks first is one of us.'), undefined);
  assert.ok(!reasonsOf('One of us asks first. It goes on.').includes('Opens with a concrete thing'));
  assert.equal(figureOf('One page, three people, 14 offices.'), 'Gives a figure: 14');
  assert.equal(figureOf('One page for three people.'), 'Gives a figure: three');
  assert.equal(figureOf('Whoever has done it once knows whom to ask.'), undefined);
  const spanish = { ...AGAINST, language: 'es' };
  const inSpanish = specificityOf({ ...draftOf(''), content: 'Somos once en la mesa.' }, spanish);
  assert.ok(inSpanish.reasons.includes('Gives a figure: once'));
});

test('a subject is named in one of its forms', () => {
  const facts = ['Each new colleague ships one change', 'Colleagues ask a customer about the ship'];
  const content = 'A colleague and other colleagues ship a change that a customer asked for.';
  const { reasons } = specificityOf({ ...draftOf(''), content }, { ...AGAINST, facts });
  const named = reasons.find((reason) => reason.startsWith('Speaks of'));
  assert.ok(named, reasons.join('; '));
  assert.equal(named.match(/colleague/gi)?.length, 1, named);
});

test('each language of posts has words for where something ends', () => {
  const said: Record<keyof typeof LANGUAGES, string> = {
    en: 'With three newcomers it does not work.',
    de: 'Bei Ausschreibungen hilft nicht viel, das funktioniert nicht.',
    es: 'Con diez personas no funciona.',
    fr: 'À trois, cela ne marche pas.',
    hi: 'तीन लोगों के साथ यह काम नहीं करता।',
    it: 'Con tre nuovi arrivati non funziona.',
    nl: 'Met drie nieuwe mensen werkt niet wat met een wel gaat.',
    pt: 'Com três pessoas novas não funciona.',
  };
  for (const [language, content] of Object.entries(said)) {
    const { reasons } = specificityOf({ ...draftOf(''), content }, { ...AGAINST, language });
    assert.ok(reasons.includes('Says when it does not work, or what it costs'), content);
  }
});

test('specificity says why in words for the owner', () => {
  const draft = draftOf('We closed the shop on Mondays in 2023 and lost three regulars.', {
    claims: [{ text: 'We closed the shop', fact: 1 }],
  });
  const content = `The lists for planning hang on the wall. ${draft.content}`;
  const full = specificityOf({ ...draft, content }, AGAINST);
  assert.deepEqual(full.reasons.slice(0, 1), ['Names your fact “We closed the shop on Mondays in 2023…”']);
  assert.ok(full.reasons.includes('Says when it does not work, or what it costs'));
  assert.ok(full.reasons.includes('Opens with a concrete thing'));
  assert.ok(full.score >= 70 && full.score <= 100, `${full.score}`);
  const empty = { ...draftOf(''), content: 'People are different. Be kind to each of them, always.' };
  assert.deepEqual(specificityOf(empty, AGAINST), {
    score: 0,
    reasons: ['Names nothing that only you could know'],
  });
});

test('a hashtag that nobody could save again, and remarks without end, are not kept', () => {
  const tags = [`a${'b'.repeat(100)}`, 'Lists', 'Teams'];
  const gates = runGates(draftOf('Block 15 minutes for it.', { hashtags: tags }), AGAINST);
  assert.deepEqual(
    gates.map(({ gate }) => gate),
    ['hashtags'],
  );
  assert.ok(!PostChange.safeParse({ hashtags: tags }).success);
  const claim = { text: `\u202eWe\u0007 did${' so'.repeat(1_000)}`, fact: null };
  const { thesis, claims } = tidyDraft(
    draftOf('One.', { thesis: claim.text, claims: Array<typeof claim>(1_000).fill(claim) }),
  );
  assert.equal(claims.length, 40);
  for (const text of [thesis, claims[0]!.text]) {
    assert.match(text, /^We did so/);
    assert.ok(text.length <= 600);
  }
  assert.deepEqual(tidyRemarks(['Cryptic\u2066', `${'a'.repeat(599)}😀`]), [
    'Cryptic',
    `${'a'.repeat(599)}\ufffd`,
  ]);
});
