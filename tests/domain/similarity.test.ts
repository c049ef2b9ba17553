import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { nearestSimilarity } from '#app/domain/posts/memory.ts';
import { nearestOf } from '#app/domain/posts/trigrams.ts';
import { testDatabase } from '#tests/database.ts';
import { makeUser } from '#tests/make/accounts.ts';

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
  for (const least of [0, 0.3, 0.6]) {
    assert.equal(nearestOf(ENGLISH, [paraphrase, near, paraphrase], least), nearestOf(ENGLISH, [near]));
    assert.ok(nearestOf(ENGLISH, [paraphrase], least) <= Math.max(0.3, least), `${least}`);
  }
});
