import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '#tests/database.ts';

/** What has a row for each post; see docs/decisions/0059-ids-in-order-of-time.md. */
const FOR_EACH_POST = ['mails', 'post_versions', 'posts', 'publications', 'runs', 'webhook_deliveries'];

test('an id begins with the millisecond in which it was made, and is of version 7', async (t) => {
  const { pool, close } = await testDatabase();
  t.after(close);
  const { rows } = await pool.query(`
    select id, date_trunc('milliseconds', before) as before, clock_timestamp() as after
    from (select clock_timestamp() as before, id_of_now() as id from generate_series(1, 1000) offset 0) as made`);
  assert.equal(rows.length, 1_000);
  // Without uuid_extract_timestamp(), which only servers have that need no id_of_now().
  for (const { id, before, after } of rows) {
    const at = new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));
    assert.match(id, /^.{14}7.{4}[89ab]/);
    assert.ok(before <= at && at <= after, `${id} of ${at.toISOString()} from ${before.toISOString()}`);
  }
});

test('ids of one millisecond differ', async (t) => {
  const { pool, close } = await testDatabase();
  t.after(close);
  const { rows } = await pool.query(
    'select count(distinct id_of_now())::int as count from generate_series(1, 20000)',
  );
  assert.equal(rows[0].count, 20_000);
});

test('what is written for each post has such ids, and nothing that a visitor asks for', async (t) => {
  const { pool, close } = await testDatabase();
  t.after(close);
  const { rows } = await pool.query(`
    select table_name as name from information_schema.columns
    where column_default = 'id_of_now()' and column_name = 'id' order by 1`);
  assert.deepEqual(
    rows.map(({ name }) => name),
    FOR_EACH_POST,
  );
});
