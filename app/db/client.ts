import { CamelCasePlugin, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { env } from '#app/env.ts';
import { DeadlineClient } from './deadline-client.ts';
import { NamedStatementsPool } from './named-statements.ts';
import type { Database } from './tables.ts';

/** date and date[], and as what they are read: text and text[]. */
const READ_AS = new Map([
  [1082, 25],
  [1182, 1009],
]);

/** How values are read. A calendar day stays the text YYYY-MM-DD: as a Date it would move with the zone of the process. */
const values: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) =>
    pg.types.getTypeParser(READ_AS.get(oid) ?? oid, format as 'text'),
};

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

/**
 * A process that is frozen in a transaction loses it, and its locks, after the first; whoever waits for a
 * lock gives up after the second. Otherwise one lock could take every connection, one job after the other.
 */
const LOCKS = { idle_in_transaction_session_timeout: 30_000, lock_timeout: 40_000 };

/**
 * Creates a connection pool and a Kysely instance that uses it. Waiting more than 5 s for a connection is an error, so
 * that users see an error page, and not a page that never loads, when the database cannot be reached.
 *
 * @param poolSize The largest number of open connections.
 * @param idleMs How long an unused connection stays open, in milliseconds.
 */
export function createDatabase(
  url: string,
  poolSize = 10,
  idleMs = 30_000,
  Client: typeof pg.Client = pg.Client,
): { db: Db; pool: pg.Pool } {
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    types: values,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: idleMs,
    ...LOCKS,
  });
  // A connection that breaks must not end the process, idle or in use: who uses it gets the error from its
  // query, and the next query opens a new one.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new NamedStatementsPool(pool) }),
    plugins: [new CamelCasePlugin()],
  });
  return { db, pool };
}

/** What the system says of a connection, and Postgres while it starts, stops or has no place for another. */
const AWAY =
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|57P0[123]|53300|08\w{3})$/;
/** What the driver says of one that broke or never came, and ours of one that said nothing for too long. */
const BROKEN =
  /^(?:Connection terminated|timeout exceeded when trying to connect|The database did not answer within)|is not queryable$/;

/** Whether the same may work once the database can be reached. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return AWAY.test((error as { code?: string }).code ?? '') || BROKEN.test(error.message);
}

let shared: ReturnType<typeof createDatabase> | undefined;
let copy: ReturnType<typeof createDatabase> | undefined;

/**
 * How long the web keeps an idle connection. On a new connection the first five runs of a prepared statement take about three
 * times as long, until Postgres caches its plan: a user who comes after a quiet minute would wait for that.
 */
const IDLE_MS = 10 * 60_000;

/** Reads of the copy are few and long. */
const COPY_CONNECTIONS = 4;

function open() {
  shared ??= createDatabase(env().DATABASE_URL, 10, IDLE_MS, DeadlineClient);
  return shared;
}

/** The database of this process, opened at the first call. */
export const db = (): Db => open().db;

/**
 * The copy of the database that `DATABASE_READ_URL` names, for reads that may be some seconds old and of which nothing is
 * written; without one the database itself.
 */
export function readDb(): Db {
  const { DATABASE_READ_URL: url } = env();
  if (!url) return db();
  copy ??= createDatabase(url, COPY_CONNECTIONS, 30_000, DeadlineClient);
  return copy.db;
}

/** The connections behind `db()`, for packages that speak SQL themselves. */
export const pool = (): pg.Pool => open().pool;

export async function closeDatabase(): Promise<void> {
  await Promise.all([shared?.db.destroy(), copy?.db.destroy()]);
  shared = undefined;
  copy = undefined;
}

/** What is to be done once a transaction is committed. */
const afterwards = new WeakMap<Db, (() => void)[]>();
/** Transactions in which each part is whole or not there at all. */
const inParts = new WeakSet<Db>();

/** Runs `fn` in a transaction, or in the caller's when there is one already. */
export async function transact<T>(db: Db, fn: (trx: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return inParts.has(db) ? asPart(db as Trx, fn) : fn(db as Trx);
  const acts: (() => void)[] = [];
  const result = await db.transaction().execute((trx) => {
    afterwards.set(trx, acts);
    return fn(trx);
  });
  for (const act of acts) act();
  return result;
}

/**
 * A transaction for what has some of its own: each of them that throws takes back what it did and leaves the others, as if
 * they were not inside one. They follow each other; none runs beside another.
 */
export const transactWithSavepoints = <T>(db: Db, fn: (trx: Trx) => Promise<T>): Promise<T> =>
  transact(db, (trx) => {
    inParts.add(trx);
    return fn(trx);
  });

async function asPart<T>(trx: Trx, fn: (trx: Trx) => Promise<T>): Promise<T> {
  const acts = afterwards.get(trx)!;
  const before = acts.length;
  await sql`savepoint part`.execute(trx);
  try {
    const result = await fn(trx);
    await sql`release savepoint part`.execute(trx);
    return result;
  } catch (error) {
    acts.length = before;
    await sql`rollback to savepoint part`.execute(trx);
    await sql`release savepoint part`.execute(trx);
    throw error;
  }
}

/** Calls `act` when the transaction is committed, and never when it is not; at once outside of one. */
export function afterCommit(db: Db, act: () => void): void {
  const acts = afterwards.get(db);
  if (acts) acts.push(act);
  else act();
}
