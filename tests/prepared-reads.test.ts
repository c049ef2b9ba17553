import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { createDatabase, type Db } from '#app/db/client.ts';
import { PreparingClient } from '#app/db/preparing-client.ts';
import { testDatabase } from '#tests/database.ts';

let db: Db;

before(async () => {
  const { ownerUrl: url } = await testDatabase();
  ({ db } = createDatabase(url, 1, 100, PreparingClient));
});

const read = (id: string) => db.selectFrom('posts').select('content').where('id', '=', id).execute();

/** How often each statement was run that the one connection holds prepared. */
async function prepared(): Promise<number[]> {
  const { rows } = await sql<{ uses: number }>`
    SELECT (generic_plans + custom_plans)::int AS uses FROM pg_prepared_statements
    WHERE statement NOT LIKE '%pg_prepared_statements%' ORDER BY name`.execute(db);
  return rows.map(({ uses }) => uses);
}

test('a read that comes again is prepared once, with what it is asked each time', async () => {
  const ids = Array.from({ length: 8 }, () => crypto.randomUUID());
  for (const id of ids) assert.deepEqual(await read(id), []);
  const [uses, ...others] = await prepared();
  assert.equal(uses, 6);
  assert.deepEqual(others, [], 'reads that came once or twice');
});

test('a read is prepared wherever its text begins', async () => {
  const known = (await prepared()).length;
  for (const days of [1, 2, 3, 4]) {
    const { rows } = await sql<{ days: number }>`
      with asked as (select ${days}::int as days) select days from asked`.execute(db);
    assert.deepEqual(rows, [{ days }]);
  }
  assert.equal((await prepared()).length, known + 1);
});

test('what a prepared read answers has its columns each time, as they are called here', async () => {
  const dates = (from: string) =>
    sql<{ firstDay: string; dueAt: Date | null; ofBoth: string[] }>`
      select ${from}::date as first_day, nullif(${from}::date, '2026-02-01')::timestamptz as due_at,
        array[${from}, ${from}] as of_both from generate_series(1, 2)`.execute(db);
  for (const from of ['2026-01-05', '2026-02-01', '2026-03-09', '2026-02-01', '2026-04-30', '2026-05-01']) {
    const dueAt = from === '2026-02-01' ? null : new Date(`${from}T00:00:00Z`);
    const row = { firstDay: from, dueAt, ofBoth: [from, from] };
    assert.deepEqual((await dates(from)).rows, [row, row]);
  }
  const divided = (by: number) => sql<{ part: number }>`select 10 / ${by}::int as part`.execute(db);
  for (const by of [1, 2, 5, 10]) assert.deepEqual((await divided(by)).rows, [{ part: 10 / by }]);
  await assert.rejects(divided(0), /division by zero/);
  assert.deepEqual((await divided(5)).rows, [{ part: 2 }]);
});

test('what a list of values made does not fill the connection', async () => {
  const before = (await prepared()).length;
  for (let length = 1; length <= 40; length += 1) {
    const ids = Array.from({ length }, () => crypto.randomUUID());
    await db.selectFrom('posts').select('id').where('id', 'in', ids).execute();
  }
  assert.equal((await prepared()).length, before);
  for (let n = 0; n < 400; n += 1) {
    for (let again = 0; again < 3; again += 1) await sql`select ${n}::int + ${sql.lit(n)} as sum`.execute(db);
  }
  assert.equal((await prepared()).length, 299, 'and the one that counts them');
});

test('a table that gets a column while its reads are prepared breaks none of them', async () => {
  const all = () => db.selectFrom('publishingSwitch').selectAll().execute();
  const some = () => db.selectFrom('publishingSwitch').selectAll('publishingSwitch').execute();
  for (let times = 0; times < 4; times += 1) await Promise.all([all(), some(), read(crypto.randomUUID())]);
  await sql`alter table publishing_switch add column later integer`.execute(db);
  await sql`alter table posts add column later integer`.execute(db);
  await Promise.all([all(), some(), read(crypto.randomUUID())]);
});

test('an error inside a transaction leaves the next read as it was', async () => {
  await assert.rejects(
    db.transaction().execute(async (trx) => {
      await trx.selectFrom('posts').select('content').where('id', '=', 'no uuid').execute();
    }),
    /invalid input syntax/,
  );
  assert.deepEqual(await read(crypto.randomUUID()), []);
});
