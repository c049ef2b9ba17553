import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Db } from './client.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'migrations');

async function getMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
  const entries = files.map(async (file) => {
    const text = await readFile(path.join(FOLDER, file), 'utf8');
    return [
      path.basename(file, '.sql'),
      {
        up: (db) =>
          sql
            .raw(text)
            .execute(db)
            .then(() => {}),
      },
    ] as [string, Migration];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The names of the files of migrations/ that have not run yet. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const known = await new Migrator({ db, provider: { getMigrations } }).getMigrations();
  return known.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
}

/** Applies every file of migrations/ that has not run yet, under a lock. Answers their names. */
export async function migrateToLatest(db: Db): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).filter((r) => r.status === 'Success').map((r) => r.migrationName);
}
