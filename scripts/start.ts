import { createDatabase } from '#app/db/client.ts';
import { parseEnv } from '#app/env.ts';
import { ensureBuild } from '#scripts/build/build.ts';
import { DEMO_ADMIN, DEMO_USER } from '#scripts/demo/people.ts';
import { comparesAllScripts, NEW_DATABASE, NO_LETTERS } from '#scripts/doctor/letters.ts';
import { startPostgres } from '#scripts/postgres/postgres.ts';
import { onInterrupt } from '#scripts/start/interrupts.ts';
import { type Part, prefixed, startPart, waitUntilOk } from '#scripts/start/processes.ts';
import {
  CLUSTER,
  choosePort,
  configuredDatabase,
  readEnvFile,
  sandboxAddresses,
  saveSandboxAddresses,
  secretKeys,
  withEnvironment,
} from '#scripts/start/settings.ts';
import { type DatabaseUrls, urlsForRoles } from './database-roles.ts';
import { migrate } from './migrate.ts';
import { run } from './run.ts';

const isDev = process.argv.includes('--dev');
const print = prefixed('tidepost', 'bold');

/** In the order in which they are called. */
const stops: (() => Promise<void>)[] = [];
const parts: Part[] = [];
const cancelled = new AbortController();
let isStopping = false;

async function stopAll(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  cancelled.abort();
  for (const stop of stops) await stop().catch((error) => console.error((error as Error).message));
  process.exit(code);
}

const killAll = () => {
  for (const part of parts) void part.stop(0);
};

/** The first interrupt lets processes finish their work; the second one kills them. */
onInterrupt(() => {
  if (isStopping) return killAll();
  print('Stopping… (Ctrl-C again to stop at once)');
  void stopAll(0);
}, killAll);

/** Requests in flight have 20 s to end, a call to LinkedIn has 30 s. */
const WEB_STOP_SECONDS = 22;
const WORKER_STOP_SECONDS = 35;

type Start = { name: string; colour: Parameters<typeof prefixed>[1]; args: string[]; stopSeconds: number };

function start({ name, colour, args, stopSeconds }: Start, env: NodeJS.ProcessEnv): Part {
  cancelled.signal.throwIfAborted();
  const part = startPart({ name, args, env, print: prefixed(name, colour) });
  parts.push(part);
  stops.unshift(() => part.stop(stopSeconds));
  void part.ended.then(onEnd);
  return part;
}

function onEnd(reason: string) {
  if (isStopping) return;
  print(`${reason}. Stopping the others.`);
  void stopAll(1);
}

async function database(): Promise<DatabaseUrls & { dataFolder?: string }> {
  const configured = configuredDatabase();
  if (configured) return configured;
  const postgres = await startPostgres({ dataDir: CLUSTER, durable: true, print, onEnd });
  stops.unshift(() => postgres.stop());
  return { ...urlsForRoles(postgres.url()), dataFolder: postgres.home };
}

async function main() {
  readEnvFile();
  const port = await choosePort('PORT', 3000, print);
  const sandboxPort = await choosePort('SANDBOX_PORT', 4400, print);
  const smtpPort = await choosePort('SANDBOX_SMTP_PORT', 4425, print);
  const web = `http://127.0.0.1:${port}`;
  const sandbox = `http://127.0.0.1:${sandboxPort}`;
  const outside = sandboxAddresses(sandbox, `smtp://127.0.0.1:${smtpPort}`);
  saveSandboxAddresses(outside);
  const settings = {
    NODE_ENV: isDev ? 'development' : 'production',
    SANDBOX: '1',
    HOST: '127.0.0.1',
    APP_URL: web,
    SECRET_KEYS: secretKeys(),
    ...outside,
  };
  const ports = { PORT: `${port}`, SANDBOX_PORT: `${sandboxPort}`, SANDBOX_SMTP_PORT: `${smtpPort}` };
  parseEnv({ ...withEnvironment(settings), ...ports });

  const [, env] = await both(build(), prepare({ ...withEnvironment(settings), ...ports }));
  const worker = start(
    { name: 'worker', colour: 'yellow', args: workerArgs(), stopSeconds: WORKER_STOP_SECONDS },
    env.worker,
  );
  const server = start(
    { name: 'web', colour: 'cyan', args: webArgs(port), stopSeconds: WEB_STOP_SECONDS },
    env.web,
  );
  await Promise.all([worker.line(/worker ready/, 60), waitUntilOk(`${web}/health`, server, 60)]);
  printWelcome(env.web.APP_URL ?? web, sandbox);
}

/** When one fails, still waits for the other, so that everything that it starts is stopped. */
async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}

const secondsSince = (time: number) => `${((performance.now() - time) / 1000).toFixed(1)} s`;

async function build(): Promise<void> {
  if (isDev) return;
  const startedAt = performance.now();
  const onStart = () => print('Building the web application (usually 5 to 20 seconds)…');
  if (await ensureBuild(cancelled.signal, onStart)) print(`Built in ${secondsSince(startedAt)}.`);
}

/** Migrates the database, starts the sandbox and creates the demo data. Returns the environments of web and worker. */
async function prepare(settings: NodeJS.ProcessEnv): Promise<Record<'web' | 'worker', NodeJS.ProcessEnv>> {
  const startedAt = performance.now();
  const addresses = await database();
  const { url, workerUrl, ownerUrl } = addresses;
  // Web and worker get neither the URL of the owner nor that of the other one.
  const env = {
    ...settings,
    DATABASE_URL: url,
    DATABASE_WORKER_URL: undefined,
    DATABASE_OWNER_URL: undefined,
  };
  const applied = await migrate(addresses, addresses.dataFolder).catch((error) => {
    throw new Error(`The database could not be migrated: ${error.message || error.code || error}`);
  });
  if (applied.length) print(`Migrated the database: ${applied.join(', ')}.`);
  if (!(await hasLetters(url))) print(`${NO_LETTERS}. ${NEW_DATABASE}`);
  const outside = start(
    { name: 'sandbox', colour: 'magenta', args: ['sandbox/main.ts'], stopSeconds: 1 },
    env,
  );
  await outside.line(/sandbox ready/, 30);
  // Only our sandbox connects the demo users without a person who consents.
  const connect = process.env.LINKEDIN_AUTH_URL ? [] : ['--connect'];
  // The demo data need the rights of web and worker together.
  const asOwner = { ...env, DATABASE_URL: ownerUrl };
  const seeded = await run(['scripts/start/seed.ts', ...connect], { env: asOwner, signal: cancelled.signal });
  if (!seeded.isOk)
    throw new Error(`The demo data could not be made (${seeded.reason}).\n${seeded.output.trim()}`);
  if (applied.length) print(`Database and demo data ready after ${secondsSince(startedAt)}.`);
  return { web: env, worker: { ...env, DATABASE_URL: workerUrl } };
}

async function hasLetters(url: string): Promise<boolean> {
  const { db } = createDatabase(url, 1);
  return comparesAllScripts(db).finally(() => db.destroy());
}

/** With Node's default the process would keep 30 MB of garbage from its start. */
const SMALL_NEW_SPACE = '--max-semi-space-size=2';
/** Rendering creates many short-lived objects: see fly.toml. */
const LARGE_NEW_SPACE = '--min-semi-space-size=16';
const workerArgs = () => [SMALL_NEW_SPACE, ...(isDev ? ['--watch'] : []), 'worker/main.ts'];

const webArgs = (port: number) =>
  isDev
    ? [
        'node_modules/@react-router/dev/bin.js',
        'dev',
        '--host',
        '127.0.0.1',
        '--port',
        `${port}`,
        '--strictPort',
      ]
    : [LARGE_NEW_SPACE, 'node_modules/@react-router/serve/bin.js', './server.ts'];

function printWelcome(app: string, sandbox: string) {
  const lines = [
    `Tidepost is running:  ${app}`,
    '',
    `Sign in as a user:    ${DEMO_USER.email}  ${DEMO_USER.password}`,
    `Sign in as the admin: ${DEMO_ADMIN.email}  ${DEMO_ADMIN.password}`,
    '',
    `The LinkedIn feed:    ${sandbox}/feed`,
    `The mail inbox:       ${sandbox}/inbox`,
    '',
    'To see a post written and published by itself: on the dashboard, set the content',
    'generation time one minute ahead and a publish time three minutes ahead, save, and',
    'watch the feed.',
    '',
    'Ctrl-C stops everything; the data stay in .data/.',
  ];
  const width = Math.max(...lines.map((line) => line.length));
  const rows = lines.map((line) => `│ ${line.padEnd(width)} │`);
  const line = '─'.repeat(width + 2);
  console.log(['', `┌${line}┐`, ...rows, `└${line}┘`, ''].join('\n'));
}

try {
  await main();
} catch (error) {
  if (!isStopping) console.error((error as Error).message);
  await stopAll(1);
}
