import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { createDatabase, type Db } from '#app/db/client.ts';
import { migrate } from '#scripts/migrate.ts';
import { startPostgres } from '#scripts/postgres.ts';

const ROOT = path.join(import.meta.dirname, '..');

export type TestDatabase = { url: string; db: Db; pool: pg.Pool; close(): Promise<void> };

/**
 * A migrated database of its own, removed when the suite it is called in ends: the file, when called at
 * its top level.
 */
export function testDatabase(poolSize = 10): Promise<TestDatabase> {
  const opened = openClone(poolSize);
  // Registered before the first await, where the runner still knows which suite is calling.
  after(async () => (await opened).close());
  return opened;
}

async function openClone(poolSize: number): Promise<TestDatabase> {
  const { url, drop } = await cloneDatabase(await clusterUrl());
  const { db, pool } = createDatabase(url, poolSize);
  // The runner ends a file when nothing is left to wait for: idle connections must not count.
  pool.options.allowExitOnIdle = true;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= disconnect(db, pool).then(drop);
    return closing;
  };
  return { url, db, pool, close };
}

/** Kysely leaves a pool open that only others have used. */
async function disconnect(db: Db, pool: pg.Pool) {
  await db.destroy();
  if (!pool.ended) await pool.end();
}

/** Clones the migrated template on the cluster behind `adminUrl`. `drop` disconnects whoever is left. */
export async function cloneDatabase(adminUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(adminUrl, async (client) => {
    const template = await ensureTemplate(client, adminUrl);
    await client.query(`create database ${name} template ${template}`);
  });
  const drop = () =>
    withClient(adminUrl, async (client) => {
      await client.query(`drop database if exists ${name} with (force)`);
    });
  return { url: named(adminUrl, name), drop };
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
    await migrate(named(adminUrl, `${name}_unfinished`));
    await client.query(`alter database ${name}_unfinished rename to ${name}`);
    return name;
  } finally {
    await client.query('select pg_advisory_unlock(847261)');
  }
}

function migrationsHash(): string {
  const hash = createHash('sha256');
  const folder = path.join(ROOT, 'migrations');
  for (const file of readdirSync(folder).sort())
    hash.update(file).update(readFileSync(path.join(folder, file)));
  const queue = path.join(ROOT, 'node_modules/graphile-worker/package.json');
  return hash.update(readFileSync(queue)).digest('hex').slice(0, 16);
}

let own: Promise<string> | undefined;

/** The cluster of the whole run, or, for a file run by hand, a throw-away one for this process. */
function clusterUrl(): Promise<string> {
  if (process.env.TEST_DATABASE_URL) return Promise.resolve(process.env.TEST_DATABASE_URL);
  own ??= startOwn();
  return own;
}

async function startOwn(): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tidepost-test-'));
  const cluster = await startPostgres({ dataDir, durable: false });
  process.once('beforeExit', async () => {
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return cluster.url();
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
