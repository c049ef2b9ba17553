import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { removeLeftovers } from '#scripts/postgres/postgres.ts';
import { testDatabase } from '#tests/harness/database.ts';

test('two databases of one run know nothing of each other', async () => {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()]);
  await one.pool.query('create table only_here (id int)');
  const found = await two.pool.query(`select to_regclass('only_here') as found`);
  assert.equal(found.rows[0].found, null);
});

test('a database comes with the job queue migrated', async () => {
  const { pool } = await testDatabase();
  const { rows } = await pool.query(`select to_regproc('graphile_worker.add_job') as add`);
  assert.notEqual(rows[0].add, null);
});

test('no table is planned as one that stays empty', async (t) => {
  const { pool } = await testDatabase();
  const { rows: server } = await pool.query(
    `select current_setting('server_version_num')::int >= 180000 as forgets`,
  );
  if (!server[0].forgets) return t.skip('a server older than 18 cannot be told to forget that it was empty');
  const { rows } = await pool.query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
     and reltuples = 0`,
  );
  assert.deepEqual(rows, []);
});

test('the role may make the extensions the migrations need', async () => {
  const { pool } = await testDatabase();
  await pool.query('create extension if not exists btree_gist; create extension if not exists pg_trgm');
  const { rows } = await pool.query('select rolsuper from pg_roles where rolname = current_user');
  assert.equal(rows[0].rolsuper, false);
});

test('of the clusters in memory those go whose run was killed, and no other', (t) => {
  const memory = mkdtempSync(path.join(tmpdir(), 'tidepost-memory-'));
  t.after(() => rmSync(memory, { recursive: true, force: true }));
  const ended = spawnSync(process.execPath, ['--eval', '']).pid;
  const make = (name: string, owner?: number) => {
    mkdirSync(path.join(memory, name, 'cluster'), { recursive: true });
    if (owner) writeFileSync(path.join(memory, name, 'launcher.pid'), `${owner}\n`);
    return path.join(memory, name);
  };
  const killed = make('tidepost-test-killed', ended);
  const others = [
    make('tidepost-test-running', process.pid),
    make('tidepost-test-beginning'),
    make('of-somebody-else', ended),
  ];
  removeLeftovers(memory);
  assert.equal(existsSync(killed), false);
  assert.deepEqual(
    others.map((folder) => existsSync(folder)),
    [true, true, true],
  );
});
