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
import { watchOver } from '#scripts/start/watchdog.ts';
import {
  binary,
  cleanEnvironment,
  isRunning,
  launch,
  OWNER,
  type Place,
  place,
  postmaster,
  shutDown,
} from './server.ts';

const MEMORY = '/dev/shm';
const PREFIX = 'tidepost-test-';
/** Several times what a whole run takes. */
const LEAST_FREE_BYTES = 4 * 2 ** 30;

/**
 * A folder for a cluster that goes with its run. In memory where that has room: a run makes and drops some
 * hundred databases of a thousand files each, which costs a disk more than all that is done with them.
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

/** Removes our clusters whose launcher was killed: in memory nobody else would clean up. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(PREFIX))) {
    const home = path.join(folder, name);
    const owner = path.join(home, OWNER);
    if (!existsSync(owner) || statSync(owner).uid !== process.getuid?.()) continue;
    if (!isRunning(Number(readFileSync(owner, 'utf8')))) rmSync(home, { recursive: true, force: true });
  }
}

const PREFERRED_PORT = 54320;

export type Postgres = {
  /** The address of a database, for the role that owns it. */
  url(database?: string): string;
  port: number;
  /** The folder with the data, which is not the one asked for when Postgres cannot get there. */
  home: string;
  /** Fast shutdown. A server that another living program started is left running. */
  stop(): Promise<void>;
};

type Options = {
  dataDir: string;
  port?: number;
  /** false: a throw-away cluster that may lose everything in a crash, for tests. */
  durable: boolean;
  /** Hears the sentences a person should read. */
  say?: (sentence: string) => void;
  /** Hears when a server that was started here ends, wanted or not. */
  ended?: (how: string) => void;
};

/**
 * Starts the PostgreSQL that npm installed, on 127.0.0.1 only, with a database and a role `tidepost`
 * (no superuser) that owns it, and the roles of what works on it and looks at it. Takes over a server that a killed launcher left behind on the same data.
 */
export async function startPostgres(options: Options): Promise<Postgres> {
  const { dataDir, port, durable, say = () => {}, ended = () => {} } = options;
  const at = place(dataDir);
  if (at.home !== path.resolve(dataDir)) {
    say(
      `Postgres cannot reach ${path.resolve(dataDir)} (it does not run as root): its data are in ${at.home}.`,
    );
  }
  const running = await leftBehind(at);
  if (running && isSomebodyElse(readNumber(at.owner))) return handle(at, running, async () => {});
  writeFileSync(at.owner, `${process.pid}\n`);
  if (running) {
    const watch = watchOver(running.pid, 'INT', at.account);
    await prepare(at, running.port, durable);
    return handle(at, running, () => shutDown(at, watch));
  }
  if (!existsSync(at.cluster)) {
    say('Creating the database (once; usually 2 to 5 seconds)…');
    initialise(at, durable);
  }
  const server = launch(at, await choosePort(at, port), durable);
  const watch = server.pid ? watchOver(server.pid, 'INT', at.account) : undefined;
  const started = await answering(at, server);
  server.once('exit', (code, signal) =>
    ended(`Postgres ended (${signal ?? `exit code ${code}`}; its log: ${at.log})`),
  );
  await prepare(at, started.port, durable);
  writeFileSync(at.remembered, `${started.port}\n`);
  return handle(at, started, () => shutDown(at, watch));
}

/** A cluster for one run of tests, in a temp folder that goes with it. */
export async function startThrowAwayPostgres(): Promise<Postgres> {
  const dataDir = throwAwayFolder();
  chmodSync(dataDir, 0o755);
  // Several start at the same moment: a port that all of them prefer would be bound by one.
  const cluster = await startPostgres({ dataDir, port: await freePort(), durable: false });
  const folders = [dataDir, cluster.home];
  const stop = async () => {
    await cluster.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
  return { ...cluster, stop };
}

function handle(at: Place, { port }: { port: number }, stop: () => Promise<void>): Postgres {
  const url = (database = 'tidepost') => `postgres://tidepost:tidepost@127.0.0.1:${port}/${database}`;
  return {
    port,
    home: at.home,
    url,
    async stop() {
      await stop();
      if (readNumber(at.owner) === process.pid) rmSync(at.owner, { force: true });
    },
  };
}

/**
 * Which characters are letters, for comparing texts: the first of these that the machine has. The order of sorting stays
 * the one of code points. Without any, only English has letters.
 */
const CHARACTERS = ['C.UTF-8', 'en_US.UTF-8', 'C'];

/** Made beside its place and moved there whole, so that an interrupted one is never taken for data. */
function initialise(at: Place, durable: boolean) {
  const half = `${at.cluster}.unfinished`;
  const passwordForServer = path.join(at.home, 'initial-password');
  for (const file of [at.password, passwordForServer]) rmSync(file, { force: true });
  const password = randomBytes(24).toString('hex');
  writeFileSync(at.password, password, { mode: 0o600 });
  writeFileSync(passwordForServer, password, { mode: 0o600 });
  give(at, passwordForServer);
  const access = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordForServer}`];
  let why = '';
  const isMade = CHARACTERS.some((characters) => {
    const locale = ['--locale=C', `--lc-ctype=${characters}`, '-E', 'UTF8'];
    why = initdb(at, half, [...access, ...locale, ...(durable ? [] : ['--no-sync'])]);
    return why === '';
  });
  rmSync(passwordForServer, { force: true });
  if (isMade) return renameSync(half, at.cluster);
  rmSync(half, { recursive: true, force: true });
  throw new Error(`Postgres could not create its data in ${at.cluster}.\n${why}`);
}

const give = (at: Place, file: string) => at.account && chownSync(file, at.account.uid, at.account.gid);

/** Answers why it failed; nothing when it did not. */
function initdb(at: Place, folder: string, options: string[]): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  give(at, folder);
  const made = spawnSync(binary(at, 'initdb'), ['-D', folder, ...options], {
    ...at.account,
    cwd: at.home,
    env: cleanEnvironment(),
    encoding: 'utf8',
  });
  if (made.status === 0) return '';
  return made.error?.message ?? `${made.stdout}\n${made.stderr}`.trim();
}

async function choosePort(at: Place, explicit?: number): Promise<number> {
  if (explicit) {
    if (await isFree(explicit)) return explicit;
    throw new Error(`Port ${explicit} for Postgres is taken by another program.`);
  }
  const wanted = readNumber(at.remembered) ?? PREFERRED_PORT;
  return (await isFree(wanted)) ? wanted : freePort();
}

async function answering(at: Place, server: ChildProcess): Promise<{ pid: number; port: number }> {
  const deadline = Date.now() + 60_000;
  while (server.pid && server.exitCode === null && server.signalCode === null && Date.now() < deadline) {
    const found = postmaster(at);
    if (found?.pid === server.pid && (await answers(at, found.port))) return found;
    await pause(25);
  }
  await shutDown(at);
  const log = existsSync(at.log) ? readFileSync(at.log, 'utf8').trim().split('\n').slice(-20).join('\n') : '';
  throw new Error(`Postgres did not start. The end of its log (${at.log}):\n${log}`);
}

/** The server still running on these data. Waits for one that is just starting or shutting down. */
async function leftBehind(at: Place): Promise<{ pid: number; port: number } | undefined> {
  const deadline = Date.now() + 30_000;
  for (let found = postmaster(at); found; found = postmaster(at)) {
    if (found.port && (await answers(at, found.port))) return found;
    if (Date.now() > deadline) {
      throw new Error(
        `A Postgres (process ${found.pid}) holds ${at.cluster} but does not answer. End it first.`,
      );
    }
    await pause(50);
  }
  return undefined;
}

function superuser(at: Place, port: number) {
  const password = readFileSync(at.password, 'utf8').trim();
  return new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' });
}

async function answers(at: Place, port: number): Promise<boolean> {
  const client = superuser(at, port);
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('show data_directory');
    return path.resolve(rows[0].data_directory) === at.cluster;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function prepare(at: Place, port: number, durable: boolean) {
  const client = superuser(at, port);
  await client.connect();
  try {
    const { rows } = await client.query(`select rolname from pg_roles where rolname like 'tidepost%'`);
    const isThere = (role: string) => rows.some(({ rolname }) => rolname === role);
    const may = durable ? 'nocreatedb' : 'createdb';
    // The tests connect thousands of times, with a password that everybody knows.
    if (!durable) await client.query('set scram_iterations = 1');
    // A bench has what it made written out before it measures.
    if (!isThere('tidepost'))
      await client.query(
        `create role tidepost login nosuperuser ${may} password 'tidepost' in role pg_checkpoint`,
      );
    // The owner may end what is connected to its database.
    for (const role of Object.values(ROLES).filter((role) => !isThere(role)))
      await client.query(`create role ${role} login password 'tidepost' role tidepost`);
    await client.query(`alter role ${ROLES.reader} set default_transaction_read_only = on`);
    const database = await client.query(`select 1 from pg_database where datname = 'tidepost'`);
    if (!database.rowCount) await client.query('create database tidepost owner tidepost');
  } finally {
    await client.end();
  }
}

function isSomebodyElse(pid?: number): boolean {
  return pid !== process.pid && isRunning(pid);
}

function readNumber(file: string): number | undefined {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined;
}
