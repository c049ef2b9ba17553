import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { createDatabase, type Db, transact } from '#app/db/client.ts';
import { PreparingClient } from '#app/db/preparing-client.ts';
import { testDatabase } from '#tests/database.ts';

let db: Db;
let pool: pg.Pool;

before(async () => {
  const { url } = await testDatabase();
  ({ db, pool } = createDatabase(url, 4, 100, PreparingClient));
  await sql`create table jots (id int)`.execute(db);
});

const answerOf = async <T>(query: { execute(db: Db): Promise<{ rows: unknown[] }> }, on = db): Promise<T> =>
  Object.values((await query.execute(on)).rows[0] as Record<string, T>)[0]!;
const whoAnswers = (n: number) => sql`select pg_backend_pid() as pid, ${n}::int as n`;
/** Every connection has come back to the pool. */
async function areAllBack(): Promise<void> {
  await new Promise(setImmediate);
  assert.equal(pool.idleCount, pool.totalCount);
}

test('the reads of one moment are answered by one connection, each with its own answer', async () => {
  const numbers = Array.from({ length: 12 }, (_, n) => n);
  const answers = await Promise.all(numbers.map(async (n) => (await whoAnswers(n).execute(db)).rows[0]));
  const rows = answers as { pid: number; n: number }[];
  assert.equal(new Set(rows.map(({ pid }) => pid)).size, 1);
  assert.deepEqual(
    rows.map(({ n }) => n),
    numbers,
  );
  await areAllBack();
});

test('so many reads that they would wait long for each other are shared out', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => answerOf(whoAnswers(n))));
  assert.equal(new Set(answers).size, 3);
  await areAllBack();
});

test('what is asked twice in a moment is asked once, and anew in the next', async () => {
  await sql`create sequence asked`.execute(db);
  const next = (word: string) => answerOf<string>(sql`select nextval('asked') || ${word} as answer`);
  assert.deepEqual(await Promise.all([next('a'), next('b'), next('a')]), ['1a', '2b', '1a']);
  assert.equal(await next('a'), '3a');
  await areAllBack();
});

test('a read that fails takes no other with it', async () => {
  const [one, wrong, other] = await Promise.allSettled([
    answerOf(sql`select ${'one'}::text as word`),
    answerOf(sql`select 1 / ${0}::int as wrong`),
    answerOf(sql`select ${'other'}::text as word`),
  ]);
  assert.deepEqual(
    [one, other],
    [
      { status: 'fulfilled', value: 'one' },
      { status: 'fulfilled', value: 'other' },
    ],
  );
  assert.match(String((wrong as PromiseRejectedResult).reason), /division by zero/);
  await areAllBack();
});

test('a transaction has a connection of its own, with all that is read in it', async () => {
  const count = sql`select count(*)::int as count from jots`;
  const seen = await transact(db, async (trx) => {
    await sql`insert into jots values (1)`.execute(trx);
    const [inside, outside] = await Promise.all([answerOf(count, trx), answerOf(count)]);
    return { inside, outside };
  });
  assert.deepEqual(seen, { inside: 1, outside: 0 });
  assert.equal(await answerOf(count), 1);
  await areAllBack();
});

test('what changes something keeps no read waiting', async () => {
  await sql`insert into jots values (7)`.execute(db);
  const waiting: Promise<unknown>[] = [];
  await transact(db, async (trx) => {
    await sql`update jots set id = 8 where id = 7`.execute(trx);
    waiting.push(sql`update jots set id = 9 where id = 7`.execute(db));
    waiting.push(sql`select from jots where id = 7 for update`.execute(db));
    assert.equal(await answerOf(sql`select count(*)::int as count from jots where id = 7`), 1);
  });
  await Promise.all(waiting);
  await areAllBack();
});

test('a connection that breaks under its reads is an error of each, and the next have another', async () => {
  const { n } = (await whoAnswers(1).execute(db)).rows[0] as { n: number };
  assert.equal(n, 1);
  const answers = await Promise.allSettled([
    answerOf(sql`select pg_terminate_backend(pg_backend_pid()) as over`),
    answerOf(whoAnswers(1)),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(typeof (await answerOf(whoAnswers(2))), 'number');
  await areAllBack();
});
