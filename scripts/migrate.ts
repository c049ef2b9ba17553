import { fileURLToPath } from 'node:url';
import { runMigrations } from 'graphile-worker';
import { createDatabase } from '#app/db/client.ts';
import { migrateToLatest } from '#app/db/migrate.ts';
import { grantService } from '#scripts/service-role.ts';
import { commandDatabase } from '#scripts/settings.ts';

/**
 * Brings our tables and then the job queue's to the newest form, and lets the service do with them what it does. Answers
 * the names of our new migrations.
 *
 * @param ownerUrl The database, for the role that owns its tables.
 * @param url The same for the web and the worker; a role of its own can only add to the audit log.
 */
export async function migrate(ownerUrl: string, url = ownerUrl): Promise<string[]> {
  const { db } = createDatabase(ownerUrl, 1);
  const [owner, service] = [ownerUrl, url].map((address) => decodeURIComponent(new URL(address).username));
  try {
    const applied = await migrateToLatest(db);
    await runMigrations({ connectionString: ownerUrl, maxPoolSize: 1, noHandleSignals: true });
    if (service && service !== owner) await grantService(db, service);
    return applied;
  } finally {
    await db.destroy();
  }
}

async function main() {
  const database = await commandDatabase();
  try {
    const applied = await migrate(database.ownerUrl, database.url);
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
