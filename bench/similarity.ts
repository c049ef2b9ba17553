/** How near a new text is to every post of its author's last 180 days, among 5,000,000 posts of others. */
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { nearestSimilarity } from '#app/domain/posts/memory.ts';
import { figure, number, spread, title } from './figures.ts';
import { settle } from './people.ts';
import { measure, openProduct } from './product.ts';

const POSTS = Number(process.env.BENCH_POSTS || 5_000_000);
const EACH = 500;
/** Of the measured authors: five posts a day. */
const OWN = 900;
const OWN_LENGTH = 1_200;
const MEASURED = 5;
const DAYS = 180;
const TIMES = 40;
const LONGEST_MS = 40 * 60_000;

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
    const createdAt = sql`now() - ${(DAYS * (EACH - at)) / EACH} * interval '1 day'`;
    await sql`insert into posts (user_id, content, created_at)
      select id, repeat(md5(id::text || ${at}::text), 7), ${createdAt} from ${others}`.execute(db);
    const many = Math.floor(((at + 1) * OWN) / EACH) - Math.floor((at * OWN) / EACH);
    await sql`insert into posts (user_id, content, created_at, deleted_at)
      select id, left((select string_agg(substr(md5(id::text || ${at}::text || n::text || w::text), 1, 2 + w % 7), ' ')
          from generate_series(1, 260) as w), ${OWN_LENGTH}::int),
        ${createdAt}, case when n + ${at} % 10 = 1 then now() end
      from unnest(${own}::uuid[]) as id, generate_series(1, ${many}::int) as n`.execute(db);
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
  const text = 'Write the list where all of them can see it, and cross out what is done. '.repeat(16);
  const first: number[] = [];
  const again: number[] = [];
  for (let at = 0; at < TIMES; at += 1) {
    const since = performance.now();
    await nearestSimilarity(db, own[at % own.length]!, text, new Date(), { least: 0.6 });
    (at < own.length ? first : again).push(performance.now() - since);
  }
  figure('the first time for an author', spread(first));
  figure('again', spread(again), 'goal under 20 ms');
}, LONGEST_MS);
