/** How near a new text is to every post of its author's last 180 days, among 5,000,000 posts of others. */
import { randomInt } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { nearestSimilarity } from '#app/domain/posts/memory/memory.ts';
import { settle } from '#bench/data/people.ts';
import { figure, number, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';
import { honestTexts } from '#tests/corpus/corpus.ts';

const POSTS = Number(process.env.BENCH_POSTS || 5_000_000);
const EACH = 500;
/** Of the measured authors: five posts a day. */
const OWN = 900;
const OWN_LENGTH = 1_200;
const MEASURED = 5;
const DAYS = 180;
const TIMES = 100;
const LONGEST_MS = 40 * 60_000;

const WORDS = honestTexts('en').flatMap(({ draft }) => draft.content.split(/\s+/));

/** As like one another as texts of one language can be: all have the same words. */
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

/** Posts in the order in which they came about, so that those of one author lie far apart. */
async function addPosts(db: Db): Promise<string[]> {
  await sql`insert into users (email, name) select 'u' || n || '@bench.example', 'Ada Marlow'
    from generate_series(1, ${Math.ceil(POSTS / EACH)}::int) as n`.execute(db);
  const { rows } = await sql<{ id: string }>`
    insert into users (email, name) select 'own' || n || '@bench.example', 'Ada Marlow'
    from generate_series(1, ${MEASURED}::int) as n returning id`.execute(db);
  const own = rows.map(({ id }) => id);
  const others = sql`(select id from users where email like 'u%') as author`;
  for (let at = 0; at < EACH; at += 1) {
    const createdAt = sql<Date>`now() - ${(DAYS * (EACH - at)) / EACH} * interval '1 day'`;
    await sql`insert into posts (user_id, content, created_at)
      select id, repeat(md5(id::text || ${at}::text), 7), ${createdAt} from ${others}`.execute(db);
    await addOwn(db, own, createdAt, Math.floor(((at + 1) * OWN) / EACH) - Math.floor((at * OWN) / EACH));
  }
  return own;
}

await measure(async (stops) => {
  const { db } = await openProduct(stops);
  const from = performance.now();
  const own = await addPosts(db);
  await settle(db);
  const made = (performance.now() - from) / 1000;
  title(`${number(OWN)} posts of one author among ${number(POSTS)} (made in ${number(made)} s)`);
  const texts = Array.from({ length: 20 }, ownText);
  const first: number[] = [];
  const again: number[] = [];
  for (let at = 0; at < TIMES; at += 1) {
    const since = performance.now();
    const text = texts[at % texts.length]!;
    await nearestSimilarity(db, own[at % own.length]!, text, new Date());
    (at < own.length ? first : again).push(performance.now() - since);
  }
  figure('the first time for an author', spread(first));
  figure('again', spread(again), 'beside seconds in which the writer is asked');
}, LONGEST_MS);
