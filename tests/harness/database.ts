import { after } from 'node:test';
import type pg from 'pg';
import { createDatabase, type Db } from '#app/db/client.ts';
import type { DatabaseUrls } from '#scripts/database-roles.ts';
import { type Postgres, startThrowAwayPostgres } from '#scripts/postgres/postgres.ts';
import { cloneDatabase } from './clone-database.ts';

/** `url` is for the web, `workerUrl` for the worker, `readUrl` for who looks; `db` and `pool` own the tables. */
export type TestDatabase = Required<DatabaseUrls> & { db: Db; pool: pg.Pool; close(): Promise<void> };

const opened: TestDatabase[] = [];
let own: Promise<Postgres> | undefined;

// At the end of the file, not of the suite: a hook made inside another hook runs at once. It fails the file
// without throwing: the runner would then leave out the hooks that end what else was begun, and wait for it.
after(async () => {
  const ended = await Promise.allSettled(opened.map((database) => database.close()));
  await (await own)?.stop();
  for (const { reason } of ended.filter((result) => result.status === 'rejected')) {
    console.error(reason);
    process.exitCode = 1;
  }
});

/** A migrated database of its own, removed when the test file ends, or before by `close`. */
export async function testDatabase(poolSize = 10): Promise<TestDatabase> {
  const { drop, ...addresses } = await cloneDatabase(await clusterUrl());
  const { db, pool } = createDatabase(addresses.ownerUrl, poolSize);
  // The runner ends a file when nothing is left to wait for: idle connections must not count.
  pool.options.allowExitOnIdle = true;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= disconnect(db, pool).then(drop);
    return closing;
  };
  const database = { ...addresses, db, pool, close };
  opened.push(database);
  return database;
}

/** Kysely leaves a pool open that only others have used. */
async function disconnect(db: Db, pool: pg.Pool) {
  await db.destroy();
  if (!pool.ended) await pool.end();
}

/**
 * The cluster of the whole run, or, for a file run by hand, a throw-away one for this process. By hand it may also be one of another
 * version, with the roles that scripts/postgres/postgres.ts makes: `TEST_DATABASE_URL=postgres://tidepost:…@HOST/DATABASE node --test FILE`.
 */
async function clusterUrl(): Promise<string> {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL;
  own ??= startThrowAwayPostgres();
  return (await own).url();
}
