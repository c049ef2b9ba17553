import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { urlsForRoles } from '#scripts/database-roles.ts';
import { ROOT } from '#scripts/run.ts';

type Clone = ReturnType<typeof urlsForRoles> & { drop(): Promise<void> };

/**
 * Clones the migrated template on the cluster behind `adminUrl`. `url` and `workerUrl`: for web and worker, as they are
 * deployed; `readUrl`: for who looks; `ownerUrl`: for who makes everything. `drop` disconnects whoever is left.
 */
export async function cloneDatabase(adminUrl: string): Promise<Clone> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(adminUrl, async (client) => {
    const template = await ensureTemplate(client, adminUrl);
    // As files: by the log, which is what Postgres does by itself, costs the server twice as much.
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  // A copy is another database than the one it was made of, and says so itself; as released a day ago.
  await withClient(named(adminUrl, name), (client) =>
    client.query('update publishing_epoch set server = publishing_server(), epoch = epoch - 86400000'),
  );
  const drop = () => withClient(adminUrl, (client) => dropDatabase(client, name));
  return { ...urlsForRoles(named(adminUrl, name)), drop };
}

const NOT_PERMITTED = '42501';
const MAX_ATTEMPTS = 50;

/** A cleaner of the server may be at work in it, which our role can't end: it is done in a moment. */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`drop database if exists ${name} with (force)`);
      return;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== NOT_PERMITTED || attempt === MAX_ATTEMPTS) throw error;
      await wait(100);
    }
  }
}

/** Made once per set of migrations; whoever comes meanwhile waits for the lock. */
async function ensureTemplate(client: pg.Client, adminUrl: string): Promise<string> {
  const name = `template_${migrationsHash()}`;
  await client.query('select pg_advisory_lock(847261)');
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return name;
    await client.query(`drop database if exists ${name}_unfinished with (force)`);
    await client.query(`create database ${name}_unfinished`);
    // One file of a run needs it, and it brings the whole job queue with it.
    const { migrate } = await import('#scripts/migrate.ts');
    await migrate(urlsForRoles(named(adminUrl, `${name}_unfinished`)));
    await withClient(named(adminUrl, `${name}_unfinished`), forgetEmptiness);
    await client.query(`alter database ${name}_unfinished rename to ${name}`);
    return name;
  } finally {
    await client.query('select pg_advisory_unlock(847261)');
  }
}

/**
 * The indexes were made of empty tables, and Postgres plans by that: a connection that has read such a table
 * through once goes on so however much is put there. A server older than 18 has no words for it.
 */
async function forgetEmptiness(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`select from pg_proc where proname = 'pg_clear_relation_stats'`);
  if (rowCount === 0) return;
  await client.query(`select pg_clear_relation_stats(relnamespace::regnamespace::text, relname::text)
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`);
}

function migrationsHash(): string {
  const hash = createHash('sha256');
  const folder = path.join(ROOT, 'migrations');
  for (const file of readdirSync(folder).sort())
    hash.update(file).update(readFileSync(path.join(folder, file)));
  const others = [
    'node_modules/graphile-worker/package.json',
    'scripts/database-roles.ts',
    'scripts/rights.ts',
  ];
  for (const file of others) hash.update(readFileSync(path.join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

function named(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
