import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '#tests/harness/database.ts';

/** What has a row for each post; see docs/decisions/0027-data-layout.md. */
const FOR_EACH_POST = [
  'generation_runs',
  'mails',
  'post_versions',
  'posts',
  'publish_attempts',
  'webhook_deliveries',
];

/** By RFC 9562: 48 bits of milliseconds, the version, and the variant among what is random. */
const VERSION_7 = /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const { pool } = await testDatabase();

/** Read here, because of the databases that we support only the newest could. */
function madeAt(id: string): number {
  const [, high, low] = VERSION_7.exec(id) ?? assert.fail(id);
  return Number.parseInt(`${high}${low}`, 16);
}

test('an id begins with the millisecond in which it was made, and is of version 7', async () => {
  const { rows } = await pool.query<{ id: string; before: Date; after: Date }>(`
    select id, date_trunc('milliseconds', before) as before, clock_timestamp() as after
    from (select clock_timestamp() as before, id_of_now() as id from generate_series(1, 1000) offset 0) as made`);
  assert.equal(rows.length, 1_000);
  for (const { id, before, after } of rows)
    assert.ok(
      before.getTime() <= madeAt(id) && madeAt(id) <= after.getTime(),
      `${id}: ${before.toISOString()}`,
    );
});

test('ids of one millisecond differ', async () => {
  const { rows } = await pool.query(
    'select count(distinct id_of_now())::int as count from generate_series(1, 20000)',
  );
  assert.equal(rows[0].count, 20_000);
});

test('what is written for each post has such ids, and nothing else', async () => {
  const { rows } = await pool.query(`
    select table_name as name from information_schema.columns
    where column_default = 'id_of_now()' and column_name = 'id' order by 1`);
  assert.deepEqual(
    rows.map(({ name }) => name),
    FOR_EACH_POST,
  );
});
