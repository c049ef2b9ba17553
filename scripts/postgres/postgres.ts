import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { ROLES } from '#scripts/database-roles.ts';
import { freePort, isFree } from '#scripts/start/ports.ts';
import { startWatchdog } from '#scripts/start/watchdog.ts';
import {
  binary,
  cleanEnvironment,
  isRunning,
  LAUNCHER_FILE,
  launch,
  postmaster,
  type ServerPaths,
  serverPaths,
  shutDown,
} from './server.ts';

const MEMORY = '/dev/shm';
const PREFIX = 'tidepost-test-';
/** Several times as much as a whole test run needs. */
const LEAST_FREE_BYTES = 4 * 2 ** 30;

/**
 * Prefers a memory file system: a test run creates and drops some hundred databases of a thousand files each, which takes
 * longer on a disk than the tests themselves.
 */
function throwAwayFolder(): string {
  if (process.env.TMPDIR || !hasRoom(MEMORY)) return mkdtempSync(path.join(tmpdir(), PREFIX));
  removeLeftovers(MEMORY);
  return mkdtempSync(path.join(MEMORY, PREFIX));
}

function hasRoom(folder: string): boolean {
  if (process.platform !== 'linux' || !existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= LEAST_FREE_BYTES;
}

/** Removes test clusters whose launcher was killed: nothing else cleans up this folder. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(PREFIX))) {
    const home = path.join(folder, name);
    const launcher = path.join(home, LAUNCHER_FILE);
    if (!existsSync(launcher) || statSync(launcher).uid !== process.getuid?.()) continue;
    if (!isRunning(Number(readFileSync(launcher, 'utf8')))) rmSync(home, { recursive: true, force: true });
  }
}

const PREFERRED_PORT = 54320;

export type Postgres = {
  /** The URL of a database for the role that owns it. */
  url(database?: string): string;
  port: number;
  /** The folder with the data: not `dataDir` when the account of Postgres cannot enter that. */
  home: string;
  /** Fast shutdown. A server that another running program started keeps running. */
  stop(): Promise<void>;
};

type Options = {
  dataDir: string;
  port?: number;
  /** false: a cluster for tests, which may lose its data in a crash. */
  durable: boolean;
  /** Called with messages for the user. */
  print?: (sentence: string) => void;
  /** Called when a server that this call started ends for any reason. */
  onEnd?: (how: string) => void;
};

/**
 * Starts the PostgreSQL that npm installed, on 127.0.0.1 only, with a database `tidepost`, a role `tidepost` (no superuser)
 * that owns it, and the roles of web, worker and reader. Takes over a server that a killed launcher left running on the
 * same data.
 */
export async function startPostgres(options: Options): Promise<Postgres> {
  const { dataDir, port, durable, print: say = () => {}, onEnd: ended = () => {} } = options;
  const paths = serverPaths(dataDir);
  if (paths.home !== path.resolve(dataDir)) {
    say(
      `Postgres cannot reach ${path.resolve(dataDir)} (it does not run as root): its data are in ${paths.home}.`,
    );
  }
  const running = await findRunningServer(paths);
  if (running && isOtherRunningProcess(readNumber(paths.launcherFile)))
    return handle(paths, running, async () => {});
  writeFileSync(paths.launcherFile, `${process.pid}\n`);
  if (running) {
    const watch = startWatchdog(running.pid, 'INT', paths.account);
    await prepare(paths, running.port, durable);
    return handle(paths, running, () => shutDown(paths, watch));
  }
  if (!existsSync(paths.cluster)) {
    say('Creating the database (once; usually 2 to 5 seconds)…');
    initialise(paths, durable);
  }
  const server = launch(paths, await choosePort(paths, port), durable);
  const watch = server.pid ? startWatchdog(server.pid, 'INT', paths.account) : undefined;
  const started = await waitUntilReady(paths, server);
  server.once('exit', (code, signal) =>
    ended(`Postgres ended (${signal ?? `exit code ${code}`}; its log: ${paths.log})`),
  );
  await prepare(paths, started.port, durable);
  writeFileSync(paths.portFile, `${started.port}\n`);
  return handle(paths, started, () => shutDown(paths, watch));
}

/** Starts a cluster for one test run in a temp folder; stop() removes the folder. */
export async function startThrowAwayPostgres(): Promise<Postgres> {
  const dataDir = throwAwayFolder();
  chmodSync(dataDir, 0o755);
  // Concurrent runs must not all try the preferred port.
  const cluster = await startPostgres({ dataDir, port: await freePort(), durable: false });
  const folders = [dataDir, cluster.home];
  const stop = async () => {
    await cluster.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
  return { ...cluster, stop };
}

function handle(paths: ServerPaths, { port }: { port: number }, stop: () => Promise<void>): Postgres {
  const url = (database = 'tidepost') => `postgres://tidepost:tidepost@127.0.0.1:${port}/${database}`;
  return {
    port,
    home: paths.home,
    url,
    async stop() {
      await stop();
      if (readNumber(paths.launcherFile) === process.pid) rmSync(paths.launcherFile, { force: true });
    },
  };
}

/**
 * LC_CTYPE says which characters are letters, for comparing texts; the first of these that the machine supports is used.
 * With C only ASCII has letters. Sorting is by code points with each of them.
 */
const CTYPES = ['C.UTF-8', 'en_US.UTF-8', 'C'];

/** Creates the cluster under another name and renames it, so that an interrupted initdb is never used. */
function initialise(paths: ServerPaths, durable: boolean) {
  const unfinished = `${paths.cluster}.unfinished`;
  const passwordForServer = path.join(paths.home, 'initial-password');
  for (const file of [paths.password, passwordForServer]) rmSync(file, { force: true });
  const password = randomBytes(24).toString('hex');
  writeFileSync(paths.password, password, { mode: 0o600 });
  writeFileSync(passwordForServer, password, { mode: 0o600 });
  chownToServer(paths, passwordForServer);
  const access = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordForServer}`];
  let error = '';
  const isCreated = CTYPES.some((ctype) => {
    const locale = ['--locale=C', `--lc-ctype=${ctype}`, '-E', 'UTF8'];
    error = initdb(paths, unfinished, [...access, ...locale, ...(durable ? [] : ['--no-sync'])]);
    return error === '';
  });
  rmSync(passwordForServer, { force: true });
  if (isCreated) return renameSync(unfinished, paths.cluster);
  rmSync(unfinished, { recursive: true, force: true });
  throw new Error(`Postgres could not create its data in ${paths.cluster}.\n${error}`);
}

const chownToServer = (paths: ServerPaths, file: string) =>
  paths.account && chownSync(file, paths.account.uid, paths.account.gid);

/** Returns the error; empty on success. */
function initdb(paths: ServerPaths, folder: string, options: string[]): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  chownToServer(paths, folder);
  const result = spawnSync(binary(paths, 'initdb'), ['-D', folder, ...options], {
    ...paths.account,
    cwd: paths.home,
    env: cleanEnvironment(),
    encoding: 'utf8',
  });
  if (result.status === 0) return '';
  return result.error?.message ?? `${result.stdout}\n${result.stderr}`.trim();
}

async function choosePort(paths: ServerPaths, explicit?: number): Promise<number> {
  if (explicit) {
    if (await isFree(explicit)) return explicit;
    throw new Error(`Port ${explicit} for Postgres is taken by another program.`);
  }
  const wanted = readNumber(paths.portFile) ?? PREFERRED_PORT;
  return (await isFree(wanted)) ? wanted : freePort();
}

async function waitUntilReady(
  paths: ServerPaths,
  server: ChildProcess,
): Promise<{ pid: number; port: number }> {
  const deadline = Date.now() + 60_000;
  while (server.pid && server.exitCode === null && server.signalCode === null && Date.now() < deadline) {
    const found = postmaster(paths);
    if (found?.pid === server.pid && (await acceptsConnections(paths, found.port))) return found;
    await pause(25);
  }
  await shutDown(paths);
  const log = existsSync(paths.log)
    ? readFileSync(paths.log, 'utf8').trim().split('\n').slice(-20).join('\n')
    : '';
  throw new Error(`Postgres did not start. The end of its log (${paths.log}):\n${log}`);
}

/** Returns the server that runs on these data. Waits for one that is starting or shutting down. */
async function findRunningServer(paths: ServerPaths): Promise<{ pid: number; port: number } | undefined> {
  const deadline = Date.now() + 30_000;
  for (let found = postmaster(paths); found; found = postmaster(paths)) {
    if (found.port && (await acceptsConnections(paths, found.port))) return found;
    if (Date.now() > deadline) {
      throw new Error(
        `A Postgres (process ${found.pid}) holds ${paths.cluster} but does not answer. End it first.`,
      );
    }
    await pause(50);
  }
  return undefined;
}

function superuser(paths: ServerPaths, port: number) {
  const password = readFileSync(paths.password, 'utf8').trim();
  return new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' });
}

async function acceptsConnections(paths: ServerPaths, port: number): Promise<boolean> {
  const client = superuser(paths, port);
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('show data_directory');
    return path.resolve(rows[0].data_directory) === paths.cluster;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function prepare(paths: ServerPaths, port: number, durable: boolean) {
  const client = superuser(paths, port);
  await client.connect();
  try {
    const { rows } = await client.query(`select rolname from pg_roles where rolname like 'tidepost%'`);
    const exists = (role: string) => rows.some(({ rolname }) => rolname === role);
    const attributes = durable ? 'nocreatedb' : 'createdb';
    // Tests connect thousands of times, and their password is no secret.
    if (!durable) await client.query('set scram_iterations = 1');
    // Benches run a checkpoint before they measure.
    if (!exists('tidepost'))
      await client.query(
        `create role tidepost login nosuperuser ${attributes} password 'tidepost' in role pg_checkpoint`,
      );
    // As a member of the other roles the owner may terminate their connections.
    for (const role of Object.values(ROLES).filter((role) => !exists(role)))
      await client.query(`create role ${role} login password 'tidepost' role tidepost`);
    await client.query(`alter role ${ROLES.reader} set default_transaction_read_only = on`);
    const database = await client.query(`select 1 from pg_database where datname = 'tidepost'`);
    if (!database.rowCount) await client.query('create database tidepost owner tidepost');
  } finally {
    await client.end();
  }
}

function isOtherRunningProcess(pid?: number): boolean {
  return pid !== process.pid && isRunning(pid);
}

function readNumber(file: string): number | undefined {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined;
}
