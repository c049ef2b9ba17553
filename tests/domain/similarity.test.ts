import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { nearestSimilarity } from '#app/domain/posts/memory.ts';
import { rewritePost } from '#app/domain/posts/rows.ts';
import { canBeNear, nearestOf, sketchOf } from '#app/domain/posts/trigrams.ts';
import { addPost } from '#app/domain/queue/standing.ts';
import { honestTexts, LANGUAGES } from '#tests/corpus/corpus.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';
import { SEED } from '#tests/seed.ts';

const { db } = await testDatabase();
const DAY = 86_400_000;
const NOW = new Date();

const RUSSIAN = 'Печь разгорается шесть часов. Кто хочет свежий хлеб к восьми, растапливает её в два.';
const HINDI = 'भट्टी में एक बार में साठ पाव आते हैं। सुबह छह बजे दुकान खुलती है।';
const JAPANESE = '窯に火が回るまで六時間かかります。八時に焼きたてを出すには、二時に薪を入れます。';
const ENGLISH = 'It takes six hours until the oven bakes. For fresh bread at eight the fire is lit at two.';

async function author(posts: { content: string; daysAgo?: number; isDeleted?: boolean }[]) {
  const { userId } = await makeUser(db, {});
  for (const { content, daysAgo = 1, isDeleted = false } of posts) {
    const createdAt = new Date(NOW.getTime() - daysAgo * DAY);
    await sql`insert into posts (user_id, content, hashtags, created_at, deleted_at)
      values (${userId}, ${content}, '{}', ${createdAt}, ${isDeleted ? NOW : null})`.execute(db);
  }
  return (content: string) => nearestSimilarity(db, userId, content, NOW);
}

for (const [script, text] of Object.entries({ RUSSIAN, HINDI, JAPANESE, ENGLISH })) {
  test(`an identical text scores 1: ${script.toLowerCase()}`, async () => {
    const nearest = await author([{ content: ENGLISH.toUpperCase() }, { content: text }]);
    assert.equal(await nearest(text), 1);
    assert.ok((await nearest(`${text} ${text.slice(0, 20)}`)) > 0.6);
  });
}

test('deleted posts count, those of more than 180 days ago and of others do not', async () => {
  await author([{ content: HINDI }]);
  const nearest = await author([
    { content: RUSSIAN, isDeleted: true },
    { content: ENGLISH, daysAgo: 179 },
    { content: JAPANESE, daysAgo: 181 },
  ]);
  assert.equal(await nearest(RUSSIAN), 1);
  assert.equal(await nearest(ENGLISH), 1);
  assert.ok((await nearest(JAPANESE)) < 0.1);
  assert.ok((await nearest(HINDI)) < 0.1);
});

test('it counts as pg_trgm does, and the database knows the letters of every script', async () => {
  const pairs = [
    [ENGLISH, ENGLISH.replace('bread', 'rolls')],
    [ENGLISH, 'The oven is lit at two, and the bread comes at eight.'],
    [RUSSIAN, RUSSIAN.replace('хлеб', 'пирог')],
    [JAPANESE, JAPANESE.replace('六時間', '八時間')],
  ] as const;
  for (const [one, other] of pairs) {
    const { rows } = await sql<{ same: number }>`select similarity(${one}, ${other}) as same`.execute(db);
    assert.ok(Math.abs(nearestOf(one, [other]) - rows[0]!.same) < 0.02, `${one} ${rows[0]!.same}`);
  }
});

test('a paraphrase of every sentence is beyond it; its thesis and its first line are what the gates see', () => {
  const paraphrase =
    'Half a morning passes before we can put dough in. Anybody who opens early has to be out of bed in the night.';
  assert.ok(nearestOf(ENGLISH, [paraphrase]) < 0.3);
  const near = ENGLISH.replace(/\w+\.$/, 'else.');
  assert.equal(nearestOf(ENGLISH, [paraphrase, near, paraphrase]), nearestOf(ENGLISH, [near]));
});

/** What is left of a text of which one word in so many is another. */
const withOther = (text: string, every: number) =>
  text
    .split(' ')
    .map((word, at) => (at % every === 0 ? `${word.length}${[...word].reverse().join('')}` : word))
    .join(' ');

test('the sketches of texts that are nearer than asked can be near, those of two honest texts seldom', () => {
  const texts = LANGUAGES.flatMap((language) => {
    const short = honestTexts(language).map(({ draft }) => draft.content);
    // As long as posts can be: these have much in common, by nothing but their language.
    const long = short.map((text, at) => [text, short.at(at - 1), short.at(at - 2)].join('\n\n'));
    return [...short, ...long.filter((_, at) => at % 3 === 0)];
  });
  const sketches = new Map(texts.map((text) => [text, sketchOf(text)]));
  let [near, apart, mixedUp] = [0, 0, 0];
  for (const text of texts) {
    for (const every of [2, 3, 4, 5, 6, 8, 12, 20]) {
      const other = withOther(text, every);
      const nearest = nearestOf(text, [other]);
      for (const least of [0.3, 0.5, 0.6, 0.7, 0.9]) {
        if (nearest < least) continue;
        near += 1;
        assert.ok(canBeNear(sketches.get(text)!, sketchOf(other), least), `${least} ${text}`);
      }
    }
    for (const other of texts) {
      if (text.includes(other) || other.includes(text)) continue;
      apart += 1;
      if (canBeNear(sketches.get(text)!, sketches.get(other)!, 0.6)) mixedUp += 1;
    }
  }
  assert.ok(near > 500, `${near}`);
  assert.ok(mixedUp < apart / 200, `${mixedUp} of ${apart}`);
});

let drawn = SEED;
/** From 0 to 1, the same in every run. */
function draw(): number {
  drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0;
  return drawn / 2 ** 32;
}

const SCRIPTS = {
  latin: 'abcdefghijklmnopqrstuvwxyzäéñß',
  cyrillic: 'абвгдежзийклмнопрстуфхцчшщъыьэюя',
  devanagari: 'अआइईउऊएकखगघचछजझटठडढणतथदधनपफबभमयरलवशसहािीुूेैोौंँ्',
  arabic: 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
  japanese:
    'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめも人日一国会年大十二本中長出三同',
};
const below = (most: number) => Math.floor(draw() * most);
const oneOf = <T>(some: readonly T[]) => some[below(some.length)]!;

/** Words of a language as its texts have them: a few come again and again. */
function wordsIn(script: keyof typeof SCRIPTS) {
  const letters = [...SCRIPTS[script]];
  const word = () => Array.from({ length: 2 + below(8) }, () => oneOf(letters)).join('');
  const words = Array.from({ length: 600 }, word);
  return { some: () => words[Math.floor(draw() ** 2 * words.length)]!, other: word };
}

/** A text that is nearly another: words changed, left out, put in, sentences in another order, all in capitals. */
function nearlyAs(words: string[], { other }: ReturnType<typeof wordsIn>): string {
  const often = draw() * 0.5;
  const changed = words.flatMap((word) =>
    draw() < often ? oneOf([[], [other()], [word, other()], [`${word}${other().slice(0, 2)}`]]) : [word],
  );
  const cut = below(changed.length);
  const text = oneOf([changed, [...changed.slice(cut), ...changed.slice(0, cut)]]).join(
    oneOf([' ', '\n', ', ']),
  );
  return oneOf([text, text.toUpperCase()]);
}

/** As pg_trgm counts it, without hashes. */
function exactly(one: string, other: string): number {
  const trigramsOf = (text: string) =>
    new Set(
      (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((word) => {
        const padded = `  ${word} `;
        return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3));
      }),
    );
  const [a, b] = [trigramsOf(one), trigramsOf(other)];
  return a.intersection(b).size / a.union(b).size;
}

for (const script of Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[]) {
  test(`whatever is too near is found, whatever its length, and nothing else: ${script}`, async () => {
    const words = wordsIn(script);
    const { userId } = await makeUser(db);
    let [near, hardly] = [0, 0];
    for (let time = 0; time < 600; time += 1) {
      const length = 30 + below(400);
      const before = Array.from({ length }, words.some);
      const text = nearlyAs(before, words);
      const exact = exactly(before.join(' '), text);
      const counted = nearestOf(text, [before.join(' ')]);
      assert.ok(Math.abs(counted - exact) < 0.03, `${exact} is counted as ${counted}`);
      if (exact > 0.6) {
        near += 1;
        if (exact < 0.65) hardly += 1;
        assert.ok(canBeNear(sketchOf(text), sketchOf(before.join(' ')), 0.6), `${exact}: ${text}`);
      }
      if (time % 20 !== 0) continue;
      const content = before.join(' ');
      await db.transaction().execute((trx) => addPost(trx, { userId, content }, null));
      const found = await nearestSimilarity(db, userId, text, NOW, { least: 0.6 });
      assert.equal(found > 0.6, counted > 0.6, `${counted}, and found ${found}`);
    }
    assert.ok(near > 200 && hardly > 20, `${near} near, ${hardly} of them hardly`);
  });
}

test('a post is known by what it says last: as it was stored, and as it was rewritten', async () => {
  const { userId } = await makeUser(db);
  const least = 0.6;
  const nearest = (content: string) => nearestSimilarity(db, userId, content, NOW, { least });
  const postId = await db.transaction().execute((trx) => addPost(trx, { userId, content: RUSSIAN }, null));
  assert.equal(await nearest(RUSSIAN), 1);
  assert.ok((await nearest(ENGLISH)) < least);
  await db.transaction().execute((trx) => rewritePost(trx, { id: postId!, userId }, { content: ENGLISH }));
  assert.ok((await nearest(RUSSIAN)) < least);
  assert.equal(await nearest(ENGLISH), 1);
  assert.equal(await nearestSimilarity(db, userId, ENGLISH, NOW, { least, butPostId: postId! }), 0);
});

test('sketches are what they were when those of before were stored: another way needs a migration that empties them', () => {
  const sketches = Buffer.concat([RUSSIAN, ENGLISH].map(sketchOf));
  assert.equal(createHash('sha256').update(sketches).digest('hex').slice(0, 16), '5ee82ece26b1408c');
});

test('a text that somebody changes without its sketch is read', async () => {
  const { userId } = await makeUser(db);
  const text = honestTexts('de')[0]!.draft.content;
  const postId = await db.transaction().execute((trx) => addPost(trx, { userId, content: ENGLISH }, null));
  await sql`update posts set content = ${text} where id = ${postId!}`.execute(db);
  assert.equal(await nearestSimilarity(db, userId, text, NOW, { least: 0.6 }), 1);
});

test('all posts of a user are found by an index, and those that are deleted', async () => {
  const { userId } = await makeUser(db);
  await db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    for (const which of ['true', 'deleted_at is not null', `visibility = 'PUBLIC'`]) {
      const { rows } = await sql`explain select id from posts where user_id = ${userId} and ${sql.raw(which)}
        order by created_at desc, id desc limit 100`.execute(trx);
      assert.match(JSON.stringify(rows), /posts_sketch_idx/, which);
    }
  });
});

test('texts are read only of posts that can be near', async () => {
  const { userId } = await makeUser(db);
  const [first, second] = honestTexts('en').map(({ draft }) => draft.content);
  await db.transaction().execute((trx) => addPost(trx, { userId, content: first! }, null));
  assert.ok((await nearestSimilarity(db, userId, second!, NOW)) > 0.05);
  assert.equal(await nearestSimilarity(db, userId, second!, NOW, { least: 0.6 }), 0);
});
