import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { isDatabaseUnavailable } from '#app/db/client.ts';
import { DeadlineClient } from '#app/db/deadline-client.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { wayTo } from '#tests/harness/worker/database-proxy.ts';
import { soon } from '#tests/harness/worker/until.ts';

const { url } = await testDatabase();

async function open(deadlineMs: number) {
  const way = await wayTo(url);
  const settings = { connectionString: way.url, max: 1, allowExitOnIdle: true, deadlineMs };
  const pool = new pg.Pool({ ...settings, Client: DeadlineClient });
  pool.on('error', () => {});
  return { way, pool };
}

test('a connection that goes silent is given up, and the next question has an answer', async () => {
  const { way, pool } = await open(1_000);
  pool.on('connect', (client) => client.on('error', () => {}));
  const client = await pool.connect();
  await client.query('begin');
  way.silence();
  await assert.rejects(soon('an end', client.query('select 1')), (error: Error) => {
    assert.match(error.message, /did not answer within 1 s/);
    assert.ok(isDatabaseUnavailable(error), 'it is told like every other database that is away');
    return true;
  });
  client.release(true);
  const { rows } = await pool.query('select 2 as two');
  assert.deepEqual(rows, [{ two: 2 }]);
  way.silence();
  await assert.rejects(soon('an end for who is called back', pool.query('select 1')));
  assert.equal((await pool.query('select 3')).rowCount, 1);
  await pool.end();
});

test('a query within its time, and a connection without one, go on for as long as they like', async () => {
  const { pool } = await open(2_500);
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select pg_sleep(1.3)');
  await client.query('select pg_sleep(1.3)');
  await new Promise((resolve) => setTimeout(resolve, 2_600));
  await assert.rejects(client.query('select nothing'), /column "nothing" does not exist/);
  await client.query('rollback');
  client.release();
  assert.equal((await pool.query('select 1')).rowCount, 1);
  await pool.end();
});

test('a connection that is taken and never answered is given up, and so is the wait for it', async () => {
  const { way, pool } = await open(60_000);
  way.hold();
  const ends = Promise.allSettled([pool.query('select 1'), pool.query('select 2')]);
  for (const end of await soon('an end', ends)) {
    assert.match(String((end as PromiseRejectedResult).reason), /timeout expired/);
  }
  way.mend();
  assert.equal((await pool.query('select 3')).rowCount, 1);
  await pool.end();
});
