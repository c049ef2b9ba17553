/** Bytes on disk, with indexes, of a post with all of its rows, and of a row of each large table. */
import { sql } from 'kysely';
import type { Db } from '#app/db/client.ts';
import { addPosts, addUsers, vacuumAndCheckpoint } from '#bench/data/users.ts';
import { figure, megabytes, number, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const USERS = 300;
const DAYS = 365;

/** As long as a brief of the sandbox's writer. */
const BRIEF = JSON.stringify({
  topic: 'Weekly planning for small teams',
  reader: 'People who lead a team of five',
  language: 'en',
  author: 'Coach for small teams',
  tone: 'professional',
  hasEmoji: false,
  instruction: null,
  angle: 'A habit that costs an hour and saves a day',
  opening: 'Begin with what somebody did last week',
  ending: 'End with one step that can be done before lunch',
  length: 'medium',
  facts: [],
});
const CLAIMS = JSON.stringify([
  { text: 'A small team can carry three things to the end in a week', fact: 0 },
  { text: 'An inventory of wishes is no plan', fact: 0 },
]);

/** Adds the other rows of each post: its run, brief and attempt, and for a tenth of them a mail and engagement. */
async function addRelatedRows(db: Db): Promise<void> {
  await sql`insert into generation_runs (user_id, scheduled_for, status, requested, done, model, input_tokens, output_tokens,
      created_at, claimed_at, finished_at)
    select user_id, publish_at - interval '3 hours', 'complete', 1, 1, 'gpt-5-mini', 3200, 700, created_at, created_at,
      created_at + interval '40 seconds' from posts`.execute(db);
  await sql`insert into generation_attempts (run_id, position, answers, started_at, ended_at, answered_at)
    select id, 0, 1, created_at, finished_at, finished_at from generation_runs`.execute(db);
  await sql`update posts set run_id = generation_runs.id, run_index = 0
    from generation_runs where generation_runs.user_id = posts.user_id
      and generation_runs.scheduled_for = posts.publish_at - interval '3 hours'`.execute(db);
  await sql`insert into briefs (post_id, user_id, brief, content, thesis, claims, score, reasons, findings, created_at)
    select id, user_id, ${BRIEF}::jsonb, content, 'A weekly plan should fit on a postcard', ${CLAIMS}::jsonb, 74,
      '{"It says what to do before lunch"}', '{}', created_at from posts`.execute(db);
  await sql`insert into publish_attempts (post_id, user_id, attempt, state, author_urn, body, lease_token, started_at,
      finished_at, resolved_at, http_status, network_urn, li_uuid, li_request_id, li_fabric, li_pop)
    select d.post_id, d.user_id, 1, 'published', 'urn:li:person:' || left(d.user_id::text, 10), p.content, 1, d.posted_at,
      d.posted_at, d.posted_at, 201, d.network_urn, 'AAYp' || left(md5(p.id::text), 20), left(md5(p.id::text), 16),
      'prod-lor1', 'afd-prod-lor1-x'
    from post_schedules d join posts p on p.id = d.post_id where d.status = 'published'`.execute(db);
  await sql`insert into engagements (post_id, user_id, likes, comments)
    select id, user_id, 12, 3 from posts where random() < 0.1`.execute(db);
  await sql`insert into mails (user_id, to_address, kind, dedupe_key, created_at, sent_at)
    select posts.user_id, users.email, 'approvalAsked', 'asked:' || posts.id, posts.created_at, posts.created_at
    from posts join users on users.id = posts.user_id where random() < 0.1`.execute(db);
}

async function addVisits(db: Db, count: number): Promise<void> {
  await sql`insert into visits (visited_at, address, is_whole, session_id, is_returning, page, country, city, device,
      browser, system, language, screen_width, screen_height)
    select now() - random() * interval '180 days', '203.0.113.7', true, md5((n / 4)::text), n % 3 = 0, '/app/dashboard',
      'India', 'Mumbai', 'Mobile', 'Chrome', 'Android', 'en-IN', 412, 915 from generate_series(1, ${count}::int) as n`.execute(
    db,
  );
}

type Size = { table: string; rows: string; heap: string; indexes: string };

const sizes = (db: Db) =>
  sql<Size>`select relname as table, n_live_tup as rows, pg_table_size(relid) as heap, pg_indexes_size(relid) as indexes
    from pg_stat_user_tables where schemaname = 'public' and n_live_tup >= ${USERS}
    order by pg_total_relation_size(relid) desc`.execute(db);

await measure(async (stops) => {
  const { db } = await openProduct(stops);
  const users = await addUsers(db, USERS);
  await addPosts(db, users, DAYS);
  await addRelatedRows(db);
  await addVisits(db, USERS * DAYS);
  await sql`vacuum full`.execute(db);
  await vacuumAndCheckpoint(db);
  title(`${number(USERS)} people with a post a day for a year`);
  const { rows } = await sizes(db);
  let bytesOfPosts = 0;
  for (const { table, rows: count, heap, indexes } of rows) {
    const [all, own] = [Number(heap) + Number(indexes), Number(heap)];
    if (!table.startsWith('visits')) bytesOfPosts += all;
    const each = `${number(all / Number(count))} bytes, ${number(own / Number(count))} of them rows`;
    figure(`a row of ${table}`, each, `${number(Number(count))} rows, ${megabytes(all)}`);
  }
  figure('each post with all that', `${number(bytesOfPosts / (USERS * DAYS))} bytes`);
  const { rows: indexes } = await sql<{ name: string; bytes: string }>`
    select indexrelname as name, pg_relation_size(indexrelid) as bytes from pg_stat_user_indexes
    where relname in ('posts', 'post_schedules') order by 2 desc limit 8`.execute(db);
  for (const { name, bytes } of indexes)
    figure(`  ${name}`, `${number(Number(bytes) / (USERS * DAYS))} bytes for each post`);
});
