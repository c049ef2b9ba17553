import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { createDatabase, type Db, isDatabaseAway, transact } from '#app/db/client.ts';
import { PreparingClient } from '#app/db/preparing-client.ts';
import { ReadsTogether } from '#app/db/reads-together.ts';
import { SnakeCaseDialect } from '#app/db/snake-names.ts';
import { testDatabase } from '#tests/database.ts';
import { soon } from '#tests/worker/until.ts';
import { wayTo } from '#tests/worker/way.ts';

let db: Db;
let pool: pg.Pool;

before(async () => {
  const { ownerUrl: url } = await testDatabase();
  ({ db, pool } = createDatabase(url, 4, 100, PreparingClient));
  await sql`create table jots (id int)`.execute(db);
});

const answerOf = async <T>(query: { execute(db: Db): Promise<{ rows: unknown[] }> }, on = db): Promise<T> =>
  Object.values((await query.execute(on)).rows[0] as Record<string, T>)[0]!;
const whoAnswers = (n: number) => sql`select pg_backend_pid() as pid, ${n}::int as n`;
/** The next read opens a connection. */
async function closeIdle(): Promise<void> {
  while (pool.totalCount > 0) await pause(20);
}

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

/** A read that is prepared by now on every connection. */
async function known<T extends { execute(db: Db): Promise<{ rows: unknown[] }> }>(ask: (n: number) => T) {
  for (let n = 1; n <= 4; n += 1) await ask(n).execute(db);
  return ask;
}

/** How often the server says that it is ready for more while `act` runs. */
async function countReady(act: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const connections: EventEmitter[] = [];
  const hear = () => {
    count += 1;
  };
  const follow = (client: pg.PoolClient) => {
    const { connection } = client as unknown as { connection: EventEmitter };
    connections.push(connection.on('readyForQuery', hear));
  };
  pool.on('acquire', follow);
  await act();
  pool.off('acquire', follow);
  for (const connection of connections) connection.off('readyForQuery', hear);
  return count;
}

test('reads that are prepared are answered in one message, also when they are prepared just then', async () => {
  const double = await known((n) => sql`select ${n}::int * 2 as double`);
  const triple = await known((n) => sql`select ${n}::int * 3 as triple`);
  let numbers: number[] = [];
  const ask = async () => {
    const asked = [double(1), triple(2), double(3), triple(4), double(5)];
    numbers = await Promise.all(asked.map((query) => answerOf<number>(query)));
  };
  assert.equal(await countReady(ask), 1);
  assert.deepEqual(numbers, [2, 6, 6, 12, 10]);
  await closeIdle();
  await ask();
  assert.deepEqual(numbers, [2, 6, 6, 12, 10], 'on a connection that knows none of them');
  await areAllBack();
});

test('a prepared read that fails takes none with it, neither those before it nor those after it', async () => {
  const part = await known((n) => sql`select 12 / ${n}::int as part`);
  const sum = await known((n) => sql`select ${n}::int + 1 as sum`);
  for (const round of ['on a connection that knows them', 'on a new one']) {
    const asked = [part(3), part(0), sum(7), part(4)].map((query) => answerOf<number>(query));
    const [before, wrong, after, last] = await Promise.allSettled(asked);
    assert.match(String((wrong as PromiseRejectedResult).reason), /division by zero/, round);
    const values = [before, after, last].map((each) => (each as PromiseFulfilledResult<number>).value);
    assert.deepEqual(values, [4, 8, 3], round);
    await areAllBack();
    await closeIdle();
  }
});

test('a prepared read that its table has outgrown is run as it came, and the others beside it', async () => {
  await sql`create table shelves (id int, width int)`.execute(db);
  await sql`insert into shelves values (1, 40)`.execute(db);
  const width = await known((n) => sql`select width from shelves where id = ${n}`);
  const sum = await known((n) => sql`select ${n}::int + 2 as sum`);
  await sql`alter table shelves alter column width type text`.execute(db);
  assert.deepEqual(await Promise.all([sum(1), width(1), sum(2)].map((query) => answerOf(query))), [
    3,
    '40',
    4,
  ]);
  assert.equal(await answerOf(width(1)), '40');
  await areAllBack();
});

test('reads of a connection that breaks in the middle all fail, and the next ones are answered', async () => {
  const sum = await known((n) => sql`select ${n}::int + 3 as sum`);
  const end = await known(
    (n) => sql`select case ${n}::int when 0 then pg_terminate_backend(pg_backend_pid()) end as ended`,
  );
  const [first, ended, last] = await Promise.allSettled([
    answerOf(sum(1)),
    answerOf(end(0)),
    answerOf(sum(2)),
  ]);
  assert.deepEqual(first, { status: 'fulfilled', value: 4 });
  for (const each of [ended, last]) {
    assert.ok(
      isDatabaseAway((each as PromiseRejectedResult).reason),
      String((each as PromiseRejectedResult).reason),
    );
  }
  assert.equal(await answerOf(sum(5)), 8);
});

test('reads of a server that says nothing any more are all given up, and the next have another connection', async () => {
  const { ownerUrl: url } = await testDatabase();
  const way = await wayTo(url);
  const settings = {
    connectionString: way.url,
    max: 2,
    pipeline: true,
    deadlineMs: 400,
    allowExitOnIdle: true,
  };
  const silent = new pg.Pool({ ...settings, Client: PreparingClient });
  silent.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const far = new Kysely({ dialect: new SnakeCaseDialect({ pool: new ReadsTogether(silent) }) }) as Db;
  const sum = (n: number) => sql`select ${n}::int + 4 as sum`;
  const once = (n: number) => sql`select ${n}::int as n, ${sql.lit(n)} as same`;
  for (let n = 0; n < 4; n += 1) await sum(n).execute(far);
  way.silence();
  const asked = [sum(1), once(2), sum(3), once(4)].map((query) => answerOf(query, far));
  for (const end of await soon('an end of each', Promise.allSettled(asked))) {
    assert.ok(isDatabaseAway((end as PromiseRejectedResult).reason), JSON.stringify(end));
  }
  assert.equal(await answerOf(sum(6), far), 10);
  assert.equal(silent.totalCount, 1);
  await far.destroy();
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
