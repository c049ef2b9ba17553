import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createDatabase, type Db, isDatabaseUnavailable, transact } from '#app/db/client.ts';
import { compiledQuery } from '#app/db/compiled-query.ts';
import { retryWhenAvailable } from '#app/db/retry-when-available.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { testDatabase } from '#tests/harness/database.ts';

const { db } = await testDatabase();

test('a read is written once, and answers by what it is given each time', async () => {
  let times = 0;
  const read = compiledQuery((on: typeof db, { userId, suffix }: { userId: string; suffix: string }) => {
    times += 1;
    return on
      .selectFrom('users')
      .select(['users.id as userId', sql<string>`name || ${suffix}`.as('called')])
      .where('id', '=', userId);
  });
  const [ada, bo] = [await makeUser(db, { name: 'Ada' }), await makeUser(db, { name: 'Bo' })];
  for (const [{ userId }, suffix] of [
    [ada, '!'],
    [bo, '?'],
    [ada, ''],
  ] as const) {
    const name = userId === ada.userId ? 'Ada' : 'Bo';
    assert.deepEqual(await read(db, { userId, suffix }), [{ userId, called: name + suffix }]);
  }
  assert.equal(times, 1);
});

test('a read that is written reads in the transaction that it is given', async () => {
  const named = compiledQuery((on: typeof db, { name }: { name: string }) =>
    on.selectFrom('users').select('id').where('name', '=', name),
  );
  const { userId } = await makeUser(db, { name: 'Before' });
  const inside = await transact(db, async (trx) => {
    await trx.updateTable('users').set({ name: 'After' }).where('id', '=', userId).execute();
    return { inside: await named(trx, { name: 'After' }), outside: await named(db, { name: 'After' }) };
  });
  assert.deepEqual(inside, { inside: [{ id: userId }], outside: [] });
});

test('who writes a read cannot look at what it is given', async () => {
  const looking = compiledQuery((_, { name }: { name: string }) => sql`select ${sql.lit(`${name}`)} as name`);
  await assert.rejects(looking(db, { name: 'Ada' }), /value of name is known only when the statement runs/);
});

/** A database with a pool of one connection. */
async function ownConnection(): Promise<Db> {
  const { ownerUrl } = await testDatabase();
  return createDatabase(ownerUrl, 1, 100).db;
}

/** How often each prepared statement of the connection has run. */
async function usesOfPrepared(on: Db): Promise<number[]> {
  const { rows } = await sql<{ uses: number }>`
    select (generic_plans + custom_plans)::int as uses from pg_prepared_statements`.execute(on);
  return rows.map(({ uses }) => uses);
}

const readContent = compiledQuery((on: Db, { id }: { id: string }) =>
  on.selectFrom('posts').select('content').where('id', '=', id),
);

test('a statement is prepared once and run with the given values, also in a transaction', async () => {
  const on = await ownConnection();
  for (let times = 0; times < 3; times++)
    assert.deepEqual(await readContent(on, { id: crypto.randomUUID() }), []);
  await transact(on, (trx) => readContent(trx, { id: crypto.randomUUID() }));
  assert.deepEqual(await usesOfPrepared(on), [4]);
  await on.selectFrom('posts').select('hashtags').where('id', '=', crypto.randomUUID()).execute();
  assert.deepEqual(await usesOfPrepared(on), [4], 'other reads are not prepared');
});

test('the rows of a prepared statement have the same columns and types each time', async () => {
  const dates = compiledQuery(
    (_, { from }: { from: string }) => sql<{ firstDay: string; dueAt: Date | null; ofBoth: string[] }>`
      select ${from}::date as first_day, nullif(${from}::date, '2026-02-01')::timestamptz as due_at,
        array[${from}, ${from}]::text[] as of_both from generate_series(1, 2)`,
  );
  for (const from of ['2026-01-05', '2026-02-01', '2026-03-09']) {
    const dueAt = from === '2026-02-01' ? null : new Date(`${from}T00:00:00Z`);
    const row = { firstDay: from, dueAt, ofBoth: [from, from] };
    assert.deepEqual(await dates(db, { from }), [row, row]);
  }
});

test('a failing prepared statement does not affect the next ones', async () => {
  const on = await ownConnection();
  const divided = compiledQuery(
    (_, { by }: { by: number }) => sql<{ part: number }>`select 10 / ${by}::int as part`,
  );
  for (let times = 0; times < 2; times++) {
    assert.deepEqual(await divided(on, { by: 5 }), [{ part: 2 }]);
    await assert.rejects(divided(on, { by: 0 }), /division by zero/);
    await assert.rejects(
      transact(on, (trx) => readContent(trx, { id: 'no uuid' })),
      /invalid input syntax/,
    );
    assert.deepEqual(await readContent(on, { id: crypto.randomUUID() }), []);
  }
});

test('concurrent runs of a prepared statement each get their own result', async () => {
  const { ownerUrl } = await testDatabase();
  const many = createDatabase(ownerUrl, 3, 100).db;
  const double = compiledQuery(
    (_, { n }: { n: number }) => sql<{ double: number }>`select ${n}::int * 2 as double`,
  );
  const numbers = Array.from({ length: 40 }, (_, n) => n);
  const answers = await Promise.all(numbers.map((n) => double(many, { n })));
  assert.deepEqual(
    answers,
    numbers.map((n) => [{ double: n * 2 }]),
  );
});

test('a connection that breaks fails the statement on it, and the next one uses a new connection', async () => {
  const on = await ownConnection();
  const end = compiledQuery(
    (_, { isNow }: { isNow: boolean }) =>
      sql<{
        ended: boolean | null;
      }>`select case when ${isNow}::boolean then pg_terminate_backend(pg_backend_pid()) end as ended`,
  );
  assert.deepEqual(await end(on, { isNow: false }), [{ ended: null }]);
  await assert.rejects(end(on, { isNow: true }), isDatabaseUnavailable);
  assert.deepEqual(await retryWhenAvailable(() => end(on, { isNow: false })), [{ ended: null }]);
});
