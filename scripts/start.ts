import { createDatabase } from '#app/db/client.ts';
import { parseEnv } from '#app/env.ts';
import { ensureBuild } from '#scripts/build/build.ts';
import { DEMO_ADMIN, DEMO_USER } from '#scripts/demo/people.ts';
import { knowsLetters, NEW_DATABASE, NO_LETTERS } from '#scripts/doctor/letters.ts';
import { startPostgres } from '#scripts/postgres/postgres.ts';
import { onInterrupt } from '#scripts/start/interrupts.ts';
import { answersOk, type Part, prefixed, startPart } from '#scripts/start/processes.ts';
import {
  CLUSTER,
  choosePort,
  namedDatabase,
  readEnvFile,
  rememberOutside,
  sandboxAddresses,
  secretKeys,
  underEnvironment,
} from '#scripts/start/settings.ts';
import { type Addresses, addressesOf } from './database-roles.ts';
import { migrate } from './migrate.ts';
import { run } from './run.ts';

const isDev = process.argv.includes('--dev');
const say = prefixed('tidepost', 'bold');

/** What has been started, in the order in which it is stopped. */
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

const endAtOnce = () => {
  for (const part of parts) void part.stop(0);
};

/** The first time everything ends what it has begun; the second time at once. */
onInterrupt(() => {
  if (isStopping) return endAtOnce();
  say('Stopping… (Ctrl-C again to stop at once)');
  void stopAll(0);
}, endAtOnce);

/** How long each may take to end well: requests in flight have 20 s, a call to LinkedIn has 30 s. */
const WEB_SECONDS = 22;
const WORKER_SECONDS = 35;

type Start = { name: string; colour: Parameters<typeof prefixed>[1]; args: string[]; patience: number };

function start({ name, colour, args, patience }: Start, env: NodeJS.ProcessEnv): Part {
  cancelled.signal.throwIfAborted();
  const part = startPart({ name, args, env, print: prefixed(name, colour) });
  parts.push(part);
  stops.unshift(() => part.stop(patience));
  void part.ended.then(ended);
  return part;
}

function ended(how: string) {
  if (isStopping) return;
  say(`${how}. Stopping the others.`);
  void stopAll(1);
}

async function database(): Promise<Addresses & { dataFolder?: string }> {
  const named = namedDatabase();
  if (named) return named;
  const postgres = await startPostgres({ dataDir: CLUSTER, durable: true, say, ended });
  stops.unshift(() => postgres.stop());
  return { ...addressesOf(postgres.url()), dataFolder: postgres.home };
}

async function main() {
  readEnvFile();
  const port = await choosePort('PORT', 3000, say);
  const sandboxPort = await choosePort('SANDBOX_PORT', 4400, say);
  const smtpPort = await choosePort('SANDBOX_SMTP_PORT', 4425, say);
  const web = `http://127.0.0.1:${port}`;
  const sandbox = `http://127.0.0.1:${sandboxPort}`;
  const outside = sandboxAddresses(sandbox, `smtp://127.0.0.1:${smtpPort}`);
  rememberOutside(outside);
  const settings = {
    NODE_ENV: isDev ? 'development' : 'production',
    SANDBOX: '1',
    HOST: '127.0.0.1',
    APP_URL: web,
    SECRET_KEYS: secretKeys(),
    ...outside,
  };
  const ports = { PORT: `${port}`, SANDBOX_PORT: `${sandboxPort}`, SANDBOX_SMTP_PORT: `${smtpPort}` };
  parseEnv({ ...underEnvironment(settings), ...ports });

  const [, env] = await both(build(), prepare({ ...underEnvironment(settings), ...ports }));
  const worker = start(
    { name: 'worker', colour: 'yellow', args: workerArgs(), patience: WORKER_SECONDS },
    env.worker,
  );
  const server = start({ name: 'web', colour: 'cyan', args: webArgs(port), patience: WEB_SECONDS }, env.web);
  await Promise.all([worker.line(/worker ready/, 60), answersOk(`${web}/health`, server, 60)]);
  printWelcome(env.web.APP_URL ?? web, sandbox);
}

/** Waits for the end of both also when one fails, so that what the other has started can be stopped. */
async function both<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

async function build(): Promise<void> {
  if (isDev) return;
  const from = performance.now();
  const begins = () => say('Building the web application (usually 5 to 20 seconds)…');
  if (await ensureBuild(cancelled.signal, begins)) say(`Built in ${seconds(from)}.`);
}

/** Everything the web and the worker find when they start: migrated tables, the sandbox, demo data. */
async function prepare(settings: NodeJS.ProcessEnv): Promise<Record<'web' | 'worker', NodeJS.ProcessEnv>> {
  const from = performance.now();
  const addresses = await database();
  const { url, workerUrl, ownerUrl } = addresses;
  // The parts that go on do not get the address of the owner, nor each that of the other.
  const env = {
    ...settings,
    DATABASE_URL: url,
    DATABASE_WORKER_URL: undefined,
    DATABASE_OWNER_URL: undefined,
  };
  const applied = await migrate(addresses, addresses.dataFolder).catch((error) => {
    throw new Error(`The database could not be migrated: ${error.message || error.code || error}`);
  });
  if (applied.length) say(`Migrated the database: ${applied.join(', ')}.`);
  if (!(await hasLetters(url))) say(`${NO_LETTERS}. ${NEW_DATABASE}`);
  const outside = start({ name: 'sandbox', colour: 'magenta', args: ['sandbox/main.ts'], patience: 1 }, env);
  await outside.line(/sandbox ready/, 30);
  // Only our own sandbox is asked to connect the demo user; elsewhere a person has to agree.
  const connect = process.env.LINKEDIN_AUTH_URL ? [] : ['--connect'];
  // It makes in a moment what web and worker make in weeks.
  const asOwner = { ...env, DATABASE_URL: ownerUrl };
  const seeded = await run(['scripts/start/seed.ts', ...connect], { env: asOwner, signal: cancelled.signal });
  if (!seeded.isOk)
    throw new Error(`The demo data could not be made (${seeded.how}).\n${seeded.output.trim()}`);
  if (applied.length) say(`Database and demo data ready after ${seconds(from)}.`);
  return { web: env, worker: { ...env, DATABASE_URL: workerUrl } };
}

async function hasLetters(url: string): Promise<boolean> {
  const { db } = createDatabase(url, 1);
  return knowsLetters(db).finally(() => db.destroy());
}

/** With Node's default the garbage of starting up alone would keep 30 MB. */
const SMALL_MEMORY = '--max-semi-space-size=2';
/** Pages make much that is soon forgotten: see fly.toml. */
const ROOM_FOR_NEW = '--min-semi-space-size=16';
const workerArgs = () => [SMALL_MEMORY, ...(isDev ? ['--watch'] : []), 'worker/main.ts'];

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
    : [ROOM_FOR_NEW, 'node_modules/@react-router/serve/bin.js', './server.ts'];

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
  const rule = '─'.repeat(width + 2);
  console.log(['', `┌${rule}┐`, ...rows, `└${rule}┘`, ''].join('\n'));
}

try {
  await main();
} catch (error) {
  if (!isStopping) console.error((error as Error).message);
  await stopAll(1);
}
