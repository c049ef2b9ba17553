import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import type { Db } from './client.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'migrations');
/**
 * Begins a file whose statements run one by one and outside a transaction, as an index must be built while others write. It
 * may end half way, so it has to be written so that it can run again from its beginning.
 */
const ALONE = '-- outside a transaction';

/** The statements of a migration that run by themselves. */
export const statementsOf = (text: string): string[] =>
  text.startsWith(ALONE) ? text.split(/;\s*\n/).filter((statement) => /^\s*\w/m.test(statement)) : [text];

type File = Migration & { isAlone: boolean };

async function readMigrations(folder: string): Promise<Record<string, File>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const entries = files.map(async (file): Promise<[string, File]> => {
    const text = await readFile(path.join(folder, file), 'utf8');
    const up = async (db: Db) => {
      for (const statement of statementsOf(text)) await sql.raw(statement).execute(db);
    };
    return [path.basename(file, '.sql'), { up, isAlone: text.startsWith(ALONE) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

const migratorOf = (db: Db, folder: string) =>
  new Migrator({ db, provider: { getMigrations: () => readMigrations(folder) } });

/** The names of the files of migrations/ that have not run yet. */
export async function pendingMigrations(db: Db, folder = FOLDER): Promise<string[]> {
  const known = await migratorOf(db, folder).getMigrations();
  return known.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
}

/**
 * Whether a version from before the first release created the tables: migrations have run, but not the first file of
 * migrations/. Such a database cannot be migrated.
 */
export async function hasPrereleaseSchema(db: Db): Promise<boolean> {
  const { rows: tables } = await sql<{ isThere: boolean }>`
    select to_regclass('kysely_migration') is not null as "isThere"`.execute(db);
  if (!tables[0]!.isThere) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const [first] = Object.keys(await readMigrations(FOLDER));
  return rows.length > 0 && !rows.some(({ name }) => name === first);
}

const LOCK = 8_900;
const LOOK_MS = 200;

/**
 * Runs `fn` in one process at a time. It asks again and again: who waits for a lock in a statement holds a snapshot, and an
 * index that is built beside writers waits for every snapshot to end.
 */
async function alone<T>(db: Db, fn: () => Promise<T>): Promise<T> {
  const isMine = async () => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${LOCK}) as mine`.execute(db);
    return rows[0]!.mine;
  };
  while (!(await isMine())) await wait(LOOK_MS);
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

/** Applies what comes next: files that follow each other in one transaction, or one that runs by itself. */
async function migrateSome(db: Db, folder: string): Promise<string[]> {
  const files = await readMigrations(folder);
  const pending = await pendingMigrations(db, folder);
  const [first] = pending;
  if (!first) return [];
  const migrator = migratorOf(db, folder);
  if (files[first]!.isAlone) return namesOf(await migrator.migrateTo(first, { disableTransactions: true }));
  const next = pending.findIndex((name) => files[name]!.isAlone);
  return namesOf(await migrator.migrateTo(pending.at(next < 0 ? -1 : next - 1)!));
}

/** Applies every file of migrations/ that has not run yet, under a lock. Answers their names. */
export function migrateToLatest(db: Db, folder = FOLDER): Promise<string[]> {
  return db.connection().execute((connection) =>
    alone(connection, async () => {
      const applied: string[] = [];
      for (;;) {
        const names = await migrateSome(connection, folder);
        if (names.length === 0) return applied;
        applied.push(...names);
      }
    }),
  );
}
