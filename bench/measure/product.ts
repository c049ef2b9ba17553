import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createDatabase, type Db } from '#app/db/client.ts';
import { ensureBuild } from '#scripts/build/build.ts';
import { type DatabaseUrls, urlsForRoles } from '#scripts/database-roles.ts';
import { migrate } from '#scripts/migrate.ts';
import { type Postgres, startPostgres } from '#scripts/postgres/postgres.ts';
import { ROOT } from '#scripts/run.ts';
import { freePort } from '#scripts/start/ports.ts';
import { type Part, startPart, waitUntilOk } from '#scripts/start/processes.ts';
import { sandboxAddresses, withEnvironment } from '#scripts/start/settings.ts';

const LONGEST_RUN_MS = 5 * 60_000;
const READY = /ready|^\[react-router-serve\]/;

type Stop = () => Promise<void>;

/** Runs a measurement, then calls its `stops` in reverse order: also after an error, a Ctrl-C or the time limit. */
export async function measure(
  run: (stops: Stop[]) => Promise<void>,
  longestMs = LONGEST_RUN_MS,
): Promise<void> {
  const stops: Stop[] = [];
  const exit = async (code: number) => {
    for (const stop of stops.splice(0).reverse()) await stop().catch((error) => console.error(error));
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void exit(1));
  const overdue = setTimeout(() => {
    console.error('This takes too long; stopping.');
    void exit(1);
  }, longestMs);
  process.chdir(ROOT);
  try {
    await run(stops);
  } catch (error) {
    console.error(error);
    await exit(1);
  }
  clearTimeout(overdue);
  await exit(Number(process.exitCode ?? 0));
}

/** The account of Postgres can enter the folder. */
export function temporaryFolder(stops: Stop[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-bench-'));
  chmodSync(folder, 0o755);
  stops.push(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a durable Postgres, as in production, with a migrated database. */
export async function startDatabase(stops: Stop[]): Promise<Required<DatabaseUrls>> {
  const postgres = await startPostgres({ dataDir: temporaryFolder(stops), durable: true });
  stops.push(async () => {
    await postgres.stop();
    rmSync(postgres.home, { recursive: true, force: true });
  });
  const urls = urlsForRoles(postgres.url());
  await migrate(urls);
  await allowWalReads(postgres);
  return urls;
}

/** By default only superusers may call pg_get_wal_stats(). */
async function allowWalReads({ home, port }: Postgres): Promise<void> {
  const password = readFileSync(path.join(home, 'superuser'), 'utf8').trim();
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'tidepost' });
  await client.connect();
  await client.query('create extension pg_walinspect');
  await client.query('grant execute on function pg_get_wal_stats to tidepost');
  await client.end();
}

/** The arguments of a process in fly.toml. */
function deployedArgs(name: string): string[] {
  const command = new RegExp(`^ {2}${name} = 'node_modules/.bin/node (.+)'$`, 'm');
  const [, args] = command.exec(readFileSync(path.join(ROOT, 'fly.toml'), 'utf8'))!;
  return args!.split(' ');
}

export type Product = {
  app: string;
  sandbox: string;
  db: Db;
  startSandbox(): Promise<Part>;
  /** As `npm run worker` does, or as fly.toml does for one lane. */
  startWorker(lane?: 'writing'): Promise<Part>;
  startWeb(): Promise<Part>;
};

/**
 * Starts Postgres, and returns functions that start sandbox, worker and web as processes on free ports. The configuration
 * is also set in this process. `onLine` is called with the output of the processes.
 */
export async function openProduct(
  stops: Stop[],
  onLine = (line: string) => console.error(line),
): Promise<Product> {
  const [web, http, smtp] = [await freePort(), await freePort(), await freePort()];
  const app = `http://127.0.0.1:${web}`;
  const sandbox = `http://127.0.0.1:${http}`;
  const { url, workerUrl, ownerUrl } = await startDatabase(stops);
  Object.assign(process.env, {
    ...withEnvironment({}),
    NODE_ENV: 'production',
    SANDBOX: '1',
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
    HOST: '127.0.0.1',
    PORT: `${web}`,
    APP_URL: app,
    SANDBOX_PORT: `${http}`,
    SANDBOX_SMTP_PORT: `${smtp}`,
    ...sandboxAddresses(sandbox, `smtp://127.0.0.1:${smtp}`),
    DATABASE_URL: url,
    DATABASE_WORKER_URL: workerUrl,
  });
  const { db } = createDatabase(ownerUrl, 4);
  stops.push(() => db.destroy());
  const start = (name: string, ...args: string[]) => {
    const print = (line: string) => READY.test(line) || onLine(`${name} | ${line}`);
    const part = startPart({ name, args, env: process.env, print });
    stops.push(() => part.stop(5));
    return part;
  };
  return {
    app,
    sandbox,
    db,
    async startSandbox() {
      const part = start('sandbox', 'sandbox/main.ts');
      await part.line(/sandbox ready/, 30);
      return part;
    },
    async startWorker(lane) {
      const part = start(
        'worker',
        ...(lane ? deployedArgs(lane) : ['--max-semi-space-size=8', 'worker/main.ts']),
      );
      await part.line(/worker ready/, 30);
      return part;
    },
    async startWeb() {
      await ensureBuild();
      const part = start('web', ...deployedArgs('web'));
      await waitUntilOk(`${app}/health`, part, 30);
      return part;
    },
  };
}
