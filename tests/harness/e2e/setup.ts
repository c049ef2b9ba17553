import { ensureBuild } from '#scripts/build/build.ts';
import type { DatabaseUrls } from '#scripts/database-roles.ts';
import { startThrowAwayPostgres } from '#scripts/postgres/postgres.ts';
import { freePort } from '#scripts/start/ports.ts';
import { type Part, startPart, waitUntilOk } from '#scripts/start/processes.ts';
import { sandboxAddresses, withEnvironment } from '#scripts/start/settings.ts';
import { cloneDatabase } from '#tests/harness/clone-database.ts';

/**
 * Starts the whole product as real processes on free ports. The journeys find it by E2E_APP_URL,
 * E2E_SANDBOX_URL and E2E_DATABASE_URL. Answers what stops it again.
 */
export default async function setup() {
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async () => {
    for (const stop of stops.splice(0)) await stop();
  };
  try {
    await startProduct(stops);
  } catch (error) {
    await stopAll();
    throw error;
  }
  return stopAll;
}

async function startProduct(stops: (() => Promise<void>)[]) {
  await ensureBuild();
  const [web, http, smtp] = [await freePort(), await freePort(), await freePort()];
  const app = `http://127.0.0.1:${web}`;
  const sandbox = `http://127.0.0.1:${http}`;
  const { url, workerUrl, ownerUrl } = await openDatabase(stops);
  const outside = sandboxAddresses(sandbox, `smtp://127.0.0.1:${smtp}`);
  const env = {
    ...withEnvironment({}),
    NODE_ENV: 'production',
    SANDBOX: '1',
    LOG_LEVEL: 'warn',
    // Pictures come from the journeys themselves.
    ALLOW_PRIVATE_IMAGES: '1',
    HOST: '127.0.0.1',
    PORT: `${web}`,
    APP_URL: app,
    SANDBOX_PORT: `${http}`,
    SANDBOX_SMTP_PORT: `${smtp}`,
    DATABASE_URL: url,
    DATABASE_WORKER_URL: workerUrl,
    ...outside,
  };
  const start = (name: string, args: string[], patience: number): Part => {
    const print = (line: string) => process.stdout.write(`${name} | ${line}\n`);
    const part = startPart({ name, args, env, print });
    stops.unshift(() => part.stop(patience));
    return part;
  };
  await start('sandbox', ['sandbox/main.ts'], 2).line(/sandbox ready/, 30);
  const worker = start('worker', ['worker/main.ts'], 5);
  const server = start('web', ['node_modules/@react-router/serve/bin.js', './server.ts'], 3);
  await Promise.all([worker.line(/worker ready/, 60), waitUntilOk(`${app}/health`, server, 60)]);
  Object.assign(process.env, { E2E_APP_URL: app, E2E_SANDBOX_URL: sandbox, E2E_DATABASE_URL: ownerUrl });
  // What the journeys make through the domain is made against the same sandbox.
  Object.assign(process.env, outside, { APP_URL: app });
}

async function openDatabase(stops: (() => Promise<void>)[]): Promise<Required<DatabaseUrls>> {
  let cluster = process.env.TEST_DATABASE_URL;
  if (!cluster) {
    const own = await startThrowAwayPostgres();
    stops.unshift(() => own.stop());
    cluster = own.url();
  }
  const { drop, ...addresses } = await cloneDatabase(cluster);
  stops.unshift(drop);
  return addresses;
}
