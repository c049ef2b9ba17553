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

/**
 * Runs one measurement and then stops what it started, in reverse order: also after a fault, a Ctrl-C, or
 * when it takes too long.
 */
export async function measure(
  run: (stops: Stop[]) => Promise<void>,
  longestMs = LONGEST_RUN_MS,
): Promise<void> {
  const stops: Stop[] = [];
  const leave = async (code: number) => {
    for (const stop of stops.splice(0).reverse()) await stop().catch((error) => console.error(error));
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(1));
  const overdue = setTimeout(() => {
    console.error('This takes too long; stopping.');
    void leave(1);
  }, longestMs);
  process.chdir(ROOT);
  try {
    await run(stops);
  } catch (error) {
    console.error(error);
    await leave(1);
  }
  clearTimeout(overdue);
  await leave(Number(process.exitCode ?? 0));
}

/** A temp folder that Postgres may enter as well. */
export function temporaryFolder(stops: Stop[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tidepost-bench-'));
  chmodSync(folder, 0o755);
  stops.push(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A migrated database on a Postgres of its own that keeps its word on disk, as in production. */
export async function startDatabase(stops: Stop[]): Promise<Required<DatabaseUrls>> {
  const postgres = await startPostgres({ dataDir: temporaryFolder(stops), durable: true });
  stops.push(async () => {
    await postgres.stop();
    rmSync(postgres.home, { recursive: true, force: true });
  });
  const addresses = urlsForRoles(postgres.url());
  await migrate(addresses);
  await letLogBeRead(postgres);
  return addresses;
}

/** The owner of the database, who measures, may count what went to the log of its server, as else superusers alone may. */
async function letLogBeRead({ home, port }: Postgres): Promise<void> {
  const password = readFileSync(path.join(home, 'superuser'), 'utf8').trim();
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'tidepost' });
  await client.connect();
  await client.query('create extension pg_walinspect');
  await client.query('grant execute on function pg_get_wal_stats to tidepost');
  await client.end();
}

/** What a process of fly.toml is started with. */
function deployed(name: string): string[] {
  const command = new RegExp(`^ {2}${name} = 'node_modules/.bin/node (.+)'$`, 'm');
  const [, args] = command.exec(readFileSync(path.join(ROOT, 'fly.toml'), 'utf8'))!;
  return args!.split(' ');
}

export type Product = {
  app: string;
  sandbox: string;
  db: Db;
  startSandbox(): Promise<Part>;
  /** As `npm run worker` does, or as the process of one of its lanes is deployed. */
  startWorker(lane?: 'writing'): Promise<Part>;
  startWeb(): Promise<Part>;
};

/**
 * Postgres, and on demand sandbox, worker and web as real processes on free ports. This process gets the
 * same configuration. `hear` is told what web and worker print.
 */
export async function openProduct(
  stops: Stop[],
  hear = (line: string) => console.error(line),
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
    const print = (line: string) => READY.test(line) || hear(`${name} | ${line}`);
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
        ...(lane ? deployed(lane) : ['--max-semi-space-size=8', 'worker/main.ts']),
      );
      await part.line(/worker ready/, 30);
      return part;
    },
    async startWeb() {
      await ensureBuild();
      const part = start('web', ...deployed('web'));
      await waitUntilOk(`${app}/health`, part, 30);
      return part;
    },
  };
}
