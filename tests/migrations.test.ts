import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type pg from 'pg';
import type { Db } from '#app/db/client.ts';
import { migrateToLatest, pendingMigrations, statementsOf } from '#app/db/migrate.ts';
import { FAILURES } from '#app/domain/posts/failures.ts';
import { ROOT, textOf } from '#tests/architecture-imports.ts';
import { testDatabase } from '#tests/database.ts';
import { checkEarnings, checkPlans } from '#tests/make/kept-payments.ts';
import { until } from '#tests/worker/until.ts';

const FILES = readdirSync(path.join(ROOT, 'migrations')).sort();

/** A database as it was before one of the files of migrations/. */
async function databaseBefore(file: string): Promise<pg.Pool> {
  const { pool } = await testDatabase();
  await pool.query('drop schema public cascade; create schema public');
  for (const earlier of FILES.filter((name) => name < file))
    for (const statement of statementsOf(textOf(`migrations/${earlier}`))) await pool.query(statement);
  return pool;
}

test('posts of before keep where they stand, and their place in the queue', async () => {
  const file = '0019-deliveries-stand.sql';
  const pool = await databaseBefore(file);
  await pool.query(`
    with person as (insert into users (email, name) values ('ada@example.com', 'Ada') returning id),
    made as (
      insert into posts (user_id, content, status, failure, reason, is_unconfirmed, is_mended, posted_at, network_urn,
        deleted_at)
      select person.id, rows.* from person, (values
        ('waits', 'generated', null, null, false, false, null::timestamptz, null, null::timestamptz),
        ('held', 'pending', null, null, false, false, null, null, null),
        ('no slot', 'generated', null, null, false, false, null, null, null),
        ('out', 'published', null, null, false, false, '2026-11-20 10:00Z', 'urn:li:share:1', null),
        ('out and deleted', 'published', null, null, false, false, '2026-11-19 10:00Z', 'urn:li:share:1', now()),
        ('refused', 'failed', 'duplicate', 'Twice', false, true, null, null, null),
        ('open', 'failed', 'unconfirmed', 'Who knows', true, false, null, null, null)) as rows
      returning id, user_id, content)
    insert into deliveries (post_id, user_id, due_at, is_by_hand, held_at, lease_token, lease_until)
    select id, user_id, '2027-01-01 09:00Z', content = 'waits', case when content = 'held' then now() end,
      case when content = 'waits' then 7 end, case when content = 'waits' then now() end
    from made where content in ('waits', 'held')`);
  const columns = `status, failure, reason, is_unconfirmed, is_mended, posted_at, network_urn, deleted_at`;
  const before = await pool.query(`select content, ${columns} from posts order by content`);
  const queued = await pool.query('select * from deliveries order by post_id');

  await pool.query(textOf(`migrations/${file}`));
  const after = await pool.query(`select content, ${columns.replace('deleted_at', 'd.deleted_at')}
    from posts p join deliveries d on d.post_id = p.id and d.user_id = p.user_id order by content`);
  assert.deepEqual(after.rows, before.rows);
  assert.equal(after.rows.length, 7);
  const { rows: waiting } = await pool.query(
    `select ${queued.fields.map(({ name }) => name)} from deliveries where due_at is not null order by post_id`,
  );
  assert.deepEqual(waiting, queued.rows);
  const again = `update deliveries set network_urn = 'urn:li:share:1' where status = 'failed'`;
  await assert.rejects(pool.query(again), /deliveries_network_urn_key/);
});

test('what was set aside before says no word of a button that it does not have', async () => {
  const file = '0021-consent-and-words.sql';
  const pool = await databaseBefore(file);
  await pool.query(`
    with person as (insert into users (email, name) values ('ada@example.com', 'Ada') returning id),
    made as (insert into posts (user_id, content) select person.id, rows.* from person,
      (values ('not_wanted'), ('not_approved'), ('refused')) as rows returning id, user_id, content)
    insert into deliveries (post_id, user_id, status, failure, reason)
    select id, user_id, 'failed', content, 'It was so. Retry publishes it now' from made`);
  await pool.query(textOf(`migrations/${file}`));
  const { rows } = await pool.query('select failure, reason from deliveries order by failure');
  const notWanted = 'You set this post aside, because its time passed before LinkedIn was connected again';
  assert.deepEqual(rows, [
    { failure: 'not_approved', reason: FAILURES.not_approved.reason },
    { failure: 'not_wanted', reason: notWanted },
    { failure: 'refused', reason: 'It was so. Retry publishes it now' },
  ]);
  await pool.query(textOf('migrations/0022-connected-words.sql'));
  const after = await pool.query('select failure, reason from deliveries order by failure');
  assert.deepEqual(after.rows, [
    rows[0],
    { failure: 'not_wanted', reason: FAILURES.not_wanted.reason },
    rows[2],
  ]);
});

test('who was mailed about a post that waits is not mailed again for the same time', async () => {
  const file = '0032-asked-times.sql';
  const pool = await databaseBefore(file);
  await pool.query(`
    with person as (insert into users (email, name) values ('ada@example.com', 'Ada') returning id),
    made as (insert into posts (user_id, content) select person.id, rows.* from person,
      (values ('asked'), ('unasked')) as rows returning id, user_id, content)
    insert into deliveries (post_id, user_id, status, due_at, asked_at)
    select id, user_id, 'pending', '2027-01-01 09:00Z', case when content = 'asked' then now() end from made`);
  await pool.query(textOf(`migrations/${file}`));
  const { rows } = await pool.query(`select content, asked_due_at = due_at as "isAsked"
    from deliveries join posts on posts.id = post_id order by content`);
  assert.deepEqual(rows, [
    { content: 'asked', isAsked: true },
    { content: 'unasked', isAsked: null },
  ]);
});

test('payments of before have a request, its reference once, and what was really paid', async () => {
  const file = '0072-payment-requests.sql';
  const pool = await databaseBefore(file);
  await pool.query(`
    insert into users (id, email, name) values ('00000000-0000-4000-8000-00000000000a', 'ada@example.com', 'Ada'),
      ('00000000-0000-4000-8000-00000000000b', 'bob@example.com', 'Bob');
    insert into payments (user_id, reference, status, method, posts_per_day, currency_code, amount_minor, full_price_minor,
      transaction_id, upgrade_type, created_at, verified_at, rejected_at, starts_at, ends_at)
    select ('00000000-0000-4000-8000-00000000000' || who)::uuid, reference, status, 'paypal', posts, 'USD', amount, price,
      transaction, kind, at, case when begin is not null then at end, case when status = 'rejected' then at end, begin, ends
    from (values
      ('a', 'TP-AAAAAA', 'expired', 2, 950, 1900, 'FIRST1', null, '2026-09-01 10:00Z'::timestamptz,
        '2026-09-01 10:00Z'::timestamptz, '2026-09-11 10:00Z'::timestamptz),
      ('a', 'TP-BBBBBB', 'active', 3, 3267, 3900, 'SECOND', 'immediate', '2026-09-11 10:00Z', '2026-09-11 10:00Z',
        '2026-10-11 10:00Z'),
      ('a', 'TP-CCCCCC', 'rejected', 4, 4300, 6900, 'THIRD1', 'immediate', '2026-09-20 10:00Z', null, null),
      ('a', 'TP-AAAAAA', 'pending', 4, 4300, 6900, 'FOURTH', 'immediate', '2026-09-21 10:00Z', null, null),
      ('b', 'TP-DDDDDD', 'rejected', 1, 300, 600, 'FIFTH1', null, '2026-09-20 10:00Z', null, null),
      ('b', 'TP-EEEEEE', 'rejected', 1, 300, 600, 'SIXTH1', null, '2026-09-21 10:00Z', null, null)
    ) as rows (who, reference, status, posts, amount, price, transaction, kind, at, begin, ends)`);
  await pool.query(textOf(`migrations/${file}`));
  const { rows } = await pool.query(`
    select p.transaction_id as id, p.reference = r.reference as same, p.reference, r.status, p.worth_minor as worth,
      promo_percent as promo, credit_minor as credit, credited.transaction_id as of, credited_ms::float8 / 3600000 as hours,
      p.interruptions::text as gaps
    from payments p join payment_requests r on r.id = p.request_id
    left join payments credited on credited.id = r.credit_payment_id order by p.created_at, p.transaction_id`);
  const stand = Object.fromEntries(
    rows.map(({ id, status, worth, promo, credit, of, hours }) => [
      id,
      [status, worth, promo, credit, of, hours],
    ]),
  );
  assert.deepEqual(stand, {
    FIRST1: ['taken', 950, 50, 0, null, null],
    SECOND: ['taken', 3900, 0, 633, null, null],
    THIRD1: ['closed', null, 0, 2600, 'SECOND', 21 * 24],
    FOURTH: ['taken', null, 0, 2600, 'SECOND', 20 * 24],
    FIFTH1: ['closed', null, 50, 0, null, null],
    SIXTH1: ['open', null, 50, 0, null, null],
  });
  assert.ok(rows.every(({ same, gaps }) => same && gaps === '{}'));
  const references = rows.map(({ reference }) => reference);
  assert.equal(new Set(references).size, 6);
  assert.equal(references[0], 'TP-AAAAAA');
  assert.match(references.join(' '), /^(TP-[2-9A-Z]{6} ?){6}$/);
});

test('who was mailed that a plan ends is not mailed again for the same day', async () => {
  const file = '0135-plans-announced-by-day.sql';
  const pool = await databaseBefore(file);
  await pool.query(`
    with person as (insert into users (email, name) values ('ada@example.com', 'Ada') returning id),
    plan as (insert into payments (user_id, reference, status, method, posts_per_day, currency_code, amount_minor,
        full_price_minor, transaction_id, starts_at, ends_at)
      select id, 'TP-AAAAAA', 'active', 'paypal', 1, 'USD', 600, 600, 'FIRST1', '2026-09-01 23:30Z', '2026-10-01 23:30Z'
      from person returning id)
    insert into mails (to_address, kind, dedupe_key)
    select 'ada@example.com', kind, kind || ':' || id from plan, (values ('plan-ending'), ('plan-ended')) as rows (kind)`);
  await pool.query(textOf(`migrations/${file}`));
  const { rows } = await pool.query(`select kind, replace(dedupe_key, payments.id::text, '#') as key
    from mails, payments order by kind desc`);
  assert.deepEqual(rows, [
    { kind: 'plan-ending', key: 'plan-ending:#:2026-10-01' },
    { kind: 'plan-ended', key: 'plan-ended:#' },
  ]);
});

test('sums of payments, and who has a plan, are those of the payments of before', async () => {
  const { db, pool } = await testDatabase();
  await pool.query('drop schema public cascade; create schema public');
  const run = async (files: string[]) => {
    for (const file of files)
      for (const statement of statementsOf(textOf(`migrations/${file}`))) await pool.query(statement);
  };
  const [before, from] = [FILES.filter((name) => name < '0142'), FILES.filter((name) => name >= '0142')];
  await run(before);
  await pool.query(`
    with people as (insert into users (email, name)
      select n || '@example.com', 'Ada' from generate_series(1, 4) as n returning id, email),
    asked as (insert into payment_requests (user_id, reference, status, posts_per_day, currency_code, full_price_minor,
        amount_minor, credit_minor, good_until)
      select id, 'TP-' || left(email, 1), 'taken', 2, 'USD', 1900, 1400, 500, now() from people
      returning id, user_id, reference)
    insert into payments (user_id, reference, request_id, status, method, posts_per_day, currency_code, amount_minor,
      full_price_minor, transaction_id, by_share, verified_at, starts_at, ends_at)
    select user_id, reference, id, case when right(reference, 1) in ('1', '2') then 'active' else 'expired' end, 'paypal', 2,
      'USD', 1400, 1900, 'BEFORE' || right(reference, 1), reference = 'TP-2', at, at, at + interval '1 month'
    from asked, lateral (select '2026-09-30 23:50Z'::timestamptz + right(reference, 1)::int * interval '4 minutes' as at) as paid`);
  await run(from);
  // One that runs by itself may have ended behind any of its statements before it runs as a whole.
  const alone = statementsOf(textOf('migrations/0143-plans-that-do-not-run.sql'));
  assert.ok(alone.length > 8);
  for (const [nth] of alone.entries())
    for (const statement of [...alone.slice(0, nth + 1), ...alone]) await pool.query(statement);
  assert.equal(await checkEarnings(db), 4);
  for (const day of ['2026-10-10', '2026-11-10']) await checkPlans(db, new Date(day));
  const { rows } = await pool.query('select has_plan as has from users order by email');
  assert.deepEqual(
    rows.map(({ has }) => has),
    [true, true, false, false],
  );
});

test('visits of before are those of the first month, with their numbers, and the next one gets the next', async () => {
  const pool = await databaseBefore('0156-visits-in-order.sql');
  const visit = (
    at: string,
  ) => `insert into visits (visited_at, is_whole, session_id, is_returning, page, country, city, device,
      browser, system, language)
    select ${at}, false, 'n1', false, '/', '', '', '', '', '', '' from generate_series(1, 200) as n returning id`;
  const { rows: before } = await pool.query(visit("now() - n * interval '1 day'"));
  const alone = statementsOf(textOf('migrations/0156-visits-in-order.sql'));
  for (const statement of [...alone, ...alone]) await pool.query(statement);
  await pool.query(textOf('migrations/0157-visits-by-month.sql'));
  const { rows: after } = await pool.query(
    'select id, tableoid::regclass::text as table from visits order by id',
  );
  assert.deepEqual(
    after.map(({ id }) => id),
    before.map(({ id }) => id),
  );
  const { rows: tables } = await pool.query(
    `select relid::text as name from pg_partition_tree('visits') where isleaf order by relid::text`,
  );
  const [first, ...others] = tables.map(({ name }) => name);
  assert.ok(after.every(({ table }) => table === first));
  assert.match([first, ...others].join(' '), /^(visits_\d{4}_\d\d ){3}visits_other$/);
  const { rows: next } = await pool.query(visit("now() + interval '1 month'"));
  assert.equal(Number(next[0].id), Math.max(...before.map(({ id }) => Number(id))) + 1);
});

test('visits by a clock that was ahead, or that came in the next month before the table was locked, stop no migration', async () => {
  const file = '0157-visits-by-month.sql';
  const pool = await databaseBefore(file);
  await pool.query(`insert into visits (visited_at, is_whole, session_id, is_returning, page, country, city, device,
      browser, system, language)
    select now() + ahead::interval, false, ahead, false, '/', '', '', '', '', '', ''
    from unnest(array['0', '1 month', '1 year']) as ahead`);
  await pool.query(textOf(`migrations/${file}`));
  const { rows } = await pool.query(`select session_id as ahead, tableoid::regclass::text as table,
    'visits_' || to_char(visited_at at time zone 'UTC', 'YYYY_MM') as month from visits order by id`);
  const [now, next, later] = rows;
  assert.deepEqual(now, { ahead: '0', table: now.month, month: now.month });
  assert.deepEqual(next, { ahead: '1 month', table: next.month, month: next.month });
  assert.deepEqual(later, { ahead: '1 year', table: 'visits_other', month: later.month });
});

test('what runs beside writers waits for a long dump to end, and what follows does not', () => {
  const alone = FILES.map((file) => statementsOf(textOf(`migrations/${file}`))).filter(
    ({ length }) => length > 1,
  );
  assert.ok(alone.length > 5);
  for (const statements of alone) {
    assert.match(statements[0]!, /set lock_timeout = '15min'/);
    assert.match(statements.at(-1)!, /reset lock_timeout/);
  }
});

const BESIDE_WRITERS = '0089-mails-by-address';

/** A database in which the index of mails by address is still to be built. */
async function databaseWithoutIndex() {
  const database = await testDatabase();
  await database.pool.query('drop schema public cascade; create schema public');
  const earlier = FILES.map((file) => file.replace('.sql', '')).filter((name) => name < BESIDE_WRITERS);
  const up = (name: string) => async (db: Db) => {
    for (const statement of statementsOf(textOf(`migrations/${name}.sql`)))
      await sql.raw(statement).execute(db);
  };
  const getMigrations = async () => Object.fromEntries(earlier.map((name) => [name, { up: up(name) }]));
  const { error } = await new Migrator({ db: database.db, provider: { getMigrations } }).migrateToLatest();
  assert.equal(error, undefined);
  return database;
}

const ADD_MAIL = `insert into mails (to_address, kind) values ('ada@people.example', 'accountKept')`;

async function isIndexGood(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `select indisvalid from pg_index where indexrelid = to_regclass('mails_to_address_idx')`,
  );
  return rows[0]?.indisvalid === true;
}

test('an index is built while mails are written, whoever is in the middle of one', async () => {
  const { db, pool } = await databaseWithoutIndex();
  const writer = await pool.connect();
  await writer.query(`begin; ${ADD_MAIL}`);
  const migrating = migrateToLatest(db);
  await until('the index waits for the writer', async () => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where query like '%create index%' and wait_event_type = 'Lock'
        and datname = current_database() and pid <> pg_backend_pid()`,
    );
    return rows.length > 0;
  });
  const other = await pool.connect();
  await other.query(`set lock_timeout = '3s'`);
  await other.query(ADD_MAIL).finally(() => writer.query('commit'));
  for (const client of [writer, other]) client.release();
  const files = FILES.map((file) => file.replace('.sql', '')).filter((name) => name >= BESIDE_WRITERS);
  assert.deepEqual(await migrating, files);
  assert.ok(await isIndexGood(pool));
  assert.deepEqual(await pendingMigrations(db), []);
});

test('one that was left half built is built anew, and two processes that do so at once both end well', async () => {
  const { db, pool } = await databaseWithoutIndex();
  const [writer, builder] = [await pool.connect(), await pool.connect()];
  await writer.query(`begin; ${ADD_MAIL}`);
  await builder.query(`set lock_timeout = '50ms'`);
  const half = builder.query('create index concurrently mails_to_address_idx on mails (to_address)');
  await assert.rejects(half, /lock timeout/);
  await writer.query('commit');
  for (const client of [writer, builder]) client.release(true);
  assert.equal(await isIndexGood(pool), false);
  const applied = await Promise.all([migrateToLatest(db), migrateToLatest(db)]);
  assert.ok(applied.flat().includes(BESIDE_WRITERS));
  assert.equal(applied.filter((names) => names.length === 0).length, 1);
  assert.ok(await isIndexGood(pool));
});
