import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '#tests/database.ts';

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

test('the role may make the extensions the migrations need', async () => {
  const { pool } = await testDatabase();
  await pool.query('create extension if not exists btree_gist; create extension if not exists pg_trgm');
  const { rows } = await pool.query('select rolsuper from pg_roles where rolname = current_user');
  assert.equal(rows[0].rolsuper, false);
});
