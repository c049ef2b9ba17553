import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { nearestSimilarity } from '#app/domain/posts/memory/memory.ts';
import { nearestOf } from '#app/domain/posts/memory/similarity.ts';
import { rewritePost } from '#app/domain/posts/rows.ts';
import { addPost } from '#app/domain/publishing/state/post-state.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { SEED } from '#tests/harness/seed.ts';

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

/** The definition of the similarity, written without optimizations. */
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
  test(`the most similar of many posts is found, whatever the lengths: ${script}`, async () => {
    const words = wordsIn(script);
    const { userId } = await makeUser(db);
    const stored: string[] = [];
    let near = 0;
    for (let time = 0; time < 60; time += 1) {
      const content = Array.from({ length: 30 + below(400) }, words.some).join(' ');
      await db.transaction().execute((trx) => addPost(trx, { userId, content }, null));
      stored.push(content);
      const text = nearlyAs(oneOf(stored).split(' '), words);
      const exact = Math.max(...stored.map((post) => exactly(text, post)));
      if (exact > 0.6) near += 1;
      const found = await nearestSimilarity(db, userId, text, NOW);
      assert.ok(Math.abs(found - exact) < 1e-9, `${exact} is counted as ${found}`);
    }
    assert.ok(near > 10 && near < 60, `${near} near`);
  });
}

test('a post is known by what it says last: as it was stored, and as it was rewritten', async () => {
  const { userId } = await makeUser(db);
  const least = 0.6;
  const nearest = (content: string) => nearestSimilarity(db, userId, content, NOW);
  const postId = await db.transaction().execute((trx) => addPost(trx, { userId, content: RUSSIAN }, null));
  assert.equal(await nearest(RUSSIAN), 1);
  assert.ok((await nearest(ENGLISH)) < least);
  await db.transaction().execute((trx) => rewritePost(trx, { id: postId!, userId }, { content: ENGLISH }));
  assert.ok((await nearest(RUSSIAN)) < least);
  assert.equal(await nearest(ENGLISH), 1);
  assert.equal(await nearestSimilarity(db, userId, ENGLISH, NOW, postId!), 0);
});

test('all posts of a user are found by an index, and those that are deleted', async () => {
  const { userId } = await makeUser(db);
  await db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    for (const which of ['true', 'deleted_at is not null']) {
      const { rows } = await sql`explain select id from posts where user_id = ${userId} and ${sql.raw(which)}
        order by created_at desc, id desc limit 100`.execute(trx);
      assert.match(JSON.stringify(rows), /posts_user_id_created_at_idx/, which);
    }
  });
});
