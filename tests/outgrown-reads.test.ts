import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createDatabase, type Db } from '#app/db/client.ts';
import { PreparingClient } from '#app/db/preparing-client.ts';
import { testDatabase } from '#tests/database.ts';

/** With one connection, and tables that the other tests do not change. */
async function own(): Promise<Db> {
  const { ownerUrl: url } = await testDatabase();
  return createDatabase(url, 1, 100, PreparingClient).db;
}

test('a column that gets another type while its reads are prepared breaks none of them', async () => {
  const db = await own();
  const id = crypto.randomUUID();
  const shown = () =>
    db.selectFrom('deliveries').select(['status', 'reason']).where('postId', '=', id).execute();
  const searched = () => db.selectFrom('runs').select('id').where('model', '=', 'none').execute();
  for (let times = 0; times < 4; times += 1) assert.deepEqual([await shown(), await searched()], [[], []]);
  await sql`alter table deliveries alter column reason type varchar(900)`.execute(db);
  await sql`alter table runs alter column model type bytea using null`.execute(db);
  for (let times = 0; times < 4; times += 1) assert.deepEqual([await shown(), await searched()], [[], []]);
});

test('inside a transaction such a read fails once, with what Postgres said, and never again', async () => {
  const db = await own();
  const read = (from: Db) => from.selectFrom('topics').select('name').where('name', '=', 'none').execute();
  for (let times = 0; times < 4; times += 1) await read(db);
  await sql`alter table topics alter column name type varchar(900)`.execute(db);
  const within = () => db.transaction().execute(read);
  await assert.rejects(within(), /cached plan must not change result type/);
  assert.deepEqual(await within(), []);
  assert.deepEqual(await read(db), []);
});
