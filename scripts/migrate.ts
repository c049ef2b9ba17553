import { fileURLToPath } from 'node:url';
import { runMigrations } from 'graphile-worker';
import { createDatabase } from '#app/db/client.ts';
import { hasPrereleaseSchema, migrateToLatest } from '#app/db/migrate.ts';
import { commandDatabase } from '#scripts/start/settings.ts';
import { type Addresses, grantRoles, namesOf, requireRoles } from './database-roles.ts';

/**
 * Migrates the app's tables and then the job queue's, and grants each other database role the rights that it needs.
 * Returns the names of the app's migrations that ran.
 *
 * @param dataFolder Where the embedded Postgres keeps its data, if it is used: the error message names it.
 */
export async function migrate(addresses: Addresses, dataFolder?: string): Promise<string[]> {
  const { ownerUrl } = addresses;
  const { db } = createDatabase(ownerUrl, 1);
  const names = namesOf(addresses);
  try {
    const elsewhere = await requireRoles(db, names);
    if (await hasPrereleaseSchema(db)) throw new Error(needsNewDatabase(ownerUrl, dataFolder));
    const applied = await migrateToLatest(db);
    await runMigrations({ connectionString: ownerUrl, maxPoolSize: 1, noHandleSignals: true });
    await grantRoles(db, names);
    if (elsewhere)
      console.log(`There is no role ${elsewhere} here: if it is to read here, make it and run this again.`);
    return applied;
  } finally {
    await db.destroy();
  }
}

function needsNewDatabase(ownerUrl: string, dataFolder: string | undefined): string {
  const name = dataFolder ? 'it' : new URL(ownerUrl).pathname.slice(1);
  const cure = dataFolder
    ? `delete the folder ${dataFolder} and start again`
    : 'name a new, empty database in DATABASE_URL';
  return `${name} was made by a version from before the first release: ${cure}.`;
}

async function main() {
  const database = await commandDatabase();
  try {
    const applied = await migrate(database, database.dataFolder);
    const { host, pathname } = new URL(database.ownerUrl);
    console.log(
      `${pathname.slice(1)} at ${host}: ${applied.length ? `migrated ${applied.join(', ')}` : 'up to date'}.`,
    );
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
