import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type pg from 'pg';
import { migrateToLatest, pendingMigrations, statementsOf } from '#app/db/migrate.ts';
import { ROOT } from '#scripts/run.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { until } from '#tests/harness/worker/until.ts';
import { textOf } from '#tests/project/architecture-imports.ts';

const TABLE = '0001-notes';
const INDEX = '0002-notes-by-text';
const MORE = '0003-more';
/** Migrations that create a table, build an index while others write, and create another table. */
const SAMPLE: Record<string, string> = {
  [TABLE]: `
    create table notes (text text not null);
    insert into notes values ('the first');`,
  [INDEX]: `-- outside a transaction
set lock_timeout = '15min';
drop index concurrently if exists notes_text_idx;
create index concurrently notes_text_idx on notes (text);
reset lock_timeout;
`,
  [MORE]: 'create table more (id bigint);',
};
const NAMES = Object.keys(SAMPLE);

/** Creates a folder with these migrations. */
function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-migrations-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, `${name}.sql`), text);
  return folder;
}
const ALL = folderOf(SAMPLE);

async function emptyDatabase() {
  const database = await testDatabase();
  await database.pool.query('drop schema public cascade; create schema public');
  return database;
}

/** A database that has the table, but not yet the index. */
async function databaseWithoutIndex() {
  const database = await emptyDatabase();
  assert.deepEqual(await migrateToLatest(database.db, folderOf({ [TABLE]: SAMPLE[TABLE]! })), [TABLE]);
  return database;
}

const ADD_NOTE = `insert into notes values ('another')`;

async function isIndexGood(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `select indisvalid from pg_index where indexrelid = to_regclass('notes_text_idx')`,
  );
  return rows[0]?.indisvalid === true;
}

test('each migration runs once, in the order of the file names', async () => {
  const { db, pool } = await emptyDatabase();
  assert.deepEqual(await pendingMigrations(db, ALL), NAMES);
  assert.deepEqual(await migrateToLatest(db, ALL), NAMES);
  assert.deepEqual(await migrateToLatest(db, ALL), []);
  assert.deepEqual(await pendingMigrations(db, ALL), []);
  const { rows } = await pool.query('select text from notes');
  assert.deepEqual(rows, [{ text: 'the first' }]);
});

test('a failing migration rolls back all the files of its transaction', async () => {
  const { db, pool } = await emptyDatabase();
  const broken = folderOf({
    ...SAMPLE,
    '0004-broken': 'create table broken (id bigint); select no_such_thing();',
  });
  await assert.rejects(migrateToLatest(db, broken), /no_such_thing/);
  assert.deepEqual(await pendingMigrations(db, broken), [MORE, '0004-broken']);
  const { rows } = await pool.query(`select to_regclass('more') as more, to_regclass('broken') as broken`);
  assert.deepEqual(rows, [{ more: null, broken: null }]);
  assert.deepEqual(await migrateToLatest(db, ALL), [MORE]);
});

test('what runs beside writers waits for a long dump to end, and what follows does not', () => {
  const files = readdirSync(path.join(ROOT, 'migrations')).map((file) => textOf(`migrations/${file}`));
  const alone = [...Object.values(SAMPLE), ...files].map(statementsOf).filter(({ length }) => length > 1);
  assert.ok(alone.length > 0);
  for (const statements of alone) {
    assert.match(statements[0]!, /set lock_timeout = '15min'/);
    assert.match(statements.at(-1)!, /reset lock_timeout/);
  }
});

test('an index is built while other transactions write rows', async () => {
  const { db, pool } = await databaseWithoutIndex();
  const writer = await pool.connect();
  await writer.query(`begin; ${ADD_NOTE}`);
  const migrating = migrateToLatest(db, ALL);
  await until('the index waits for the writer', async () => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where query like '%create index%' and wait_event_type = 'Lock'
        and datname = current_database() and pid <> pg_backend_pid()`,
    );
    return rows.length > 0;
  });
  const other = await pool.connect();
  await other.query(`set lock_timeout = '3s'`);
  await other.query(ADD_NOTE).finally(() => writer.query('commit'));
  for (const client of [writer, other]) client.release();
  assert.deepEqual(await migrating, [INDEX, MORE]);
  assert.ok(await isIndexGood(pool));
  assert.deepEqual(await pendingMigrations(db, ALL), []);
});

test('one that was left half built is built anew, and two processes that do so at once both end well', async () => {
  const { db, pool } = await databaseWithoutIndex();
  const [writer, builder] = [await pool.connect(), await pool.connect()];
  await writer.query(`begin; ${ADD_NOTE}`);
  await builder.query(`set lock_timeout = '50ms'`);
  const half = builder.query('create index concurrently notes_text_idx on notes (text)');
  await assert.rejects(half, /lock timeout/);
  await writer.query('commit');
  for (const client of [writer, builder]) client.release(true);
  assert.equal(await isIndexGood(pool), false);
  const applied = await Promise.all([migrateToLatest(db, ALL), migrateToLatest(db, ALL)]);
  assert.deepEqual(applied.flat(), [INDEX, MORE]);
  assert.ok(await isIndexGood(pool));
});

test('the first partition of visits has everything before it, and later months have their own', async () => {
  const { pool } = await testDatabase();
  await pool.query(`insert into visits (visited_at, is_whole, session_id, is_returning, page, country, city, device,
      browser, system, language)
    select now() + ahead::interval, false, ahead, false, '/', '', '', '', '', '', ''
    from unnest(array['-1 year', '0', '1 month', '2 months', '1 year']) as ahead`);
  const { rows } = await pool.query(`select session_id as ahead, tableoid::regclass::text as table,
    'visits_' || to_char(visited_at at time zone 'UTC', 'YYYY_MM') as month from visits order by id`);
  const [before, now, ...others] = rows;
  assert.deepEqual([before.table, now.table], [now.month, now.month]);
  assert.deepEqual(
    others.map(({ table }) => table),
    [others[0].month, others[1].month, 'visits_other'],
  );
});
