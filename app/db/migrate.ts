import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import type { Db } from './client.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'migrations');
/**
 * The first line of a file whose statements run without a transaction, as `create index concurrently` requires. Such a file
 * may fail halfway, so it must be possible to run it again.
 */
const NO_TRANSACTION = '-- outside a transaction';

/** The statements of a migration to run one by one. */
export const statementsOf = (text: string): string[] =>
  text.startsWith(NO_TRANSACTION)
    ? text.split(/;\s*\n/).filter((statement) => /^\s*\w/m.test(statement))
    : [text];

type File = Migration & { hasTransaction: boolean };

async function readMigrations(folder: string): Promise<Record<string, File>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const entries = files.map(async (file): Promise<[string, File]> => {
    const text = await readFile(path.join(folder, file), 'utf8');
    const up = async (db: Db) => {
      for (const statement of statementsOf(text)) await sql.raw(statement).execute(db);
    };
    return [path.basename(file, '.sql'), { up, hasTransaction: !text.startsWith(NO_TRANSACTION) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

const migratorOf = (db: Db, folder: string) =>
  new Migrator({ db, provider: { getMigrations: () => readMigrations(folder) } });

export async function pendingMigrations(db: Db, folder = FOLDER): Promise<string[]> {
  const migrations = await migratorOf(db, folder).getMigrations();
  return migrations.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
}

/**
 * Whether a version from before the first release created the tables: migrations have run, but not the first file of
 * migrations/. Such a database cannot be migrated.
 */
export async function hasPrereleaseSchema(db: Db): Promise<boolean> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as "exists"`.execute(db);
  if (!tables[0]!.exists) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const [first] = Object.keys(await readMigrations(FOLDER));
  return rows.length > 0 && !rows.some(({ name }) => name === first);
}

const LOCK = 8_900;
const LOCK_POLL_MS = 200;

/**
 * Runs `fn` in one process at a time. Polls for the lock: a statement that waits for it would hold a snapshot, for which
 * `create index concurrently` in another process would wait in turn.
 */
async function withMigrationLock<T>(db: Db, fn: () => Promise<T>): Promise<T> {
  const tryLock = async () => {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${LOCK}) as locked`.execute(
      db,
    );
    return rows[0]!.locked;
  };
  while (!(await tryLock())) await wait(LOCK_POLL_MS);
  try {
    return await fn();
  } finally {
    await sql`select pg_advisory_unlock(${LOCK})`.execute(db);
  }
}

function namesOf({ error, results = [] }: MigrationResultSet): string[] {
  if (error) throw error;
  return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName);
}

/** Runs the next migrations: consecutive files in one transaction, or one file without a transaction. */
async function migrateNext(db: Db, folder: string): Promise<string[]> {
  const files = await readMigrations(folder);
  const pending = await pendingMigrations(db, folder);
  const [first] = pending;
  if (!first) return [];
  const migrator = migratorOf(db, folder);
  if (!files[first]!.hasTransaction) {
    return namesOf(await migrator.migrateTo(first, { disableTransactions: true }));
  }
  const next = pending.findIndex((name) => !files[name]!.hasTransaction);
  return namesOf(await migrator.migrateTo(pending.at(next < 0 ? -1 : next - 1)!));
}

/** Runs all pending migrations under a lock. Returns their names. */
export function migrateToLatest(db: Db, folder = FOLDER): Promise<string[]> {
  return db.connection().execute((connection) =>
    withMigrationLock(connection, async () => {
      const applied: string[] = [];
      for (;;) {
        const names = await migrateNext(connection, folder);
        if (names.length === 0) return applied;
        applied.push(...names);
      }
    }),
  );
}
