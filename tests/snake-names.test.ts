import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { testDatabase } from '#tests/database.ts';

const { db } = await testDatabase();

test('names are those of the database in a statement, and ours in what it answers', async () => {
  const query = db
    .selectFrom('posts')
    .select('publishAt as goesOutAt')
    .where('userId', '=', crypto.randomUUID());
  assert.equal(query.compile().sql, 'select "publish_at" as "goes_out_at" from "posts" where "user_id" = $1');
  const { rows } =
    await sql`select 1 as goes_out, ${sql.ref('firstName')} from (select 2 as first_name) as names`.execute(
      db,
    );
  assert.deepEqual(rows, [{ goesOut: 1, firstName: 2 }]);
});

test('a quote in a name stays in the name, however often it comes', async () => {
  for (let times = 0; times < 2; times += 1) {
    const { rows } = await sql`select ${sql.ref('x"y')} from (select 3 as "x""y") as names`.execute(db);
    assert.deepEqual(rows, [{ 'x"y': 3 }]);
  }
});
