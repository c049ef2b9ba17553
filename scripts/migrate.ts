import { fileURLToPath } from 'node:url';
import { runMigrations } from 'graphile-worker';
import { createDatabase } from '#app/db/client.ts';
import { migrateToLatest } from '#app/db/migrate.ts';
import { commandDatabase } from '#scripts/settings.ts';

/** Brings our tables and then the job queue's to the newest form. Answers the names of our new migrations. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const { db } = createDatabase(databaseUrl, 1);
  try {
    const applied = await migrateToLatest(db);
    await runMigrations({ connectionString: databaseUrl, maxPoolSize: 1, noHandleSignals: true });
    return applied;
  } finally {
    await db.destroy();
  }
}

async function main() {
  const database = await commandDatabase();
  try {
    const applied = await migrate(database.url);
    console.log(applied.length ? `Migrated: ${applied.join(', ')}.` : 'The database is up to date.');
  } finally {
    await database.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch((error) => {
    console.error(`The database could not be migrated: ${error.message || error.code}`);
    process.exitCode = 1;
  });
}
