/**
 * The cost of reading and writing posts in one table, in partitions by month, and in partitions by user: with the same rows
 * and queries on one connection. Partitions by month cannot have a unique index over all posts that keeps a slot from
 * being used twice, so that layout has a table of slots.
 */
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { createDatabase } from '#app/db/client.ts';
import { figure, megabytes, ms, percentile, title } from '#bench/measure/figures.ts';
import { measure, startDatabase } from '#bench/measure/product.ts';

const USERS = Number(process.env.BENCH_PEOPLE || 2_000);
const MONTHS = 24;
const DAYS = 730;
const USER_PARTITIONS = 24;
const TIMES = 2_000;
const CHARACTERS = 1_280;

const COLUMNS = `id uuid not null default gen_random_uuid(), user_id uuid not null, content text not null, hashtags text[] not null,
  slot_date date, slot_number integer, created_at timestamptz(3) not null, deleted_at timestamptz(3)`;
const LIST = 'create index on NAME (user_id, created_at desc, id desc) where deleted_at is null';
const SLOT = 'create unique index on NAME (user_id, slot_date, slot_number) where deleted_at is null';

type Layout = { name: string; about: string; make: string[]; slots?: string };
const LAYOUTS: Layout[] = [
  {
    name: 'whole',
    about: 'one table',
    make: [`create table NAME (${COLUMNS}, primary key (id))`, LIST, SLOT],
  },
  {
    name: 'by_month',
    about: `${MONTHS} tables by month`,
    slots: 'taken_slots',
    make: [
      `create table NAME (${COLUMNS}, primary key (id, created_at)) partition by range (created_at)`,
      ...Array.from(
        { length: MONTHS + 2 },
        (
          _,
          back,
        ) => `do $$ declare month timestamptz := date_trunc('month', now()) - interval '${back - 1} months'; begin
          execute format('create table NAME_${back} partition of NAME for values from (%L) to (%L)', month,
            month + interval '1 month'); end $$`,
      ),
      LIST,
      `create index on NAME (user_id, slot_date) where deleted_at is null`,
      `create table taken_slots (user_id uuid, slot_date date, slot_number integer,
        primary key (user_id, slot_date, slot_number))`,
    ],
  },
  {
    name: 'by_user',
    about: `${USER_PARTITIONS} tables by user`,
    make: [
      `create table NAME (${COLUMNS}, primary key (user_id, id)) partition by hash (user_id)`,
      ...Array.from(
        { length: USER_PARTITIONS },
        (_, at) =>
          `create table NAME_${at} partition of NAME for values with (modulus ${USER_PARTITIONS}, remainder ${at})`,
      ),
      LIST,
      SLOT,
    ],
  },
];

const queriesOf = (
  name: string,
): Record<string, [text: string, valuesOf: (one: KnownPost) => unknown[]]> => ({
  'the newest 50': [
    `select id, content from ${name} where user_id = $1 and deleted_at is null order by created_at desc, id desc limit 50`,
    ({ userId }) => [userId],
  ],
  'a month by its slots': [
    `select id, left(content, 160) from ${name} where user_id = $1 and deleted_at is null
      and slot_date between $2::date and $2::date + 30`,
    ({ userId, day }) => [userId, day],
  ],
  'one by its id': [
    `select id, content from ${name} where id = $1 and user_id = $2`,
    ({ userId, id }) => [id, userId],
  ],
  'one is edited': [
    `update ${name} set content = content where id = $1 and user_id = $2`,
    ({ userId, id }) => [id, userId],
  ],
});

type KnownPost = { userId: string; id: string; day: string };

async function fill(pool: pg.Pool, name: string): Promise<void> {
  await pool.query(
    `insert into ${name} (id, user_id, content, hashtags, slot_date, slot_number, created_at)
      select id, user_id, content, hashtags, slot_date, slot_number, created_at from made`,
  );
  await pool.query(`vacuum (analyze) ${name}`);
}

async function timesOf(connection: pg.PoolClient, name: string, text: string, values: unknown[][]) {
  const times: number[] = [];
  for (const each of values) {
    const startedAt = performance.now();
    await connection.query({ name, text, values: each });
    times.push(performance.now() - startedAt);
  }
  // Postgres plans the first executions of a prepared statement individually.
  return times.slice(times.length / 10);
}

const formatTimes = (times: number[]) =>
  `p50 ${percentile(times, 0.5).toFixed(3)} ms, p99 ${percentile(times, 0.99).toFixed(3)} ms`;

async function measureQueries(connection: pg.PoolClient, { name, slots }: Layout, known: KnownPost[]) {
  const pickPost = () => known[randomInt(known.length)]!;
  for (const [about, [text, valuesOf]] of Object.entries(queriesOf(name))) {
    const values = Array.from({ length: TIMES }, () => valuesOf(pickPost()));
    figure(`  ${about}`, formatTimes(await timesOf(connection, `${name} ${about}`, text, values)));
  }
  const taken = slots ? `with taken as (insert into ${slots} values ($1, $3, 1)) ` : '';
  const insert = `${taken}insert into ${name} (user_id, content, hashtags, slot_date, slot_number, created_at)
    values ($1, $2, '{}', $3, 1, now())`;
  const rows = Array.from({ length: TIMES }, (_, at) => [
    pickPost().userId,
    'x'.repeat(CHARACTERS),
    new Date(Date.UTC(2100, 0, 1 + at)),
  ]);
  figure('  one is written', formatTimes(await timesOf(connection, `${name} insert`, insert, rows)));
}

async function measureVacuum(pool: pg.Pool, name: string): Promise<void> {
  await pool.query(`update ${name} set deleted_at = null where created_at > now() - interval '20 days'`);
  const startedAt = performance.now();
  await pool.query(`vacuum ${name}`);
  figure('  a vacuum after 20 days of edits', ms(performance.now() - startedAt));
  const { rows } = await pool.query<{ heap: string; indexes: string }>(
    `select sum(pg_table_size(relid)) as heap, sum(pg_indexes_size(relid)) as indexes
      from (select relid from pg_partition_tree($1) union select $1::regclass) as part`,
    [name],
  );
  figure('  rows, indexes', `${megabytes(Number(rows[0]!.heap))}, ${megabytes(Number(rows[0]!.indexes))}`);
}

await measure(async (stops) => {
  const { ownerUrl } = await startDatabase(stops);
  const { db, pool } = createDatabase(ownerUrl, 2);
  stops.push(() => db.destroy());
  await sql`create table made as
    select gen_random_uuid() as id, person.id as user_id, repeat(md5(person.id::text || n), ${CHARACTERS / 32}::int) as content,
      '{Planning,Focus}'::text[] as hashtags, (now() - n * interval '1 day')::date as slot_date, 1 as slot_number,
      (now() - n * interval '1 day')::timestamptz(3) as created_at
    from (select gen_random_uuid() as id from generate_series(1, ${USERS}::int)) as person,
      generate_series(0, ${DAYS - 1}::int) as n order by n desc`.execute(db);
  const { rows: known } = await pool.query<KnownPost>(
    `select user_id as "userId", id, slot_date::text as day from made tablesample bernoulli (1) limit 5000`,
  );
  for (const layout of LAYOUTS) {
    title(`Posts in ${layout.about}: ${USERS} people, one a day for ${DAYS} days`);
    for (const statement of layout.make) await pool.query(statement.replaceAll('NAME', layout.name));
    await fill(pool, layout.name);
    const connection = await pool.connect();
    await measureQueries(connection, layout, known);
    connection.release();
    await measureVacuum(pool, layout.name);
  }
}, 15 * 60_000);
