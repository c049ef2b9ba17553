/** The time to compare a text with all posts of its author in 180 days, among 5,000,000 posts of other users. */
import { randomInt } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { nearestSimilarity } from '#app/domain/posts/memory/memory.ts';
import { vacuumAndCheckpoint } from '#bench/data/users.ts';
import { figure, number, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';
import { honestTexts } from '#tests/writing/gates/corpus/corpus.ts';

const POSTS = Number(process.env.BENCH_POSTS || 5_000_000);
const EACH = 500;
/** For each measured author: five posts a day. */
const OWN_POSTS = 900;
const OWN_LENGTH = 1_200;
const MEASURED = 5;
const DAYS = 180;
const TIMES = 100;
const LONGEST_MS = 40 * 60_000;

const WORDS = honestTexts('en').flatMap(({ draft }) => draft.content.split(/\s+/));

/** All texts consist of the same words, so they are as similar as texts of one language can be. */
function ownText(): string {
  let text = '';
  while (text.length < OWN_LENGTH) text += `${WORDS[randomInt(WORDS.length)]} `;
  return text.slice(0, OWN_LENGTH);
}

async function addOwn(db: Db, userIds: string[], createdAt: RawBuilder<Date>, each: number): Promise<void> {
  const posts = userIds.flatMap((userId) =>
    Array.from({ length: each }, () => {
      const content = ownText();
      const deletedAt = randomInt(10) === 0 ? new Date() : null;
      return { userId, content, createdAt, deletedAt };
    }),
  );
  if (posts.length > 0) await db.insertInto('posts').values(posts).execute();
}

/** Adds posts in the order of time, so that those of one author are far apart in the table. */
async function addPosts(db: Db): Promise<string[]> {
  await sql`insert into users (email, name) select 'u' || n || '@bench.example', 'Ada Marlow'
    from generate_series(1, ${Math.ceil(POSTS / EACH)}::int) as n`.execute(db);
  const { rows } = await sql<{ id: string }>`
    insert into users (email, name) select 'own' || n || '@bench.example', 'Ada Marlow'
    from generate_series(1, ${MEASURED}::int) as n returning id`.execute(db);
  const own = rows.map(({ id }) => id);
  const others = sql`(select id from users where email like 'u%') as author`;
  for (let nth = 0; nth < EACH; nth += 1) {
    const createdAt = sql<Date>`now() - ${(DAYS * (EACH - nth)) / EACH} * interval '1 day'`;
    await sql`insert into posts (user_id, content, created_at)
      select id, repeat(md5(id::text || ${nth}::text), 7), ${createdAt} from ${others}`.execute(db);
    await addOwn(
      db,
      own,
      createdAt,
      Math.floor(((nth + 1) * OWN_POSTS) / EACH) - Math.floor((nth * OWN_POSTS) / EACH),
    );
  }
  return own;
}

await measure(async (stops) => {
  const { db } = await openProduct(stops);
  const from = performance.now();
  const own = await addPosts(db);
  await vacuumAndCheckpoint(db);
  const createSeconds = (performance.now() - from) / 1000;
  title(
    `${number(OWN_POSTS)} posts of one author among ${number(POSTS)} (made in ${number(createSeconds)} s)`,
  );
  const texts = Array.from({ length: 20 }, ownText);
  const first: number[] = [];
  const later: number[] = [];
  for (let nth = 0; nth < TIMES; nth += 1) {
    const startedAt = performance.now();
    const text = texts[nth % texts.length]!;
    await nearestSimilarity(db, own[nth % own.length]!, text, new Date());
    (nth < own.length ? first : later).push(performance.now() - startedAt);
  }
  figure('the first time for an author', spread(first));
  figure('again', spread(later), 'beside seconds in which the writer is asked');
}, LONGEST_MS);
