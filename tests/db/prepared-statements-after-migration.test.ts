import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createDatabase, type Db } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { testDatabase } from '#tests/harness/database.ts';

/** With one connection, and tables that the other tests do not change. */
async function own(): Promise<Db> {
  const { ownerUrl: url } = await testDatabase();
  return createDatabase(url, 1, 100).db;
}

test('a column that gets another type while its reads are prepared breaks none of them', async () => {
  const db = await own();
  const id = crypto.randomUUID();
  const readShown = compiledQuery((db: Db, given: { id: string }) =>
    db.selectFrom('deliveries').select(['status', 'reason']).where('postId', '=', given.id),
  );
  const readRuns = compiledQuery((db: Db, { model }: { model: string }) =>
    db.selectFrom('runs').select('id').where('model', '=', model),
  );
  const shown = () => readShown(db, { id });
  const searched = () => readRuns(db, { model: 'none' });
  for (let times = 0; times < 2; times += 1) assert.deepEqual([await shown(), await searched()], [[], []]);
  await sql`alter table deliveries alter column reason type varchar(900)`.execute(db);
  await sql`alter table runs alter column model type bytea using null`.execute(db);
  for (let times = 0; times < 2; times += 1) assert.deepEqual([await shown(), await searched()], [[], []]);
});

test('a new column does not break the prepared statements of its table', async () => {
  const db = await own();
  const read = compiledQuery((db: Db, { userId }: { userId: string }) =>
    db.selectFrom('voices').select(['audience', 'language']).where('userId', '=', userId),
  );
  const again = () => read(db, { userId: crypto.randomUUID() });
  assert.deepEqual(await again(), []);
  await sql`alter table voices add column later integer`.execute(db);
  assert.deepEqual(await again(), []);
});

test('inside a transaction such a read fails once, with what Postgres said, and never again', async () => {
  const db = await own();
  const readNames = compiledQuery((db: Db, { name }: { name: string }) =>
    db.selectFrom('topics').select('name').where('name', '=', name),
  );
  const read = (from: Db) => readNames(from, { name: 'none' });
  await read(db);
  await sql`alter table topics alter column name type varchar(900)`.execute(db);
  const within = () => db.transaction().execute(read);
  await assert.rejects(within(), /cached plan must not change result type/);
  assert.deepEqual(await within(), []);
  assert.deepEqual(await read(db), []);
});
