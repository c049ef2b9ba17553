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

async function getMigrations(): Promise<Record<string, File>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
  const entries = files.map(async (file): Promise<[string, File]> => {
    const text = await readFile(path.join(FOLDER, file), 'utf8');
    const up = async (db: Db) => {
      for (const statement of statementsOf(text)) await sql.raw(statement).execute(db);
    };
    return [path.basename(file, '.sql'), { up, isAlone: text.startsWith(ALONE) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The names of the files of migrations/ that have not run yet. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const known = await new Migrator({ db, provider: { getMigrations } }).getMigrations();
  return known.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
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
async function migrateSome(db: Db): Promise<string[]> {
  const files = await getMigrations();
  const pending = await pendingMigrations(db);
  const [first] = pending;
  if (!first) return [];
  const migrator = new Migrator({ db, provider: { getMigrations: async () => files } });
  if (files[first]!.isAlone) return namesOf(await migrator.migrateTo(first, { disableTransactions: true }));
  const next = pending.findIndex((name) => files[name]!.isAlone);
  return namesOf(await migrator.migrateTo(pending.at(next < 0 ? -1 : next - 1)!));
}

/** Applies every file of migrations/ that has not run yet, under a lock. Answers their names. */
export function migrateToLatest(db: Db): Promise<string[]> {
  return db.connection().execute((connection) =>
    alone(connection, async () => {
      const applied: string[] = [];
      for (;;) {
        const names = await migrateSome(connection);
        if (names.length === 0) return applied;
        applied.push(...names);
      }
    }),
  );
}
