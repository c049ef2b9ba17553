import { CamelCasePlugin, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { env } from '#app/env.ts';
import { DeadlineClient } from './deadline-client.ts';
import { NamedStatementsPool } from './named-statements.ts';
import type { Database } from './tables.ts';

/** Type OIDs: date and date[] are parsed like text and text[]. */
const PARSED_AS = new Map([
  [1082, 25],
  [1182, 1009],
]);

/** Dates stay strings (YYYY-MM-DD): as a JavaScript Date, they would depend on the time zone of the process. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) =>
    pg.types.getTypeParser(PARSED_AS.get(oid) ?? oid, format as 'text'),
};

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

/** Limits for the transaction of a frozen process and for lock waits: otherwise one lock could block every connection. */
const TIMEOUTS = { idle_in_transaction_session_timeout: 30_000, lock_timeout: 40_000 };

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
    types,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: idleMs,
    ...TIMEOUTS,
  });
  // Without listeners, a broken connection would end the process. The running query gets the error, too.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new NamedStatementsPool(pool) }),
    plugins: [new CamelCasePlugin()],
  });
  return { db, pool };
}

/** Errors of the network, and of Postgres while it starts, stops or has no free connection. */
const UNAVAILABLE_CODES =
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|57P0[123]|53300|08\w{3})$/;
/** Errors of the driver, which have no code, and of DeadlineClient. */
const UNAVAILABLE_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|The database did not answer within)|is not queryable$/;

/** Whether an error means that the database cannot be reached, so that a later retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as { code?: string };
  return UNAVAILABLE_CODES.test(code) || UNAVAILABLE_MESSAGES.test(error.message);
}

let shared: ReturnType<typeof createDatabase> | undefined;
let replica: ReturnType<typeof createDatabase> | undefined;

/** Long, because on a new connection the first five runs of a prepared statement are slower, until its plan is cached. */
const IDLE_MS = 10 * 60_000;

/** Reads from the replica are few and long. */
const REPLICA_CONNECTIONS = 4;

function open() {
  shared ??= createDatabase(env().DATABASE_URL, 10, IDLE_MS, DeadlineClient);
  return shared;
}

export const db = (): Db => open().db;

/**
 * The replica at DATABASE_READ_URL, or the database itself if there is none. For reads that may be some seconds old, and
 * whose result is not written anywhere.
 */
export function readDb(): Db {
  const { DATABASE_READ_URL: url } = env();
  if (!url) return db();
  replica ??= createDatabase(url, REPLICA_CONNECTIONS, 30_000, DeadlineClient);
  return replica.db;
}

/** The pool behind `db()`, for packages with SQL of their own. */
export const pool = (): pg.Pool => open().pool;

export async function closeDatabase(): Promise<void> {
  await Promise.all([shared?.db.destroy(), replica?.db.destroy()]);
  shared = undefined;
  replica = undefined;
}

const commitCallbacks = new WeakMap<Db, (() => void)[]>();
/** Transactions in which each nested `transact` is a savepoint. */
const withSavepoints = new WeakSet<Db>();

/** Runs `fn` in a transaction, or in the caller's when there is one already. */
export async function transact<T>(db: Db, fn: (trx: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return withSavepoints.has(db) ? runInSavepoint(db as Trx, fn) : fn(db as Trx);
  const callbacks: (() => void)[] = [];
  const result = await db.transaction().execute((trx) => {
    commitCallbacks.set(trx, callbacks);
    return fn(trx);
  });
  for (const callback of callbacks) callback();
  return result;
}

/**
 * Runs `fn` in a transaction in which each nested `transact` is a savepoint: if it throws, only its own changes are rolled
 * back. Nested ones must run one after the other.
 */
export const transactWithSavepoints = <T>(db: Db, fn: (trx: Trx) => Promise<T>): Promise<T> =>
  transact(db, (trx) => {
    withSavepoints.add(trx);
    return fn(trx);
  });

async function runInSavepoint<T>(trx: Trx, fn: (trx: Trx) => Promise<T>): Promise<T> {
  const callbacks = commitCallbacks.get(trx)!;
  const before = callbacks.length;
  await sql`savepoint part`.execute(trx);
  try {
    const result = await fn(trx);
    await sql`release savepoint part`.execute(trx);
    return result;
  } catch (error) {
    callbacks.length = before;
    await sql`rollback to savepoint part`.execute(trx);
    await sql`release savepoint part`.execute(trx);
    throw error;
  }
}

/** Calls `callback` when the transaction is committed, or immediately if there is none. */
export function afterCommit(db: Db, callback: () => void): void {
  const callbacks = commitCallbacks.get(db);
  if (callbacks) callbacks.push(callback);
  else callback();
}
