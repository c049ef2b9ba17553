import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TONES } from '#app/domain/topics/limits.ts';
import { type BriefKinds, decideBrief, type UserFact } from '#app/domain/writing/generate/brief.ts';
import {
  ANGLE_NEEDS,
  ANGLES,
  ENDINGS,
  LENGTHS,
  LIMIT_PLACES,
  OPENING_NEEDS,
} from '#app/domain/writing/generate/brief-kinds.ts';
import { partOf } from '#app/domain/writing/generate/load-prompts.ts';
import { SEED } from '#tests/harness/seed.ts';

const frame = {
  topic: 'Planning',
  reader: 'team leads',
  author: 'Planner',
  language: 'en',
  tone: 'casual',
  hasEmoji: false,
};
const fact = (kind: UserFact['kind'], id: string = kind): UserFact => ({ id, kind, content: `A ${kind}` });
const EVERY_KIND = (['project', 'number', 'opinion', 'lesson', 'question'] as const).map((kind) =>
  fact(kind),
);

const OPENINGS = [...new Set(Object.values(ANGLES).flat())];
const KINDS_OF_ONE: BriefKinds = {
  angle: 'opinion',
  opening: 'claim',
  ending: 'stop',
  limit: 'early',
  length: 'short',
};

/** The briefs of so many posts in a row, the first one first. */
function inRow(count: number, factsOf: (at: number) => UserFact[], begun: BriefKinds[] = []) {
  const made = [...begun];
  return Array.from({ length: count }, (_, at) => {
    const brief = decideBrief(frame, factsOf(at), { before: made, after: [] });
    made.unshift(brief);
    return brief;
  });
}

function assertUnworn(kinds: string[]) {
  for (const [at, kind] of kinds.entries()) {
    assert.notEqual(kind, kinds[at - 1], `twice in a row at ${at}: ${kinds.slice(0, at + 1).join(' ')}`);
    const ten = kinds.slice(Math.max(0, at - 9), at + 1);
    assert.ok(ten.filter((each) => each === kind).length <= 3, `more than 3 of 10: ${ten.join(' ')}`);
  }
}

test('no opening and no ending comes twice in a row, or in more than 3 of 10 posts', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    // Facts come and go: which kinds are there is drawn anew for each post.
    const factsOf = (at: number) => EVERY_KIND.filter((_, kind) => ((seed * 7919 + at * 104729) >> kind) & 1);
    const briefs = inRow(60, factsOf);
    assertUnworn(briefs.map(({ opening }) => opening));
    assertUnworn(briefs.map(({ ending }) => ending));
  }
});

/** Of 19 posts in a row, whose kinds wear out nowhere, the one in the middle is written again. */
function aroundOne<T extends string>(kinds: T[], draws: number[]): { before: T[]; after: T[] } | null {
  const row: T[] = [];
  for (const draw of draws) {
    const open = kinds.filter((kind) => isUnworn([...row, kind]));
    if (open.length === 0) return null;
    // Mostly the first ones: few kinds that come as often as they may.
    row.push(open[Math.floor((draw / 100) ** 3 * open.length)]!);
  }
  return { before: row.slice(0, 9).reverse(), after: row.slice(10) };
}

function isUnworn(kinds: string[]): boolean {
  try {
    assertUnworn(kinds);
    return true;
  } catch {
    return false;
  }
}

test('between any two rows of posts a kind that wears out neither is found where there is one', () => {
  const draws = fc.array(fc.nat(99), { minLength: 19, maxLength: 19 });
  const fits = <T extends string>({ before, after }: { before: T[]; after: T[] }, kind: T) =>
    isUnworn([...before.toReversed(), kind, ...after]);
  fc.assert(
    fc.property(draws, draws, (ofOpenings, ofEndings) => {
      const [openings, endings] = [aroundOne(OPENINGS, ofOpenings), aroundOne(ENDINGS, ofEndings)];
      if (!openings || !endings) return;
      const side = (of: 'before' | 'after') =>
        openings[of].map((opening, at) => ({ ...KINDS_OF_ONE, opening, ending: endings[of][at]! }));
      const brief = decideBrief(frame, EVERY_KIND, { before: side('before'), after: side('after') });
      if (OPENINGS.some((opening) => fits(openings, opening))) assert.ok(fits(openings, brief.opening));
      const others = ENDINGS.filter((ending) => ending !== 'detail');
      if (others.some((ending) => fits(endings, ending))) assert.ok(fits(endings, brief.ending));
    }),
    { numRuns: 500, seed: SEED },
  );
});

test('with facts of every kind each angle, opening, ending and length has its turn', () => {
  const briefs = inRow(40, () => EVERY_KIND);
  assert.deepEqual([...new Set(briefs.map(({ angle }) => angle))].sort(), Object.keys(ANGLES).sort());
  assert.deepEqual([...new Set(briefs.map(({ ending }) => ending))].sort(), ENDINGS.toSorted());
  assert.deepEqual([...new Set(briefs.map(({ length }) => length))].sort(), LENGTHS.toSorted());
  assert.equal(new Set(briefs.map(({ opening }) => opening)).size, 8);
});

test('the first posts of different authors, and of one author about different topics, are made differently', () => {
  for (const name of ['topic', 'author', 'reader'] as const) {
    const firsts = Array.from({ length: 100 }, (_, nth) =>
      decideBrief({ ...frame, [name]: `Somebody ${nth}` }, EVERY_KIND, { before: [], after: [] }),
    );
    for (const kind of ['angle', 'opening', 'ending', 'length'] as const) {
      const counts = Object.values(Object.groupBy(firsts, (brief) => brief[kind])).map((some) => some.length);
      assert.ok(counts.length >= 4 && Math.max(...counts) <= 50, `${kind} by ${name}: ${counts}`);
    }
  }
});

test('what needs a fact is left out without one, and has it with one', () => {
  for (const { angle, opening, facts } of inRow(40, () => [])) {
    assert.equal(ANGLE_NEEDS[angle], undefined);
    assert.equal(OPENING_NEEDS[opening], undefined);
    assert.deepEqual(facts, []);
  }
  const many = [...'abcdefgh'].map((id) => fact('opinion', id));
  for (const brief of inRow(40, () => [...many, ...EVERY_KIND])) {
    for (const needs of [ANGLE_NEEDS[brief.angle], OPENING_NEEDS[brief.opening]]) {
      assert.ok(
        !needs || brief.facts.some(({ kind }) => needs.includes(kind)),
        `${brief.angle} has ${needs}`,
      );
    }
    assert.equal(brief.facts.length, 3);
  }
});

test('facts that waited longest come first', () => {
  const { facts } = decideBrief(frame, [fact('opinion', 'first'), fact('opinion', 'second')], {
    before: [],
    after: [],
  });
  assert.deepEqual(
    facts.map(({ id }) => id),
    ['first', 'second'],
  );
});

test('a post that ends with its limit says it nowhere else, and a detail comes back only when there was one', () => {
  for (const { opening, ending, limit } of inRow(60, () => EVERY_KIND)) {
    assert.equal(limit === 'ending', ending === 'limit');
    if (ending === 'detail') assert.match(opening, /scene|object/);
  }
});

test('the prompts have words for everything that a brief can decide', () => {
  for (const angle of Object.keys(ANGLES)) assert.ok(partOf('angle', angle));
  for (const opening of Object.values(ANGLES).flat()) assert.ok(partOf('opening', opening));
  for (const ending of ENDINGS) assert.ok(partOf('ending', ending));
  for (const limit of LIMIT_PLACES) assert.ok(partOf('limit', limit));
  for (const length of LENGTHS) assert.ok(partOf('length', length));
  for (const tone of TONES) assert.match(partOf('tone', tone), /^Good: .+\nBad: .+/m);
  assert.throws(() => partOf('angle', 'gossip'), /no "gossip" among angle/);
});
