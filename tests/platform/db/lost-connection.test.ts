import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { sql } from 'kysely';
import { testDatabase } from '#tests/harness/database.ts';

/** The way to the server behind a client of the pool. */
const socketOf = (client: unknown) => (client as { connection: { stream: Socket } }).connection.stream;

test('a connection that breaks in use is an error of its query and of nothing else', async () => {
  const { db, pool } = await testDatabase();
  pool.on('acquire', (client) => {
    // As an operating system says it of a write to a server that has gone.
    setImmediate(() => socketOf(client).destroy(new Error('write ECONNRESET')));
  });
  await assert.rejects(sql`select pg_sleep(5)`.execute(db), /ECONNRESET/);
  pool.removeAllListeners('acquire');
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);
  assert.deepEqual(rows, [{ one: 1 }]);
});
