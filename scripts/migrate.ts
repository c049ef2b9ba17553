import { fileURLToPath } from 'node:url';
import { runMigrations } from 'graphile-worker';
import { createDatabase } from '#app/db/client.ts';
import { hasPrereleaseSchema, migrateToLatest } from '#app/db/migrate.ts';
import { commandDatabase } from '#scripts/start/settings.ts';
import { type DatabaseUrls, grantRoles, requireRoles, roleNames } from './database-roles.ts';

/**
 * Migrates the app's tables, then those of the job queue, and grants the other database roles their rights.
 * Returns the names of the app's migrations that ran.
 *
 * @param dataFolder The data folder of the embedded Postgres, if it is used; for the error message.
 */
export async function migrate(addresses: DatabaseUrls, dataFolder?: string): Promise<string[]> {
  const { ownerUrl } = addresses;
  const { db } = createDatabase(ownerUrl, 1);
  const names = roleNames(addresses);
  try {
    const missingReader = await requireRoles(db, names);
    if (await hasPrereleaseSchema(db)) throw new Error(needsNewDatabase(ownerUrl, dataFolder));
    const applied = await migrateToLatest(db);
    await runMigrations({ connectionString: ownerUrl, maxPoolSize: 1, noHandleSignals: true });
    await grantRoles(db, names);
    if (missingReader)
      console.log(
        `There is no role ${missingReader} here: if it is to read here, make it and run this again.`,
      );
    return applied;
  } finally {
    await db.destroy();
  }
}

function needsNewDatabase(ownerUrl: string, dataFolder: string | undefined): string {
  const name = dataFolder ? 'it' : new URL(ownerUrl).pathname.slice(1);
  const fix = dataFolder
    ? `delete the folder ${dataFolder} and start again`
    : 'name a new, empty database in DATABASE_URL';
  return `${name} was made by a version from before the first release: ${fix}.`;
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
